"""The version, in one place: the build, the answers and the pages read it here."""

VERSION = "0.3.0"
CITED = (
    "The pkdp maintainers, pkdp: the exact verifier for privacy definitions with partial knowledge, 2026, "
    f"version {VERSION}"
)
"""The program as a line to paste where it is cited; CITATION.cff says the same for programs."""
