"""The stand-in ``gh``: gh's manners inside the sandbox, bare HTTP to the broker outside."""
