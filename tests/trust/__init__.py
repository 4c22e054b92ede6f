"""The trust states."""
