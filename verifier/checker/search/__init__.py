"""What a search says of all models of a scope."""
