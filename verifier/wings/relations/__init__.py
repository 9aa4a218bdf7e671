"""What follows from what: exchange rates between definitions, and what is left of them under composition."""

MAX_WORLDS = 1 << 14
"""Default of the largest number of worlds of a model whose exchange rates are computed."""
