"""What the ledger says of the models that a report shows; refused where a model's answers are not what it says.

The verdicts and the words are those of `proofs/`, in one place; here they are found for a page, and what each of its
models is said to answer is asked again of the model as it was computed for this report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from verifier.engine import Engine
from verifier.errors import PkdpError
from verifier.model import Model
from verifier.model.library import models_folder
from verifier.questions.expect import outcome
from verifier.show.sheet import Sheet
from verifier.wings.papers.ledger.entry import VERDICTS, OfModel
from verifier.wings.papers.ledger.table import STALE, Row, rows, tally
from verifier.wings.report.claims import TOO_LARGE, chosen

CLASSES = {"proved": "holds", "checked": "holds", "refuted": "fails", "misprint": "fails"}
MARKS = {"proved": "✓", "checked": "✓", "refuted": "✗", "misprint": "✗"}
WORST = ("refuted", "misprint", "undecided", "not decidable here", "checked", "proved")
ROLES = {
    "claim": "shows the claim",
    "failure": "shows that it fails",
    "repair": "shows the repaired statement",
    "tight": "attains the constant",
}


class DisagreementError(PkdpError):
    """A statement of the report is not what was computed, so the report is not written (exit status 3)."""

    exit_status = 3


@dataclass(frozen=True)
class Badge:
    """What a heading says about the statement that its model is about."""

    mark: str
    text: str
    kind: str


@dataclass(frozen=True)
class Shown:
    """One row of the ledger, the pages of its models, and the role of each."""

    row: Row
    roles: tuple[tuple[str, str], ...]

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages that it names, each once."""
        return tuple(dict.fromkeys(name for name, _ in self.roles))

    @property
    def place(self) -> str:
        """The claim, with the part that is meant."""
        entry, reading = self.row.entry, self.row.reading
        return ", ".join(one for one in (entry.claim, reading.part) if one)

    @property
    def reading(self) -> str:
        """The name of the reading."""
        return self.row.reading.reading

    @property
    def page(self) -> str:
        """The claim's own page, below `claims/`."""
        return f"{self.row.entry.paper}/{self.row.entry.slug}.html#reading-{self._number}"

    @property
    def _number(self) -> int:
        return self.row.entry.readings.index(self.row.reading) + 1

    def role(self, name: str) -> str:
        """What a model is to it: the strongest of its roles."""
        mine = [role for page, role in self.roles if page == name]
        return next((role for role in ("failure", "claim", "repair", "tight") if role in mine), "")


def confirm(found: Sequence[Row], models: Mapping[str, tuple[str, Model, Engine]]) -> list[Shown]:
    """The rows all of whose models are here; each answer that they are said to give is asked again.

    `models` has for each model of `models/` (`DMKB20/example-4-repaired`) its page, itself and its engine.

    Raises:
        DisagreementError: where a model answers something else, or where the words changed since they were decided.

    """
    confirmed = []
    for row in found:
        pieces = [one for one in row.reading.evidence if isinstance(one, OfModel)]
        listed = [one for one in pieces if one.model.partition("/")[2] not in TOO_LARGE]
        if not listed or any(one.model not in models for one in listed):
            continue
        if not row.fresh:
            raise DisagreementError(
                f'"{row.entry.claim}", {row.entry.key(row.reading)}: its words or its evidence changed',
                where=row.entry.file,
                wanted="a statement that is bound to its evidence",
                tip="python -m verifier.wings.papers.ledger.build decides it again",
            )
        for one in listed:
            _, model, engine = models[one.model]
            for promised in one.asks:
                answer = outcome(model, promised, engine)
                if not answer.agrees:
                    raise DisagreementError(
                        f'the ledger says that "{row.entry.claim}" is {row.verdict}, since {one.model} answers '
                        f"otherwise than it does: {answer}",
                        where=row.entry.file,
                        wanted="a statement that agrees with its evidence",
                    )
        confirmed.append(Shown(row, tuple((models[one.model][0], one.shows) for one in listed)))
    return confirmed


def known_models() -> dict[str, str]:
    """The sha256 of every model file that comes with the package, with its name in the ledger."""
    root = models_folder()
    return {
        sha256(path.read_bytes()).hexdigest(): path.relative_to(root).with_suffix("").as_posix()
        for path in sorted(root.rglob("*.toml"))
    }


def every_row() -> tuple[Row, ...]:
    """The chosen rows first, then all others of the ledger."""
    first = chosen()
    return (*first, *(row for row in rows() if row not in first))


def badge(claims: Sequence[Shown], name: str) -> Badge | None:
    """The worst verdict on what a model is said to show as printed; else that it shows a repaired statement.

    Where the readings that are shown first speak of it, these alone count.
    """
    mine = [one for one in claims if name in one.pages]
    mine = [one for one in mine if one.row in chosen()] or mine
    verdicts = {one.row.verdict for one in mine if one.role(name) in {"claim", "failure"}}
    for verdict in WORST:
        if verdict in verdicts:
            return Badge(MARKS.get(verdict, "?"), f"as printed: {verdict}", CLASSES.get(verdict, "open"))
    return Badge("✓", "repaired statement: holds", "holds") if mine else None


def about(claims: Sequence[Shown], name: str) -> list[tuple[Shown, str]]:
    """The claims that a model is evidence of, each with what it shows."""
    return [(one, ROLES[one.role(name)]) for one in claims if name in one.pages]


def findings_sheet(claims: Sequence[Shown], base: str = "") -> Sheet:
    """The findings as a Markdown table; `base` is the page that has the sections."""
    body = tuple(
        (
            f"{one.place} ({one.reading})" if one.reading != "as printed" else one.place,
            one.row.entry.statement,
            f"{MARKS.get(one.row.verdict, '?')} **{one.row.verdict}**",
            one.row.reading.found + (f" **Repaired:** {one.row.reading.repaired}" if one.row.reading.repaired else ""),
            ", ".join(f"[{name}]({base}#{name})" for name in one.pages) or "–",
        )
        for one in claims
    )
    return Sheet("", ("place in DMKB20", "claim, in our words", "as printed", "what was found", "models"), body)


def count(claims: Sequence[Shown]) -> str:
    """How many readings have each verdict, as a sentence."""
    counts = tally([one.row for one in claims])
    listed = [f"{counts[verdict]} {verdict}" for verdict in (*VERDICTS, STALE) if counts.get(verdict)]
    return f"Of {len(claims)} readings, {', '.join(listed)}."
