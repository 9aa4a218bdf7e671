"""Acceptable normalizations: found, refused with the reason, or checked where the file gives one."""

from verifier.questions.normalization.acceptability import (
    Acceptabilities,
    Acceptability,
    Normalization,
    acceptable,
    decide,
)

__all__ = ["Acceptabilities", "Acceptability", "Normalization", "acceptable", "decide"]
