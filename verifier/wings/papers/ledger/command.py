"""`pkdp claims`: the claims of the papers, their readings and verdicts; with `--bound` one about ε and δ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import groupby
from time import monotonic_ns
from typing import TYPE_CHECKING

from verifier.cli.common import Reply, rendered, wrapped
from verifier.cli.waiting import counting
from verifier.errors import InCommand, InputError
from verifier.numbers import plural, shorten
from verifier.version import CITED
from verifier.wings.papers.bounds.command import bound
from verifier.wings.papers.bounds.options import given_of
from verifier.wings.papers.ledger.brief import BELOW, RECORDED, brief
from verifier.wings.papers.ledger.build import decided
from verifier.wings.papers.ledger.entry import NOTE, VERDICTS
from verifier.wings.papers.ledger.evidence_answers import recheck
from verifier.wings.papers.ledger.options import Claims
from verifier.wings.papers.ledger.read import PAPERS, entries
from verifier.wings.papers.ledger.sections import claim_sections
from verifier.wings.papers.ledger.sheets import ledger_sheets, tally_text
from verifier.wings.papers.ledger.statement_sheets import count_text, full_sheets, meaning_lines, short_sheets
from verifier.wings.papers.ledger.statements import DECIDED, OLDER_WORDS, WORDS, statements
from verifier.wings.papers.ledger.table import STALE, ReadingRow, rows

if TYPE_CHECKING:
    from verifier.show.sections import Section
    from verifier.show.sheet import Sheet


ORDERS = (
    'pkdp claims DMKB20: what holds instead. pkdp claims DMKB20 "Theorem 5": one statement, its counterexample. '
    "pkdp claims --all: every reading of every claim."
)
"""The commands that are named below the table of all statements."""
ORDERS_OF_A_PAPER = (
    'pkdp claims {paper} --verdict fails: these alone. pkdp claims {paper} "{claim}": its counterexample. '
    "pkdp claims {paper} --all: every reading of every claim."
)
"""The commands that are named below the table of one paper."""


def ledger(typed: Claims) -> Reply:
    """The claims that were asked for: statements, readings, or with `--bound` one about ε and δ."""
    paper = typed.paper
    if typed.of_bound:
        others = {
            "--paper": paper,
            "--verdict": typed.verdict,
            "--all": typed.every,
            "--replay": typed.replay,
            "--again": typed.again,
        }
        if also := next((option for option, value in others.items() if value), None):
            raise InputError(
                f"{also} and --bound are given together", where=InCommand("pkdp claims"), wanted="one of the two"
            )
        beside = bound(typed.names or [], given_of(typed))
        return _as_latex(beside) if typed.latex else beside
    if given := given_of(typed):
        raise InputError(
            f"--{next(iter(given))} is given without --bound", where=InCommand("pkdp claims"), wanted="both"
        )
    if typed.replay and typed.again:
        raise InputError(
            "--replay and --again are given together", where=InCommand("pkdp claims"), wanted="one of the two"
        )
    paper, claims = _paper_and_claims(typed.names or [], paper)
    of_readings = typed.every or typed.replay or typed.again or typed.as_json
    reply = None if of_readings else _statements(paper, claims, typed.verdict)
    if reply is None:
        short = bool(claims) and not of_readings and typed.verdict is None
        reply = _readings(paper, claims, typed.verdict, replay=typed.replay, again=typed.again, short=short)
    return _as_latex(reply) if typed.latex else reply


def _as_latex(reply: Reply) -> Reply:
    """The reply with LaTeX in place of a terminal's tables."""
    return replace(reply, instead={"table": lambda: [rendered(reply.sheets(), "latex")]})


def _paper_and_claims(names: list[str], paper: str | None) -> tuple[str | None, list[str]]:
    """The paper, named by the option or among the arguments, and the claims."""
    spelled = {key.lower(): key for key in PAPERS}
    papers = [spelled[name.lower()] for name in names if name.lower() in spelled]
    if paper is not None:
        if paper.lower() not in spelled:
            raise InputError(
                f"the paper {shorten(paper)} is unknown", where="--paper", wanted=f"one of {', '.join(PAPERS)}"
            )
        papers.append(spelled[paper.lower()])
    if len(set(papers)) > 1:
        raise InputError(
            f"{', '.join(papers)} are several papers",
            where=InCommand("pkdp claims"),
            wanted="one paper, or none for all",
        )
    return (papers[0] if papers else None), [name for name in names if name.lower() not in spelled]


