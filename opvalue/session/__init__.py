"""The unified session: events, order, redaction, lookups (Graders Specification 2). Pure."""
