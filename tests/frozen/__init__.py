"""Answers that must not change: what is asked, how it is compared, and the hashes."""
