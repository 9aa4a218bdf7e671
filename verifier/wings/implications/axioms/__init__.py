"""Which axioms a definition keeps, derived from those that its parts keep."""
