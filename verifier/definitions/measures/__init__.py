"""Measures of two laws: curves δ(ε), numbers, suprema over orders and conditions; most are terms over a ring."""
