"""The broker: the one that holds the credential, answers the evaluator's requests, and remembers every failure."""
