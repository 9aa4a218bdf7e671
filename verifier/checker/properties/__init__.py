"""Properties of a model that are no definitions: acceptable normalizations, k-anonymity."""
