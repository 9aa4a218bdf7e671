"""All ordered pairs of definitions: implied by proof, separated by the smallest model, or open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from verifier.definitions import find
from verifier.definitions.registry import notions
from verifier.errors import InputError
from verifier.machine.files import write_whole
from verifier.model import Model
from verifier.numbers import plural, shorten
from verifier.show.sheet import Sheet
from verifier.wings.implications.table import Relations, relations
from verifier.wings.search.api import search
from verifier.wings.search.scope import Scope

LADDER = (
    Scope(1, 2, 2, 1),
    Scope(1, 3, 2, 1, weights=2),
    Scope(2, 2, 2, 1, first_only=True),
    Scope(2, 2, 2, 2, first_only=True),
    Scope(1, 3, 2, 2, weights=3, mechanism_weights=1),
    Scope(2, 3, 2, 1, weights=2, first_only=True),
    Scope(2, 2, 3, 1, weights=3, first_only=True),
)
"""The scopes that are looked through, one after the other, until a model is found."""
PURE, APPROXIMATE = "ε alone", "(ε, δ)"
QUESTIONS = {
    PURE: "does ε of the first imply some finite ε of the second, at δ = 0?",
    APPROXIMATE: "does (ε, δ) of the first imply (ε, δ) of the second?",
}
SeparatingFile: TypeAlias = tuple[str, Scope, tuple[int, int, int]]
"""A model file, the scope in which it was found, and its size: records, values and possible worlds."""


@dataclass(frozen=True)
class DefinitionPair:
    """The relation of an ordered pair of definitions at one level, with its evidence.

    `status` is `implied` (by `arrows`), `separated` (by the model file `text`, found in `scope`, or by the file at
    `path`, which may not be the smallest), or `open` (none of the `looked` models in so many `scopes` separates the
    pair).
    """

    source: str
    target: str
    level: str
    status: str
    arrows: tuple[str, ...] = ()
    text: str | None = None
    path: str = ""
    scope: Scope | None = None
    size: tuple[int, int, int] = (0, 0, 0)
    """Records, values and possible worlds of the model."""
    looked: int = 0
    scopes: int = 0

    @property
    def evidence(self) -> str:
        """The evidence in a few words."""
        if self.status == "implied":
            return "; ".join(self.arrows)
        if self.status == "open":
            return f"no model among {self.looked:,} in {plural(self.scopes, 'scope')}"
        records, values, worlds = self.size
        model = f"models/{self.path}" if self.path else f"smallest in its scope ({self.scope})"
        return f"{plural(records, 'record')}, {plural(values, 'value')}, {plural(worlds, 'world')}: {model}"


def separate(
    definitions: Sequence[str] = (),
    tick: Callable[[int, int], object] | None = None,
    ladder: Sequence[Scope] = LADDER,
) -> tuple[DefinitionPair, ...]:
    """The relation of each ordered pair of definitions, at both levels; by default of those of `pkdp relations`.

    np stands for apkdp too, since they are one notion. Each model is checked as by `search`. `tick(done, total)` is
    called after each pair.

    >>> pairs = separate(["np", "ppkdp"], ladder=LADDER[:4])
    >>> [(pair.source, pair.level, pair.status) for pair in pairs]
    [('np', 'ε alone', 'implied'), ('ppkdp', 'ε alone', 'implied'), ('np', '(ε, δ)', 'implied'), ('ppkdp', '(ε, δ)', \
'separated')]

    Raises:
        InputError: for a definition that is not compared.

    """
    known = relations()
    names = [definition.key for definition in notions(map(find, known.definitions))]
    wrong = next((name for name in definitions if name not in names), None)
    if wrong is not None:
        raise InputError(f"{shorten(wrong)} is not compared", where="--separate", wanted=f"some of {', '.join(names)}")
    if len(set(definitions)) == 1:
        raise InputError(
            f"{definitions[0]} alone makes no pair",
            where="--separate",
            wanted="two definitions or more, or none for all of them",
            tip=f"name another one, such as {'np' if definitions[0] == 'cdp' else 'cdp'}",
        )
    chosen = list(definitions) or names
    total = len(QUESTIONS) * len(chosen) * (len(chosen) - 1)
    pairs = []
    for pair in _pairs(known, chosen, tuple(ladder)):
        pairs.append(pair)
        if tick:
            tick(len(pairs), total)
    return tuple(pairs)


def slow(names: Iterable[str]) -> bool:
    """Whether a question with two variables would take minutes, since one of the definitions has its own decider.

    The model that was found for ε alone is shown instead: with δ = 0 it separates (ε, δ) too.
    """
    return any(not find(name).compares_named_laws for name in names)


def _pairs(known: Relations, names: list[str], ladder: tuple[Scope, ...]) -> Iterator[DefinitionPair]:
    alone: dict[tuple[str, str], tuple[SeparatingFile | None, int]] = {}
    for level, table in ((PURE, known.pure), (APPROXIMATE, known.approximate)):
        for source in names:
            for target in (name for name in names if name != source):
                cell, pair = table[source, target], partial(DefinitionPair, source, target, level)
                if cell.arrows:
                    yield pair("implied", tuple(arrow.text for arrow in cell.arrows))
                    continue
                if level == APPROXIMATE and slow({source, target}):
                    separating, count = alone.get((source, target), (None, 0))
                else:
                    separating, count = _first(source, target, level, ladder)
                    alone.setdefault((source, target), (separating, count))
                if separating is None and cell.fact is not None:
                    yield pair("separated", path=cell.fact.path, size=_size(cell.fact.model), looked=count)
                elif separating is None:
                    yield pair("open", looked=count, scopes=len(ladder))
                else:
                    text, scope, size = separating
                    yield pair("separated", text=text, scope=scope, size=size, looked=count)


def _first(source: str, target: str, level: str, ladder: tuple[Scope, ...]) -> tuple[SeparatingFile | None, int]:
    """The smallest model of the first scope that has one, and how many models were looked at."""
    count = 0
    for scope in ladder:
        if level == PURE:
            result = search(satisfies=f"{source}(0)", violates=target, scope=scope)
        else:
            result = search(claim=f"{source}(e, d) => {target}(e, d)", scope=scope)
        count += result.hit.checked
        model = result.model
        if model is not None and result.text is not None:
            return (result.text, scope, _size(model)), count
    return None, count


def _size(model: Model) -> tuple[int, int, int]:
    """The numbers of records, values and possible worlds of a model."""
    return model.size, len(model.values), sum(theta.count() for theta in model.thetas)


MODELS = (
    "`pkdp relations --separate --output FOLDER` writes each model that separates; `pkdp check` says why a definition "
    "fails on it."
)
"""The note below a table with separations."""


def separation_sheets(pairs: Sequence[DefinitionPair]) -> list[Sheet]:
    """A table for each level, with a row for each ordered pair."""
    sheets = []
    for level, question in QUESTIONS.items():
        of_level = [pair for pair in pairs if pair.level == level]
        models = (MODELS,) if any(pair.text is not None for pair in of_level) else ()
        tally = ", ".join(
            f"{sum(1 for pair in of_level if pair.status == status)} {status}"
            for status in ("implied", "separated", "open")
        )
        rows = tuple((pair.source, pair.target, pair.status, pair.evidence) for pair in of_level)
        title = f"{question[:1].upper()}{question[1:]}"
        sheets.append(
            Sheet(
                title,
                ("first", "second", "answer", "evidence"),
                rows,
                notes=(tally, *models),
                keys=(("question", level),),
            )
        )
    return sheets


def separations_json(pairs: Sequence[DefinitionPair]) -> list[dict[str, Any]]:
    """The list of `relations --separate --json`: an object for each ordered pair and level, with its model file."""
    return [
        {
            "from": pair.source,
            "to": pair.target,
            "question": QUESTIONS[pair.level],
            "status": pair.status,
            "arrows": list(pair.arrows),
            "model": pair.text,
            "path": f"models/{pair.path}" if pair.path else None,
            "scope": None if pair.scope is None else str(pair.scope),
            "models_checked": pair.looked,
        }
        for pair in pairs
    ]


def write_separations(folder: Path, pairs: Sequence[DefinitionPair]) -> None:
    """Write each model file that was found to separate a pair."""
    for pair in pairs:
        if pair.text is not None:
            level = "epsilon" if pair.level == PURE else "delta"
            write_whole(folder / f"{pair.source}-not-{pair.target}-{level}.toml", pair.text)