def _statements(paper: str | None, claims: list[str], verdict: str | None) -> Reply | None:
    """Return the numbered statements; None where a claim, or the verdict, is about the readings instead."""
    verdict = OLDER_WORDS.get(verdict or "", verdict)
    asked_for = statements(paper, claims)
    known = all(any(statement.entry.is_named([claim]) for statement in asked_for) for claim in claims)
    if verdict not in {None, *DECIDED} or not known:
        return None
    listed = [statement for statement in asked_for if verdict in {None, statement.verdict}]
    status = int(any(statement.verdict == STALE for statement in listed))

    def shown() -> Iterator[Sheet | Section | str]:
        if claims:
            yield "\n\n".join(_lines(brief(statement.rows, statement)) for statement in listed)
            return
        yield from short_sheets(listed, instead=paper is not None)
        orders = ORDERS
        if paper is not None and listed:
            claim = next((each for each in listed if each.failures), listed[0]).entry.claim
            orders = ORDERS_OF_A_PAPER.format(paper=paper, claim=claim)
            orders = orders if verdict is None else orders.partition(": these alone. ")[2]
        counted = f"{count_text(listed)}; {RECORDED}" if paper is None else f"({RECORDED})"
        if verdict is not None:
            counted = f"Of {count_text(asked_for)}. {counted}"
        yield from (*meaning_lines(listed), counted, orders)

    return Reply(list, lambda: full_sheets(listed), status, {"table": shown})


def _lines(paragraphs: Sequence[str]) -> str:
    """The paragraphs of a claim, broken between words to the width of the terminal."""
    return "\n".join(wrapped(paragraph, below=BELOW) for paragraph in paragraphs)


def _readings(
    paper: str | None, claims: list[str], verdict: str | None, *, replay: bool, again: bool, short: bool
) -> Reply:
    """Return the readings of the claims, decided or re-checked again where that is asked; or each claim in `short`."""
    if verdict not in {None, STALE, NOTE, *VERDICTS}:
        wanted = f"one of {', '.join(VERDICTS)}; of statements: {', '.join(WORDS)}"
        raise InputError(f"the verdict {verdict} is unknown", where="--verdict", wanted=wanted)
    _refuse_unknown(paper, claims)
    listed_rows = rows(paper, claims, verdict)
    times = _times(listed_rows, again=again) if replay or again else None
    spent: list[int | None] = [None] * len(listed_rows) if times is None else [*times]
    time_texts = None if times is None else {number: f"{ms:,} ms" for number, ms in enumerate(times)}

    def shown() -> Iterator[Sheet | Section | str]:
        note = RECORDED if times is None else f"{sum(times):,} ms to {'decide' if again else 're-check'}"
        if replay:
            confirmed = {line for row in listed_rows for line in row.answers}
            note = f"the independent checker confirms {plural(len(confirmed), 'answer')}; {note}"
        if claims:
            numbered = {statement.key: statement for statement in statements(paper, claims)}
            if short:
                by_entry = (list(same) for _, same in groupby(listed_rows, lambda row: row.entry))
                yield "\n\n".join(_lines(brief(same, numbered.get(same[0].entry.anchor))) for same in by_entry)
                return
            yield from claim_sections(listed_rows, {} if verdict else numbered)
            yield from (f"To cite {s.entry.claim}: {CITED}, proofs/statements.md#{key}." for key, s in numbered.items())
            yield f"({note})"
            return
        yield from ledger_sheets(listed_rows, time_texts, narrow=True)
        yield f"{tally_text(listed_rows)}; {note}"

    return Reply(
        lambda: [{**row.to_json(), "milliseconds": ms} for row, ms in zip(listed_rows, spent, strict=True)],
        lambda: ledger_sheets(listed_rows, time_texts),
        int(any(not row.fresh for row in listed_rows)),
        {"table": shown},
    )


def _refuse_unknown(paper: str | None, claims: list[str]) -> None:
    """Refuse a claim that the ledger does not have, with the nearest names that it has.

    Raises:
        InputError: for the first claim that is none.

    """
    if not claims:
        return
    every = entries(paper)
    known = {name.lower(): entry.claim for entry in every for name in (entry.slug, entry.claim)}
    unknown = next((claim for claim in claims if claim.lower() not in known), None)
    if unknown is None:
        return
    unquoted = known.get(" ".join(claims).lower())
    elsewhere = [f'pkdp claims {entry.paper} "{entry.claim}"' for entry in entries() if entry.is_named([unknown])]
    near = [known[name] for name in get_close_matches(unknown.lower(), known)]
    tips = [*elsewhere, *(f'"{claim}"' for claim in dict.fromkeys(near))]
    tip = f"did you mean {' or '.join(tips[:3])}?" if tips else "pkdp claims --all lists the claims"
    raise InputError(
        f"{unknown} is unknown",
        where=InCommand("pkdp claims" if paper is None else f"pkdp claims {paper}"),
        wanted="the name of a paper (DMKB20), of a claim in full (Theorem 5), or of a claim's file",
        tip=f'write quotes around the claim: "{unquoted}"' if unquoted else tip,
    )


def _times(checked_rows: tuple[ReadingRow, ...], *, again: bool) -> list[int]:
    """The milliseconds of the re-check of each row; a row that does not pass stops the command."""
    times = []
    with counting("readings", len(checked_rows)) as tick:
        for number, row in enumerate(checked_rows):
            started = monotonic_ns()
            if again:
                decided(row.entry, row.reading)
            else:
                recheck(row)
            times.append((monotonic_ns() - started) // 10**6)
            tick(number + 1, len(checked_rows))
    return times
