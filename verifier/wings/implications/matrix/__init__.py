"""The matrix: every ordered pair of the decided definitions, implied by facts, refuted by a model, or open."""
