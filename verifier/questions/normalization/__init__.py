"""Acceptable normalizations (DMKB20, Definition 8): decided with the reason, and checked where the file gives one."""

from verifier.questions.normalization.acceptability import (
    Acceptabilities,
    Acceptability,
    Normalization,
    acceptable,
    decide,
)

__all__ = ["Acceptabilities", "Acceptability", "Normalization", "acceptable", "decide"]
