"""Definitions that ask for a simulator: what it imitates, what it is told, and how a linear program decides it."""
