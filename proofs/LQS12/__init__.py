"""Entries and derivations for LQS12."""
