"""Canonical finite tables: labels, laws, sums, wide integer columns. Conditioning is an explicit call."""

from verifier.tables.law import NO_ANSWER, Label, Law, Shown, Spelling, in_order, label, product, runs_text, values_text
from verifier.tables.sums import Integer, SumLaw, divided, mixed, sum_law
from verifier.tables.weights import collected, convolved, gathered, grouped

__all__ = [
    "NO_ANSWER",
    "Integer",
    "Label",
    "Law",
    "Shown",
    "Spelling",
    "SumLaw",
    "collected",
    "convolved",
    "divided",
    "gathered",
    "grouped",
    "in_order",
    "label",
    "mixed",
    "product",
    "runs_text",
    "sum_law",
    "values_text",
]
