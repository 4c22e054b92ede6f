"""One file a default grader, of the same name."""
