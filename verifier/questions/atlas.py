"""All definitions of DP22 on one model, side by side: each with its verdict and smallest parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from verifier.definitions.answer import REPR, VERDICTS, Valued, columns, lines
from verifier.definitions.atlas import DIMENSIONS, atlas, dimension_named
from verifier.definitions.definition import Definition
from verifier.definitions.verdict import Verdict, row_of
from verifier.engine import Engine
from verifier.errors import LimitError, NoSuchKeyError, one_of
from verifier.model import Model, arguments, need_model
from verifier.model.arguments import takes
from verifier.numbers import DIGITS, NO_VALUE, ZERO, Delta, Enclosure, cut, plural, shorten, verdict_count
from verifier.questions.check import accepted, beyond, check


@dataclass(frozen=True)
class AtlasEntry(Valued):
    """The verdict of one definition, with DP22's key and the dimensions that it changes."""

    key: str
    dimensions: str
    verdict: Verdict
    delta: Delta | Enclosure | None = None
    """The smallest δ at the asked ε, or at ε = 0 where none was asked; None without a δ, or where it is not decided."""

    def fields(self) -> dict[str, Any]:
        """The fields of the answer, with the key and the dimensions first."""
        return {"key": self.key, "dimensions": self.dimensions, **self.verdict.fields()}


class AtlasAnswers(Valued, Mapping[str, Verdict]):
    """The verdicts of DP22's definitions on one model, by DP22's keys; `entries` also have the dimensions."""

    def __init__(self, model: Model, entries: tuple[AtlasEntry, ...]) -> None:
        """Keep the answers about a model."""
        self.model, self.entries = model, entries
        self._verdicts = {entry.key: entry.verdict for entry in entries}

    def __getitem__(self, key: str) -> Verdict:
        if key not in self._verdicts:
            wanted = one_of(self._verdicts, key)
            raise NoSuchKeyError(
                f"the key {shorten(key)} is unknown", wanted=wanted, tip="pk.atlas has every definition"
            )
        return self._verdicts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._verdicts)

    def __len__(self) -> int:
        return len(self._verdicts)

    def __contains__(self, key: object) -> bool:
        return key in self._verdicts

    def __repr__(self) -> str:
        verdicts = Counter(answer.verdict for answer in self.values())
        counted = ", ".join(verdict_count(verdicts[word], word) for word in VERDICTS if verdicts[word])
        return f'<AtlasAnswers "{cut(self.model.title, REPR)}", {plural(len(self), "definition")}: {counted}>'

    def __str__(self) -> str:
        """A table of plain text for each dimension: each decided definition with its verdict and smallest ε."""
        decided = [entry for entry in self.entries if entry.verdict.verdict != "unsupported"]
        text = [*lines(self.model.restriction.beside(self.model.title))]
        for letter, group in groupby(decided, key=lambda entry: entry.dimensions[:1]):
            rows = [[entry.key, entry.verdict.verdict, _smallest(entry.verdict)] for entry in group]
            heading = [f"{letter}: {DIMENSIONS[letter]}"] if letter else []
            text = [*text, *heading, columns(["definition", "verdict", "smallest ε"], rows)]
        unsupported = [entry.key for entry in self.entries if entry not in decided]
        number = plural(len(unsupported), "is", "are")
        reasons = lines(f"{number} unsupported, each for the reason of its verdict: {', '.join(unsupported)}")
        return "\n".join([*text, *(reasons if unsupported else [])])

    def rows(self) -> list[dict[str, Any]]:
        """The answers as rows for a table of pandas or polars."""
        return [row_of(answer) for answer in self.values()]

    def fields(self) -> tuple[AtlasEntry, ...]:
        """The answers with their keys and dimensions, as `pkdp check --atlas --json` prints them."""
        return self.entries


