"""Finds faults in operational-value evaluators before they grade a run: in CI, in a pre-commit hook, at the desk."""
