"""What make and the tests call: set-up, gates, and the reference page."""
