"""The ledger: one folder a paper, one entry a claim, and the derivations that entries name."""
