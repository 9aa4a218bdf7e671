"""Definitions that ask for a simulator, proved by simulators and by weighted tests."""
