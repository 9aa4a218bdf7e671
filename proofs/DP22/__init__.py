"""Entries and derivations for DP22."""