def entry_of(key: str, answer: Verdict, engine: Engine) -> AtlasEntry:
    """The entry of an answer, with its smallest δ; without an ε the definition is asked once more, at ε = 0."""
    definition = atlas[key]
    delta = answer.tight_delta
    if answer.epsilon is None:
        delta = answer.delta_or_none(ZERO)
        is_asked = definition.has_epsilon and definition.has_delta and definition.reads_policy
        if delta is None and is_asked and answer.verdict in {"holds", "fails"}:
            delta = engine.memo(("δ at ε = 0", key, answer.reading), lambda: _at_zero(answer, definition, engine))
    return AtlasEntry(key, atlas.dimensions(key), answer, delta)


def _at_zero(answer: Verdict, definition: Definition, engine: Engine) -> Delta | Enclosure | None:
    """The smallest δ at ε = 0; None beyond the limits."""
    try:
        return check(
            engine.model, definition, epsilon=0, reading=answer.reading, engine=engine, replay=False
        ).tight_delta
    except LimitError:
        return None


def _smallest(answer: Verdict) -> str:
    return NO_VALUE if answer.verdict == "vacuous" or answer.tight_epsilon is None else answer.numbers()[0]


@takes(dimension=arguments.text, replay=arguments.flag)
def check_all(
    model: Model,
    *,
    dimension: str = "",
    epsilon: object = None,
    delta: object = 0,
    replay: bool = True,
) -> AtlasAnswers:
    """Decide all definitions of DP22 on a model, or those that change some dimensions: letters of QNVBFRC, or a name.

    A definition without an ε or a δ is asked without it. What is missing in the model's `policy`, or exceeds the
    limits, makes an answer `unsupported`, with the reason; what the independent checker rejects, `undecided`.

    >>> from verifier.model import build
    >>> coin = build(
    ...     size=1, values=[0, 1], mechanism={"kind": "randomized-response", "keep": "1/2"}, policy={"order": 2}
    ... )
    >>> answers = check_all(coin, dimension="Q", epsilon="ln(2)")
    >>> answers["renyidp"].verdict, str(answers["renyidp"].tight_epsilon), answers["cbdp"].verdict
    ('fails', 'ln(7/3)', 'unsupported')

    Raises:
        InputError: for an unknown dimension, and for an ε or δ that cannot be read.

    """
    keys = atlas.changing(dimension_named(dimension, "dimension") if dimension.strip() else "")
    return AtlasAnswers(model, atlas_of(model, keys=keys, epsilon=epsilon, delta=delta, replay=replay))


def atlas_of(
    model: Model,
    *,
    keys: Iterable[str] = atlas,
    epsilon: object = None,
    delta: object = 0,
    engine: Engine | None = None,
    replay: bool = True,
    digits: int = DIGITS,
    tick: Callable[[int, int], object] | None = None,
) -> tuple[AtlasEntry, ...]:
    """Ask the definitions of DP22 with these keys, by default all, at one ε and δ; the entries are in their order.

    A definition without a δ is asked at δ = 0, one without an ε without it, and one that exceeds the limits is
    `unsupported`; each answer says so.

    >>> from verifier.model import build
    >>> coin = build(size=1, values=[0, 1], mechanism={"kind": "randomized-response", "keep": "1/2"})
    >>> [(entry.key, str(entry.verdict.tight_epsilon)) for entry in atlas_of(coin)][:4]
    [('dp-any', 'ln(3)'), ('adp', 'ln(3)'), ('azcodp', '1/2*ln(3)'), ('bcodp', 'None')]
    """
    need_model(model)
    engine = engine or Engine(model)
    entries: list[AtlasEntry] = []
    listed = tuple(keys)
    for key in listed:
        definition = atlas[key]
        asked = {
            "epsilon": epsilon if definition.has_epsilon else None,
            "delta": delta if definition.has_delta else 0,
        }
        try:
            answer = accepted(
                model, definition, engine=engine, replay=replay, digits=digits, share=len(listed), **asked
            )
        except LimitError as error:
            answer = beyond(model, definition, asked["epsilon"], asked["delta"], error)
        entries.append(entry_of(key, answer, engine))
        if tick:
            tick(len(entries), len(listed))
    return tuple(entries)
