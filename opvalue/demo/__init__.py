"""The demo: a made-up repository and run, regraded through the real chain."""
