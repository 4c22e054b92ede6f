"""What GitHub says of runs and artifacts, and what follows from it."""
