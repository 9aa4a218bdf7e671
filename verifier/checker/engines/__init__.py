"""Answers that rest on no table of all databases: sums, and multisets of several sizes."""
