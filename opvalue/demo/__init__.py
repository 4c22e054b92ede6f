"""The demo: a made-up repository and run, regraded through the real chain (zip, digests, git objects, trust, Bash)."""

from opvalue.demo.story import TIMES, Demo, prepare

__all__ = ["TIMES", "Demo", "prepare"]
