"""Relations between definitions: exchange rates, the matrix of implications, axioms, and composition of mechanisms."""

MAX_WORLDS = 1 << 14
"""Default of the largest number of worlds of a model whose exchange rates are computed."""
