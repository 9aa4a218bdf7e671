"""Which statements of DMKB20's Examples 1 to 8 hold as printed: our statements, each with computed evidence.

This is the one place that says it; the page, `docs/examples.md` and `proofs/findings.md` show it. A page is refused
where a piece of evidence is not what was computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from verifier.definitions import Verdict
from verifier.errors import PkdpError
from verifier.model import loads
from verifier.normalization import Answer, acceptable
from verifier.numbers import epsilon
from verifier.report.claims import CLAIMS, FAILS, FINITE, HOLDS, OPEN, Claim, Evidence
from verifier.report.sheet import Sheet

WORST = (FAILS, OPEN, FINITE, HOLDS)
MARKS = {FAILS: "✗", OPEN: "?", FINITE: "✓", HOLDS: "✓"}
BADGES = {
    FAILS: "as printed: fails",
    OPEN: "as printed: not decided here",
    FINITE: "as printed: holds, made finite",
    HOLDS: "as printed: holds",
}
CLASSES = {FAILS: "fails", OPEN: "open", FINITE: "holds", HOLDS: "holds"}


class DisagreementError(PkdpError):
    """A statement of the report is not what was computed, so the report is not written (exit status 3)."""

    exit_status = 3


@dataclass(frozen=True)
class Badge:
    """What a heading says about the statement that its model is about."""

    mark: str
    text: str
    kind: str


def confirm(claims: Sequence[Claim], found: Mapping[str, tuple[Sequence[Verdict], Sequence[Answer]]]) -> list[Claim]:
    """The claims whose evidence is all among the models; each piece is compared with what was computed.

    Raises:
        DisagreementError: where a piece of evidence is not what was computed.

    """
    confirmed = []
    for claim in claims:
        if all(piece.text or piece.model in found for piece in claim.evidence):
            for piece in claim.evidence:
                said, computed = piece.said, _computed(piece, found)
                if said != computed:
                    raise DisagreementError(
                        f'the report says "{claim.claim}" {claim.verdict}, since {piece.model} has {said}; '
                        f"it has {computed}",
                        where=claim.place,
                        wanted="a statement that agrees with its evidence",
                    )
            confirmed.append(claim)
    return confirmed


def _computed(piece: Evidence, found: Mapping[str, tuple[Sequence[Verdict], Sequence[Answer]]]) -> str:
    """What was computed, in the words of the evidence."""
    answers, normalizations = ((), _alone(piece.text)) if piece.text else found[piece.model]
    if piece.definition == "acceptable":
        every = {one.acceptable and not any(one.given) for one in normalizations}
        return "acceptable: " + " and ".join("yes" if one else "no" for one in sorted(every))
    answer = next(one for one in answers if one.definition == piece.definition)
    if piece.at:
        delta = answer.profile.delta(epsilon(piece.at))
        return f"{piece.definition}: smallest δ at ε = {piece.at} is {delta.decimal()}"
    return f"{piece.definition}: {answer.verdict}, smallest ε {answer.tight_epsilon}"


@lru_cache
def _alone(text: str) -> tuple[Answer, ...]:
    return tuple(acceptable(loads(text)))


def badge(claims: Sequence[Claim], name: str) -> Badge | None:
    """The worst verdict on the statements of a section; a repaired statement where there is none."""
    verdicts = [claim.verdict for claim in claims if name in claim.sections]
    for verdict in WORST:
        if verdict in verdicts:
            return Badge(MARKS[verdict], BADGES[verdict], CLASSES[verdict])
    if any(name in claim.repaired for claim in claims):
        return Badge("✓", "repaired statement: holds", "holds")
    return None


def about(claims: Sequence[Claim], name: str) -> list[tuple[Claim, str]]:
    """The claims that a section is about, each with what the section is to it."""
    roles = [(claim, claim.verdict) for claim in claims if name in claim.sections]
    return roles + [(claim, "repaired") for claim in claims if name in claim.repaired]


def findings_sheet(claims: Sequence[Claim] = CLAIMS, base: str = "") -> Sheet:
    """The findings as a Markdown table; `base` is the page that has the sections."""
    rows = tuple(
        (
            claim.place,
            claim.claim,
            f"{MARKS[claim.verdict]} **{claim.verdict}**",
            claim.because,
            ", ".join(f"[{name}]({base}#{name})" for name in claim.linked) or "–",
        )
        for claim in claims
    )
    return Sheet("", ("place in DMKB20", "claim, in our words", "as printed", "what was found", "models"), rows)


def tally(claims: Sequence[Claim]) -> str:
    """How many claims hold, fail and are open, as a sentence."""
    count = {verdict: sum(claim.verdict == verdict for claim in claims) for verdict in WORST}
    return (
        f"Of {len(claims)} claims, {count[HOLDS]} hold as printed, {count[FINITE]} hold once they are made finite, "
        f"{count[FAILS]} fail as printed, and {count[OPEN]} {'is' if count[OPEN] == 1 else 'are'} not decided here."
    )
