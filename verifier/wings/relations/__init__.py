"""What follows from what: exchange rates between definitions, and what is left of them under composition."""

MAX_WORLDS = 1 << 14
"""Most worlds of a model whose exchange rates are asked about, unless more are allowed."""
