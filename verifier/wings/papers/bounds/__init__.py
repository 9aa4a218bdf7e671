"""The bounds on ε and δ that the papers' theorems claim, as printed and under each reading, beside the exact values."""
