"""The criterion for the label of a reading, and the rule by which the verdicts of readings make one word of a claim.

proofs/README.md states both. `refuse` checks the labels of an entry when its file is read, as far as a program can;
`of_claim` makes the word: each part of a claim counts once, and variants and notes count for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.errors import InputError
from verifier.model.keys import Location
from verifier.wings.papers.ledger.entry import (
    EDGE,
    EXTRACTED,
    FAILING,
    HOLDING,
    LABELS,
    NOTE,
    PRINTED,
    REASONS,
    RESTORED,
    ClaimReading,
    Entry,
)

ASIDES = ("the proof", "the example")
"""Parts of an entry that are no part of the statement: it may hold although its printed proof does not show it."""
UNFIT = ("ambiguous", "ill-posed")
"""The verdicts on definitions; a statement is refuted, or a misprint."""
HOLDS, AS_RESTORED, BUT_FOR_AN_EDGE, FAILS = "holds", "holds once corrected", "holds but for an edge case", "fails"
UNDECIDED, NOT_HERE = "undecided", "not decidable here"
CLAIM_WORDS = {
    FAILS: "a part fails as printed, and the paper does not show what was meant",
    "ill-posed": "a part of a definition has no value somewhere in the range that the paper gives it",
    "ambiguous": "a part of a definition can be read in two ways that differ",
    AS_RESTORED: "a part fails as printed, or is lost; what must have been meant holds, for the reason that is given",
    BUT_FOR_AN_EDGE: "a part fails only at the end of its range, which is named",
    UNDECIDED: "neither was found",
    HOLDS: "every part that was decided holds as it is printed; what was not is named",
    NOT_HERE: "it is no statement about finite models, or out of reach",
    NOTE: "a comparison of ours; it does not assess the paper",
}
"""The words of a claim as a whole, with their meanings, the worst first; a claim has the worst word of its parts."""


def of_claim(readings: Sequence[ClaimReading]) -> str:
    """The word of a claim, a key of `CLAIM_WORDS`: the worst one among its parts.

    The proof and the example are no parts; a part that is not decidable here counts only where no other is decided.
    """
    words = {of_part(part) for name, part in parts(readings) if name not in ASIDES}
    words = words - {NOTE} or words
    words = words - {NOT_HERE} or words
    return next((word for word in CLAIM_WORDS if word in words), NOTE)


def parts(readings: Sequence[ClaimReading]) -> Iterator[tuple[str, tuple[ClaimReading, ...]]]:
    """The readings of each part, by the name of the part."""
    for name in dict.fromkeys(reading.part for reading in readings):
        yield name, tuple(reading for reading in readings if reading.part == name)


def of_part(readings: Sequence[ClaimReading]) -> str:
    """The word of a part, a key of `CLAIM_WORDS`, from its readings as printed, restored and at the end of a range."""
    by_label = {label: [reading for reading in readings if reading.label == label] for label in LABELS}
    printed = next(iter(by_label[PRINTED]), None)
    restored = any(reading.verdict in HOLDING for reading in by_label[RESTORED])
    if printed is None:
        if by_label[RESTORED]:
            return AS_RESTORED if restored else FAILS
        return NOTE
    if printed.verdict in FAILING:
        if printed.edge:
            return BUT_FOR_AN_EDGE
        if printed.verdict == "misprint" or restored:
            return AS_RESTORED
        return printed.verdict if printed.verdict in UNFIT else FAILS
    if any(reading.verdict in FAILING for reading in by_label[EDGE]):
        return BUT_FOR_AN_EDGE
    return HOLDS if printed.verdict in HOLDING else printed.verdict


def refuse(entry: Entry, location: Location) -> None:
    """Refuse an entry whose labels break the criterion.

    Raises:
        InputError: for the first label that breaks it, with the reading and what the criterion asks of it.

    """
    for reading in entry.readings:
        for fault, wanted in _faults(entry, reading):
            raise InputError(f"{entry.key(reading)}: {fault}", where=str(location), wanted=wanted)
    for name, part in parts(entry.readings):
        labels = [reading.label for reading in part]
        of_the_part = f" of the part {name}" if name else ""
        if labels.count(PRINTED) > 1:
            raise InputError(f"two readings{of_the_part} are as printed", where=str(location), wanted="one")
        if PRINTED not in labels and RESTORED not in labels and set(labels) != {NOTE}:
            wanted = 'reading = "as printed"; or "restored", where what is printed is lost; or notes alone'
            raise InputError(f"no reading{of_the_part} is as printed", where=str(location), wanted=wanted)


def _faults(entry: Entry, reading: ClaimReading) -> Iterator[tuple[str, str]]:
    """What is wrong with a label, and what is wanted instead."""
    is_broken = reading.verdict in FAILING
    if reading.label not in LABELS:
        yield f"its label is “{reading.label}”", f"label = one of {', '.join(LABELS)}"
    if reading.reading in LABELS and reading.reading != reading.label:
        yield f"its label is {reading.label}", "a name that is a label is its label"
    if (reading.label == NOTE) == bool(reading.verdict):
        yield f"{reading.label}, with the verdict “{reading.verdict}”", "a verdict, but for a note, which has none"
    reasoned = reading.label == RESTORED or reading.verdict == "misprint"
    if reasoned and not reading.because.startswith(tuple(f"{reason}: " for reason in REASONS)):
        yield f"its reason is “{reading.because}”", f"because = “{' …”, “'.join(f'{r}:' for r in REASONS)} …”"
    if reading.label == EXTRACTED and not reading.because.startswith("layer: "):
        yield "it names no other layer", "because = “layer: …”, which says what another layer of the same PDF has"
    if reading.because and not reasoned and reading.label != EXTRACTED:
        yield "it has a reason", "no `because`, but for a restored reading, a misprint, or one as extracted"
    if reading.edge and not (is_broken and reading.label == PRINTED):
        yield "it has an edge", "`edge` only where a reading as printed fails, at the end of its range alone"
    is_definition = "definition" in entry.claim.lower()
    if reading.verdict in UNFIT and not (is_definition or reading.label == EDGE):
        yield f"it is {reading.verdict}", "a verdict on a statement; ambiguous and ill-posed are for definitions"
    if is_definition and not reading.part and reading.label == PRINTED and reading.verdict == "refuted":
        yield "a definition is refuted", "ambiguous or ill-posed: a definition states nothing that could be false"
