"""Entries and derivations for DMKB20."""
