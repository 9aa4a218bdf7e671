"""Mechanisms written as programs with random draws: the draws, and the exact law of a program on a database."""
