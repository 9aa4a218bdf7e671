"""A claim in at most twenty-five lines: its verdict, the counterexample or the reason, what holds instead, and where.

Each line is a label and sentences. What does not fit is cut after a sentence, an item or a phrase, and marked with `…`.
`pkdp claims … --all` prints it all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from verifier.model.bundled import short_name
from verifier.numbers import plural
from verifier.show.pages import PlainRenderer
from verifier.show.sections import plain_text
from verifier.wings.papers.ledger.criterion import AS_RESTORED, CLAIM_WORDS, FAILS, HOLDS
from verifier.wings.papers.ledger.entry import FAILING, NOTE, PRINTED, OfModel
from verifier.wings.papers.ledger.sections import claim_badge, reading_badge
from verifier.wings.papers.ledger.statement_sheets import part_of
from verifier.wings.papers.ledger.statements import WORDS, Statement
from verifier.wings.papers.ledger.table import STALE, ReadingRow, word_of

WIDTH, MOST_LINES = 80, 25
BELOW = "  "
"""What stands before the lines of a paragraph after its first."""
CUT = " …"
MARKS = {".": "sentence", ";": "item", ":": "item", ",": "item"}
"""What stands after a sentence, or an item of one, in front of a space."""
PHRASES = re.compile("(and|as|at|because|but|by|for|from|given|if|in|of|on|or|since|so|than|that|to|which|with|where)")
"""The words that begin a phrase: a sentence may be cut before one, unless another one stands there."""
LETTERS = {
    r"\bn\b": "n is the number of records",
    r"\bD\(": "D(i) is the value of record i, counted from 0",
    r"\bp_[ij]\b": "p_i is the probability that record i is 1",
    r"\bM_T\b": "M_T publishes a count if it is above T",
    r"\|B\|": "|B| is the number of records that the attacker knows",
    r"(?<!\|)\bB\b|B̂|B₁": "B is what the attacker knows, and B̂ a value of it",
    r"Θ": "Θ is the set of the distributions that the data may have",
    r"\bC\(": "C(n, k) is a binomial coefficient",
}
"""What the letters of the papers mean that are in no statement's own notation, by how each is found in a text."""
BOUND = r"with n trials|over n\b|\bf\([^()]*\)"
"""Words in which n is no number of records, but bound."""
RECORDED = "recorded, with unchanged evidence; not re-checked here: pkdp claims --replay"
REST = "Evidence, and how to cite it", "Full text, evidence, and how to cite it"
"""What `--all` has more: of a claim that is told in full, and of one that is cut."""
AS_PRINTED = {AS_RESTORED: "; as printed it fails"}
"""What the first line of a claim adds to its verdict."""


@dataclass(frozen=True)
class Told:
    """A paragraph of a claim: its label, and sentences that may be cut; `rank` is higher where they go first."""

    label: str
    text: str
    rank: int = 0

    @property
    def whole(self) -> str:
        """The label and the sentences, without marks of code; the label alone where none is left."""
        return plain_text(f"{self.label}{CUT}" if self.text == CUT else f"{self.label}: {self.text}")

    @property
    def lines(self) -> list[str]:
        """Its lines at the width `WIDTH`."""
        return wrap(self.whole, WIDTH, subsequent_indent=BELOW)

    @property
    def shorter(self) -> Told:
        """The same with a line less at least: cut after a sentence, an item or a phrase, and never within a formula.

        A sentence goes before an item, and both before a phrase, where more than half is left of what else would be.
        """
        last = {"sentence": 0, "item": 0, "phrase": 0}
        for end, kind in _ends(self.text.removesuffix(CUT)):
            if len(self._until(end).lines) >= len(self.lines):
                break
            last[kind] = end
        most = max(last.values())
        return self._until(next(end for end in last.values() if 2 * end > most or not most))

    def _until(self, end: int) -> Told:
        return replace(self, text=self.text[:end].rstrip(" ,;:") + CUT)


