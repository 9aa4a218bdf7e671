"""Entries and derivations for D20."""
