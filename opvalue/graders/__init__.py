"""The deterministic graders: configuration, registry, formulas, results (Graders Specification 3 to 5). Pure."""
