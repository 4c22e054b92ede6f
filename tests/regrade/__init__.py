"""The chain end to end."""
