"""Answers for readers: signs, sheets, sentences and drawings, for each medium. Nothing here decides."""
