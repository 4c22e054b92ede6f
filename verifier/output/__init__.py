"""What verification found, as text, JSON, SARIF, annotations and a step summary."""
