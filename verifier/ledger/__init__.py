"""The ledger: every numbered claim of the papers, its exact readings, their verdicts and the evidence."""

from verifier.ledger.entry import SHOWS, VERDICTS, Entry, Reading
from verifier.ledger.read import PAPERS, entries, read_entry

__all__ = ["PAPERS", "SHOWS", "VERDICTS", "Entry", "Reading", "entries", "read_entry"]
