"""The made-up GitHub as a source of evidence: seeded, realistic, or failing on purpose."""
