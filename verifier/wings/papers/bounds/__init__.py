"""What the papers' theorems claim, as printed and under each reading, beside the exact truth."""
