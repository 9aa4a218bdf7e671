"""Acceptable normalizations: found, refused with the reason, or checked where the file gives one."""

from verifier.questions.normalization.acceptability import Answer, Answers, Found, acceptable, decide

__all__ = ["Answer", "Answers", "Found", "acceptable", "decide"]
