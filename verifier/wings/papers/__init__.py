"""What the papers say: their claims in the ledger, their bounds, their figures, the relations of their definitions."""
