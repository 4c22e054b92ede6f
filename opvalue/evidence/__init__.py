"""Brokered evidence: what an evaluator asks of GitHub, answered, bounded, recorded and replayed (DESIGN 5)."""
