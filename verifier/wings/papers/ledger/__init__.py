"""The ledger: every numbered claim of the papers, its exact readings, their verdicts and the evidence."""
