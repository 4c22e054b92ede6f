"""What several rooms' tests are built from: real git repositories and real artifacts, with fixed dates."""
