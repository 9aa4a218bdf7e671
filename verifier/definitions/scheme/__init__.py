"""DP22's scheme: a definition is a choice of a builder, a view, a measure and an aggregation.

A builder lists ordered rows, each two laws on databases with a multiple c of ε, and a view turns a row into two laws of
what the attacker sees. Builders of beliefs, of events of outputs and of clients make what is seen themselves, with the
mechanism. A row asks D(P‖Q) ≤ c·ε of a divergence, δ(c·ε) ≤ δ of a curve.
"""
