"""The bundle: recorded exchanges as one deterministic file."""
