"""What a claim's page opens with: how the claim fails, on two worlds, what holds instead, and how to check it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verifier.definitions import Verdict
from verifier.errors import UnsupportedError
from verifier.model.bundled import short_name
from verifier.show.sections import (
    Block,
    Callout,
    Code,
    Link,
    Listing,
    Paragraph,
    Picture,
    Pictures,
    Section,
    Text,
)
from verifier.show.witnesses import compared_sheet
from verifier.show.worlds.drawings import worlds_of
from verifier.wings.papers.ledger.entry import FAILING, PRINTED, OfModel
from verifier.wings.papers.ledger.statement_sheets import part_of
from verifier.wings.papers.ledger.statements import HOW_BADLY, Statement
from verifier.wings.papers.ledger.table import ReadingRow
from verifier.wings.report.figures_page import LEGEND, drawings_of


@dataclass(frozen=True)
class Failing:
    """A part of a claim that fails: the counterexample `shown`, why, what holds `instead`, and its model's name."""

    part: str
    address: str
    kicker: str
    shown: str
    why: str
    instead: str
    model: str


def opening_sections(statement: Statement, answers: Mapping[str, Sequence[Verdict]]) -> list[Section]:
    """The first sections of the page of a claim, which `statement` sums up.

    `answers` has what fails in each model that the page has as evidence, by the model's name in the ledger.
    """
    entry = statement.entry
    failing = _failures(statement) or _readings(statement)
    named = f'pkdp claims {entry.paper} "{entry.claim}"'
    models = dict.fromkeys(each.model for each in failing if each.model)
    checks = [f"pkdp check {short_name(model)} --expect" for model in models]
    drawn = drawings_of(entry)
    figure = (Pictures(tuple(map(Picture, drawn))), Paragraph(LEGEND, "note"))
    sections = [Section("The figure, drawn anew", figure)] if drawn else []
    shown = set[str]()
    fails = tuple(_fails(each, answers, shown, drawn=bool(statement.failures)) for each in failing)
    instead = [each for each in failing if each.instead]
    if len(failing) == 1:
        sections.append(Section("What fails as printed", fails[0].blocks))
        sections += [Section("What holds instead", (Paragraph(each.instead),)) for each in instead]
    elif failing:
        lines: tuple[Text, ...] = tuple((Link(each.part, each.address), f": {each.instead}") for each in instead)
        sections += [Section("What fails as printed", sections=fails), Section("What holds instead", (Listing(lines),))]
    return [*sections, Section("Check it again", (Code("\n".join((*checks, f"{named} --all"))),))]


def _failures(statement: Statement) -> list[Failing]:
    """The failures of a numbered statement."""
    keys = [statement.entry.key(row.reading) for row in statement.rows]
    return [
        Failing(
            part_of(statement, failure),
            f"#reading-{keys.index(failure.of[0]) + 1}",
            f"The smallest counterexample known ({failure.badly})",
            failure.shown,
            f"{failure.because} ({failure.badly}: {HOW_BADLY[failure.badly]}.)",
            failure.instead,
            failure.model,
        )
        for failure in statement.failures
    ]


def opens_with(row: ReadingRow, statement: Statement) -> bool:
    """Whether a page opens with what was found in a reading: as printed it fails, and no failure sums it up."""
    return not statement.failures and row.reading.label == PRINTED and row.verdict in FAILING


def _readings(statement: Statement) -> list[Failing]:
    """The readings with which the page of a claim opens."""
    found = []
    for number, row in enumerate(statement.rows, 1):
        if opens_with(row, statement):
            reading = row.reading
            models = [piece.model for piece in reading.showing("failure") if isinstance(piece, OfModel)]
            named = row.entry.key(reading), f"#reading-{number}", row.verdict
            found.append(Failing(*named, reading.found, "", reading.repaired, "".join(models[:1])))
    return found


def _fails(each: Failing, answers: Mapping[str, Sequence[Verdict]], shown: set[str], *, drawn: bool) -> Section:
    """A part that fails: the counterexample in words, its two worlds as a table, and with `drawn` as a picture.

    A model that several parts have in common is shown once.
    """
    blocks: list[Block] = [Callout(each.kicker, each.shown, each.why, "bad")]
    failing = answers.get(each.model, ()) if each.model not in shown else ()
    shown.add(each.model)
    sheets = ((answer, compared_sheet(answer)) for answer in failing)
    answer, sheet = next(((answer, sheet) for answer, sheet in sheets if sheet is not None), (None, None))
    if sheet is not None and answer is not None:
        blocks += [sheet, *(_pictures(answer) if drawn else [])]
    return Section((Link(each.part, each.address),), tuple(blocks))


def _pictures(answer: Verdict) -> list[Block]:
    """The drawing of the worlds that an answer is about, if they can be drawn."""
    try:
        return [Pictures((Picture(worlds_of(answer)),))]
    except UnsupportedError:
        return []
