"""The readings of the ledger that rest on the models of a report, and the check that these answer as it says.

The verdicts and the words are those of `proofs/`. Each answer that the ledger says a model gives is asked again of the
model as it was computed for this report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verifier.engine import Engine
from verifier.errors import PkdpError
from verifier.model import Model
from verifier.numbers import plural
from verifier.questions.expect import outcome
from verifier.show.sections import Badge
from verifier.wings.papers.ledger.entry import FAILING, NOTE, PRINTED, VERDICTS, Evidence, OfModel
from verifier.wings.papers.ledger.sections import claim_path, reading_badge
from verifier.wings.papers.ledger.table import STALE, ReadingRow, rows, tally
from verifier.wings.report.claims import TOO_LARGE, chosen

WORST = (*FAILING, "undecided", "not decidable here", "checked", "proved", NOTE)
ROLES = {
    "failure": "this model is a counterexample",
    "claim": "this model shows the claim",
    "repair": "as printed it fails; this model shows what holds instead",
    "tight": "this model attains the constant",
}
"""What a model is to a claim, in words, by the purpose of the evidence; the strongest first."""


class DisagreementError(PkdpError):
    """A statement of the report is not what was computed, so the report is not written (exit status 3)."""

    exit_status = 3


@dataclass(frozen=True)
class Role:
    """The role of a model for a reading: the name of its page, its name in the ledger, and a key of `ROLES`."""

    page: str
    model: str
    shows: str


@dataclass(frozen=True)
class ConfirmedReading:
    """A reading of the ledger whose models answer as it says, with the roles of these models."""

    row: ReadingRow
    roles: tuple[Role, ...]

    @property
    def pages(self) -> tuple[str, ...]:
        """The names of the pages of its models, each once."""
        return tuple(dict.fromkeys(role.page for role in self.roles))

    @property
    def name(self) -> str:
        """The claim, with the part that is meant and, where it is not read as printed, the name of the reading."""
        return self.row.claim if self.as_printed else f"{self.row.claim} ({self.row.reading.reading})"

    @property
    def as_printed(self) -> bool:
        """Whether the reading takes the claim as it is printed."""
        return self.row.reading.label == PRINTED

    @property
    def address(self) -> str:
        """The address of the reading on its claim's page, below the report's folder."""
        number = self.row.entry.readings.index(self.row.reading) + 1
        return f"{claim_path(self.row.entry)}#reading-{number}"

    @property
    def tone(self) -> str:
        """The tone of the verdict: `holds`, `fails` or `open`."""
        return reading_badge(self.row.verdict).tone

    @property
    def badge(self) -> Badge:
        """The badge of the verdict: `holds` or `fails`, for a reading as printed with these words; else the verdict."""
        words = {"holds": "holds", "fails": "fails"}.get(self.tone, self.row.verdict)
        return Badge(f"{words} {PRINTED}" if self.as_printed and self.tone != "open" else words, self.tone)

    def role(self, name: str) -> str:
        """The strongest role of the model of a page, a key of `ROLES`; empty where it has none."""
        roles = {role.shows for role in self.roles if role.page == name}
        return next((shows for shows in ROLES if shows in roles), "")

    def badge_of(self, name: str) -> Badge:
        """The badge of the model of a page: `repaired` where it shows the repair, else the badge of the verdict."""
        return Badge("repaired", "holds") if self.role(name) == "repair" else self.badge

    def answers_of(self, name: str) -> tuple[str, ...]:
        """The answers, in words, of the model of a page when the reading was decided, each once."""
        models = {role.model for role in self.roles if role.page == name}
        texts = (
            in_words(answer)
            for piece in self.row.reading.evidence
            if isinstance(piece, OfModel) and piece.model in models
            for answer in answers_in(self.row, piece)
        )
        return tuple(dict.fromkeys(texts))


def answers_in(row: ReadingRow, evidence: Evidence) -> tuple[str, ...]:
    """The lines that a piece of evidence gave when its reading was decided; empty where it never was."""
    number = row.reading.evidence.index(evidence)
    return row.bound.said[number] if row.bound and number < len(row.bound.said) else ()


def in_words(answer: str) -> str:
    """An answer of the evidence in words, in place of the keys of the model file.

    >>> in_words("np: verdict fails, tight_epsilon inf"), in_words("acceptable: acceptable true")
    ('np: fails, no finite ε is enough', 'acceptable: yes')
    """
    for key, words in _WORDS:
        answer = answer.replace(key, words)
    return answer


_WORDS = (
    ("acceptable true", "yes"),
    ("acceptable false", "no"),
    ("verdict ", ""),
    ("tight_epsilon inf", "no finite ε is enough"),
    ("epsilon=inf", "epsilon=∞"),
    ("tight_epsilon ", "smallest ε "),
    ("tight_delta ", "smallest δ "),
    (" epsilon=", " at ε = "),
    (" delta=", ", δ = "),
)


def confirm(
    candidates: Sequence[ReadingRow], models: Mapping[str, tuple[str, Model, Engine]]
) -> list[ConfirmedReading]:
    """The readings that rest on models, all of which the report shows; each answer is asked again and compared.

    `models` has for each model by its name in the ledger (`DMKB20/example-4-repaired`) the name of its page, the model
    and its engine. Models that are `TOO_LARGE` are passed over.

    Raises:
        DisagreementError: where a model answers something else, or the words or evidence changed since it was decided.

    """
    confirmed = []
    for row in candidates:
        pieces = [piece for piece in row.reading.evidence if isinstance(piece, OfModel)]
        listed = [piece for piece in pieces if piece.model.partition("/")[2] not in TOO_LARGE]
        if not listed or any(piece.model not in models for piece in listed):
            continue
        if not row.fresh:
            raise DisagreementError(
                f'"{row.entry.claim}", {row.entry.key(row.reading)}: its words or its evidence changed',
                where=row.entry.file,
                wanted="a statement that is bound to its evidence",
                tip="python -m verifier.wings.papers.ledger.build decides it again",
            )
        for piece in listed:
            _, model, engine = models[piece.model]
            for promised in piece.asks:
                answer = outcome(model, promised, engine)
                if not answer.agrees:
                    raise DisagreementError(
                        f'the ledger says that "{row.entry.claim}" is {row.verdict}, since {piece.model} answers '
                        f"otherwise than it does: {answer}",
                        where=row.entry.file,
                        wanted="a statement that agrees with its evidence",
                    )
        roles = tuple(Role(models[piece.model][0], piece.model, piece.shows) for piece in listed)
        confirmed.append(ConfirmedReading(row, roles))
    return confirmed


def every_row() -> tuple[ReadingRow, ...]:
    """All rows of the ledger, the chosen ones first."""
    first = chosen()
    return (*first, *(row for row in rows() if row not in first))


def leading(readings: Sequence[ConfirmedReading], name: str) -> list[ConfirmedReading]:
    """The readings that the page `name` of a model names first, among those that the model is evidence of.

    They are the chosen ones; where there is none, it is the one with the worst verdict.
    """
    readings_of_page = [reading for reading in readings if name in reading.pages]
    first = [reading for reading in readings_of_page if reading.row in chosen()]
    return first or sorted(readings_of_page, key=lambda reading: WORST.index(reading.row.verdict))[:1]


def count(claims: Sequence[ConfirmedReading]) -> str:
    """The number of readings with each verdict, as a sentence."""
    counts = tally([reading.row for reading in claims])
    listed = [f"{counts[verdict]} {verdict}" for verdict in (*VERDICTS, STALE) if counts.get(verdict)]
    return f"Of {plural(len(claims), 'reading')}, {', '.join(listed)}."
