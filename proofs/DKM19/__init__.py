"""Entries and derivations for DKM19."""
