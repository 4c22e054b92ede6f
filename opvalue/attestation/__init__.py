"""Signed statements: DSSE envelopes over in-toto statements, by Ed25519 (DESIGN 5). Pure but for the keys it is given."""
