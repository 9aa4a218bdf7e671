"""Acceptable normalizations: found, refused with the reason, or checked where the file gives one."""

from verifier.normalization.decide import Answer, Found, acceptable, decide

__all__ = ["Answer", "Found", "acceptable", "decide"]
