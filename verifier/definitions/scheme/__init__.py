"""DP22's scheme: a definition is a choice of a builder, a view, a measure and an aggregation.

A builder lists ordered rows, each two laws on databases with a multiple c of ε; it never sees the mechanism. A view
turns a row into two laws of what the attacker sees. A row asks D(P‖Q) ≤ c·ε of a divergence, δ(c·ε) ≤ δ of a curve.
"""
