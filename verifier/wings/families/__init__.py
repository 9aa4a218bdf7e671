"""Whole families at once: probabilities that are expressions in parameters, decided for every value."""
