"""Canonical finite tables: labels, laws, wide integer columns. Conditioning is an explicit call."""

from verifier.tables.labels import NO_ANSWER, Label, Shown, Spelling, in_order, label
from verifier.tables.law import Law, product

__all__ = ["NO_ANSWER", "Label", "Law", "Shown", "Spelling", "in_order", "label", "product"]
