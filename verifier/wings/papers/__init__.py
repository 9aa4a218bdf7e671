"""What the papers say: their claims in the ledger, their bounds, the relations of their definitions."""
