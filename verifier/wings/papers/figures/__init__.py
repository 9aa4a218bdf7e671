"""The papers' figures, tables and stated numbers, computed anew: printed, repaired and exact, without a rounding."""
