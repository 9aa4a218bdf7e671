"""`pkdp relations --axioms`: what each definition keeps under channels, mixtures and pairs, beside DP22's Table 3.

The tables have three verdicts for each definition, the reasons, the clashes, and the answers to question marks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifier.numbers import NO_VALUE
from verifier.show.sheet import Sheet, Word
from verifier.wings.implications.axioms.axioms import (
    ANSWERED,
    CLASHES,
    NOT_ANSWERED,
    OTHER,
    PRINTED,
    PROVED,
    REFUTED,
    STATES,
    AxiomVerdict,
    Cell,
    Clash,
    cell,
    counts,
    every_cell,
    underived_because,
    verdicts,
)
from verifier.wings.implications.axioms.facts import AXIOMS, OVER
from verifier.wings.implications.axioms.refutations import Shown
from verifier.wings.implications.parts import keys as axiom_keys
from verifier.wings.implications.parts import parts_of

LEGEND = (
    "proved: it follows from the parts of the definition; refuted: a model or a derivation shows it; open: neither. "
    "What DP22's Table 3 prints is in brackets, where that differs or is a question mark. A composition is about "
    f"{OVER}, unless pkdp relations --axioms KEY names something else."
)


def overview(keys: Sequence[str]) -> Sheet:
    """The table of the three verdicts of each definition, each with the printed cell of Table 3 where that differs."""
    rows = [(key, *(_short(verdict) for verdict in verdicts(key))) for key in keys]
    return Sheet("Axioms, derived from the parts of each definition", ("definition", *AXIOMS), tuple(rows), (LEGEND,))


def _short(verdict: AxiomVerdict) -> str:
    printed = cell(verdict.key, verdict.axiom)
    if printed is None or printed.state == "agrees":
        return Word(verdict.verdict)
    beside = {CLASHES: ": clash", OTHER: ", of another reading"}.get(printed.state, "")
    beside = f"{printed.printed}{beside}"
    return f"{verdict.verdict} (printed {beside})"


def card_items(key: str) -> list[tuple[str, str]]:
    """The lines of a definition's card: each axiom with its verdict, and rule, model or reason; none for other keys.

    >>> card_items("pridp")[0], card_items("pridp")[2][1].partition(":")[0]
    (('post-processing', 'It is proved.'), 'It is refuted by pair(parity-of-two, parity-of-three)')
    """
    if key not in axiom_keys():
        return []
    return [(each.axiom, _said(each)) for each in verdicts(key)]


def _said(verdict: AxiomVerdict) -> str:
    if verdict.verdict == REFUTED:
        models = [
            f"{shown.refutation.combined}: the {shown.asked} is {' and '.join(shown.before)}, then {shown.after}"
            for shown in verdict.shown
        ]
        return f"It is refuted by {'; '.join(models or verdict.derivations)}."
    return f"It is {verdict.verdict}: {verdict.text}." if verdict.text else f"It is {verdict.verdict}."


def summary() -> Sheet:
    """The table of how many cells of Table 3 agree, clash, or have a question mark that is answered."""
    cells = every_cell()
    rows = []
    for state, number in counts(cells).items():
        of_axioms = (
            str(sum(each.state == state and each.verdict.axiom == axiom for each in cells)) for axiom in AXIOMS
        )
        rows.append((state, *of_axioms, str(number)))
    rows.append(("all", *(str(len(cells) // len(AXIOMS)) for _ in AXIOMS), str(len(cells))))
    return Sheet("DP22's Table 3 and what is derived", ("cells", *AXIOMS, "together"), tuple(rows))


def clash_sheet() -> Sheet:
    """The table of cells that clash: the printed and the derived verdict, why, and what the printed one may rest on."""
    return _differing(CLASHES, "Clashes with Table 3, each derived twice")


def other_sheet() -> Sheet:
    """The table of cells about another definition than the one that is decided here, with the reading of each."""
    return _differing(OTHER, "Cells of Table 3 about another reading, each derived twice")


def _differing(state: str, title: str) -> Sheet:
    rows = tuple(
        (
            each.row.key,
            each.verdict.axiom,
            each.printed,
            Word(each.verdict.verdict),
            _because(each.clash) if each.clash else NO_VALUE,
            each.clash.rests_on if each.clash else NO_VALUE,
            _evidence(each.verdict),
        )
        for each in every_cell()
        if each.state == state
    )
    columns = ("definition", "axiom", "printed", "derived", "because", "the printed cell may rest on", "evidence")
    return Sheet(title, columns, rows)


def _because(clash: Clash) -> str:
    return f"here it is about {clash.reading}: {clash.because}" if clash.reading else clash.because


def answer_sheet() -> Sheet:
    """The table of the question marks of Table 3 with their answers."""
    listed = [each for each in every_cell() if each.state in {ANSWERED, NOT_ANSWERED}]
    rows = tuple(
        (each.row.key, each.verdict.axiom, Word(each.verdict.verdict), each.verdict.text or NO_VALUE) for each in listed
    )
    return Sheet("Question marks of Table 3", ("definition", "axiom", "derived", "rule, condition or model"), rows)


def card(key: str) -> list[Sheet]:
    """Two tables of one definition: its verdicts beside the cells of Table 3, and the facts that they follow from."""
    parts = ", ".join(f"{part.axis} {part.name}" for part in parts_of(key)) if not underived_because(key) else NO_VALUE
    verdict_rows, fact_rows = [], []
    for verdict in verdicts(key):
        printed = cell(key, verdict.axiom)
        said = (printed.printed, printed.state) if printed else (NO_VALUE, NO_VALUE)
        verdict_rows.append((verdict.axiom, Word(verdict.verdict), verdict.text or NO_VALUE, *said))
        for fact in verdict.chain:
            word = Word("holds" if fact.holds == "yes" else "fails")
            name = f"{fact.part.axis} {fact.part.name}"
            fact_rows.append((verdict.axiom, name, word, fact.because, fact.proof))
    columns = ("axiom", "verdict", "rule, condition, model or reason", "Table 3", "")
    sheets = [
        Sheet(f"Axioms of {key}", columns, tuple(verdict_rows), (f"Its parts: {parts}.",), (("definition", key),))
    ]
    if fact_rows:
        facts = ("axiom", "part", "", "because", "proof")
        sheets.append(Sheet(f"From which facts: {key}", facts, tuple(fact_rows), (), (("definition", key),)))
    return sheets


def axiom_sheets(keys: Sequence[str], every: Sequence[str]) -> list[Sheet]:
    """The cards of the definitions `keys`; without keys the overview of `every` definition, and Table 3 compared."""
    if keys:
        return [sheet for key in keys for sheet in card(key)]
    return [overview(every), summary(), clash_sheet(), other_sheet(), answer_sheet()]


def axioms_json(keys: Sequence[str], every: Sequence[str]) -> dict[str, Any]:
    """The verdicts as the object of `pkdp relations --axioms --json`."""
    asked = keys or every
    answer: dict[str, Any] = {
        "definitions": {key: [_verdict_json(verdict) for verdict in verdicts(key)] for key in asked}
    }
    if not keys:
        answer["table_3"] = {"source": "DP22, Table 3, section 10", "printed": list(PRINTED), **_counts(every_cell())}
    return answer


def _counts(cells: tuple[Cell, ...]) -> Mapping[str, Any]:
    return {"cells": len(cells), "states": {state: counts(cells)[state] for state in STATES}}


def _verdict_json(verdict: AxiomVerdict) -> dict[str, Any]:
    printed = cell(verdict.key, verdict.axiom)
    return {
        "axiom": verdict.axiom,
        "verdict": verdict.verdict,
        "rule": verdict.rule or None,
        "over": verdict.over or None,
        "derivation": f"proofs/axioms/second.py: {verdict.derived}" if verdict.derived else None,
        "where": list(verdict.where),
        "reason": verdict.reason or None,
        "facts": [
            {
                "axis": fact.part.axis,
                "part": fact.part.name,
                "holds": fact.holds,
                "because": fact.because,
                "proof": fact.proof,
            }
            for fact in verdict.chain
        ],
        "models": [_shown_json(each) for each in verdict.shown],
        "printed": printed.printed if printed else None,
        "compared": printed.state if printed else None,
        "second_derivation": f"proofs/axioms/second.py: {printed.clash.second}" if printed and printed.clash else None,
    }


def _shown_json(each: Shown) -> dict[str, Any]:
    refutation = each.refutation
    return {
        "refutation": refutation.name,
        "combination": refutation.combined,
        "files": [f"models/{name}.toml" for name in refutation.files],
        "asked": each.asked,
        "before": list(each.before),
        "after": each.after,
    }


def _evidence(verdict: AxiomVerdict) -> str:
    if verdict.verdict == PROVED:
        return ", ".join(dict.fromkeys(fact.proof for fact in verdict.chain))
    return ", ".join(f"models/{name}.toml" for each in verdict.shown for name in each.refutation.files)
