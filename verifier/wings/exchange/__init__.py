"""What a guarantee of one definition is worth as another: the smallest ε′, the smallest δ′, and their curves.

A has rows that bound its outputs' laws, and so has B: the worst mechanism for B among those that satisfy A is the
optimum of a linear program in the mechanism, whose dual is the proof.
"""

MAX_WORLDS = 1 << 14
"""Default of the largest number of worlds of a model whose exchange rates are computed."""