def _ends(text: str) -> Iterator[tuple[int, str]]:
    """The places where a sentence, an item or a phrase ends, with their kinds; none is within brackets or a formula."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth > 0:
            continue
        if sign in MARKS and text[place + 1 : place + 2] == " ":
            yield place + 1, MARKS[sign]
        elif sign == " ":
            before, after = text[:place].rpartition(" ")[2], text[place + 1 :].partition(" ")[0]
            if PHRASES.fullmatch(after) and not PHRASES.fullmatch(before):
                yield place, "phrase"


def brief(rows: Sequence[ReadingRow], statement: Statement | None) -> list[str]:
    """The paragraphs of a claim with these readings, at most `MOST_LINES` lines at the width `WIDTH`.

    Of a numbered `statement` that fails they are its failures; of any other claim its readings, those that fail first.
    """
    entry, word = rows[0].entry, word_of(rows)
    failing = statement is not None and statement.failures
    named = f'{entry.paper} "{entry.claim}"'
    head = [
        PlainRenderer().text(
            (f"{entry.paper}, {entry.claim} ({entry.place}): ", claim_badge(word), AS_PRINTED.get(word, ""))
        )
    ]
    meant = "" if word in {HOLDS, FAILS, *AS_PRINTED} else {**CLAIM_WORDS, **WORDS}[word]
    told = [Told("The claim, in our words", entry.statement)]
    told += [Told(word[:1].upper() + word[1:], f"{meant}.", rank=1)] if meant else []
    told += _failures(statement) if statement is not None and failing else _readings(rows)
    notation = list(_notation(told, statement))
    checks = _checks(rows, statement)
    for rest in REST:
        foot = [
            *([f"Check it: {checks[0]}"] if checks else []),
            f"{rest}: pkdp claims {named} --all",
            *([] if word == STALE else [f"({RECORDED})"]),
        ]
        room = MOST_LINES - sum(len(wrap(line, WIDTH, subsequent_indent=BELOW)) for line in (*head, *foot)) - 2
        kept = fitted(told, room - sum(len(each.lines) for each in notation))
        if kept == told:
            break
    return [*head, "", *(each.whole for each in (*notation, *kept)), "", *foot]


def fitted(told: Sequence[Told], room: int) -> list[Told]:
    """The paragraphs in at most `room` lines: the longest of the highest rank is cut first; then the last ones go."""
    listed = list(told)
    while sum(len(each.lines) for each in listed) > room:
        longer = [place for place, each in enumerate(listed) if len(each.lines) > 1 and each.text != CUT]
        if not longer:
            return [*listed[: room - 1], Told("Left out here", plural(len(listed) - room + 1, "paragraph"))]
        place = max(longer, key=lambda place: (listed[place].rank, len(listed[place].lines)))
        listed[place] = listed[place].shorter
    return listed


def _failures(statement: Statement) -> Iterator[Told]:
    """Why the first part fails, its counterexample, and what holds instead; the other parts in a sentence each."""
    first, *others = statement.failures
    part = f"{part_of(statement, first)}, " if others else ""
    yield Told(f"What fails ({part}{first.badly})", first.because, rank=1)
    yield Told("Smallest counterexample known", first.shown)
    yield Told("What holds instead", first.instead)
    if first.restored:
        yield Told("Why this was meant", first.restored, rank=2)
    for other in others:
        yield Told(f"Another part fails ({part_of(statement, other)}, {other.badly})", other.because, rank=2)


def _notation(told: Sequence[Told], statement: Statement | None) -> Iterator[Told]:
    """The letters of these paragraphs: first the common ones, then those that the statement explains itself."""
    own = dict.fromkeys(failure.symbols for failure in statement.failures if failure.symbols) if statement else ()
    texts = re.sub(BOUND, "", " ".join(each.text for each in told))
    common = [words for letter, words in LETTERS.items() if re.search(letter, texts)]
    if common or own:
        yield Told("Notation", " ".join([*(f"{'; '.join(common)}." for _ in common[:1]), *own]))


def _readings(rows: Sequence[ReadingRow]) -> Iterator[Told]:
    """Each reading with its verdict and the reason: as printed before the others, and of these what fails first."""
    for row in sorted(rows, key=lambda row: (row.reading.label != PRINTED, row.verdict not in FAILING)):
        reading = row.reading
        badge = NOTE if row.verdict == NOTE else PlainRenderer().text((reading_badge(row.verdict),))
        rank = int(reading.label != PRINTED)
        yield Told(f"{badge}, {row.entry.key(reading)}", reading.found, rank)
        if reading.repaired:
            yield Told("What holds instead", reading.repaired, rank)


def _checks(rows: Sequence[ReadingRow], statement: Statement | None) -> list[str]:
    """The commands that decide the counterexamples again; without one, the models of the readings as printed."""
    failures = statement.failures if statement is not None else ()
    models = [failure.model for failure in failures if failure.model]
    pieces = [piece for row in rows for piece in row.reading.evidence if isinstance(piece, OfModel)]
    shown = sorted(pieces, key=lambda piece: piece.shows != "failure")
    return [f"pkdp check {short_name(model)} --expect" for model in (*models, *(piece.model for piece in shown))]
