"""The made-up GitHub of the verifier."""
