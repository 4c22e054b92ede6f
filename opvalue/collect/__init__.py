"""From a run's raw logs to its unified session."""
