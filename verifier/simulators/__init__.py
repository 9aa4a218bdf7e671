"""Definitions with an existential: what a simulator must imitate, and the exact game that decides whether one can."""
