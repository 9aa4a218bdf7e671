"""Defects planted in the data files of DP22's definitions: whatever answer they change, the checker refuses.

The entries are opaque here: a field of one takes the value that another entry has, or goes away. Where the changed
definition answers a question otherwise than the right one, it must not be confirmed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from examined import at_least_one
from rechecked import document_of, refused
from strategies_policy import PolicyModel, with_centres

import verifier as pk
from verifier import recheck as proofs
from verifier.checker.definitions import DEFINITIONS as DECIDED
from verifier.definitions.builders.rows import Setting
from verifier.definitions.centres import centre as centres
from verifier.definitions.centres.centre import Choices
from verifier.definitions.decide import decide
from verifier.definitions.definition import Definition
from verifier.definitions.registry import CENTRES, FOLDER, find, read_definition
from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model import NOTHING, loads
from verifier.model.keys import Location
from verifier.model.write import inline
from verifier.numbers import epsilon as read_epsilon
from verifier.recheck import beliefs, fields_of, simulators
from verifier.simulators import Context, SimulatorRow, problem
from verifier.tables import label

FIELDS = (
    "builder",
    "view",
    "measure",
    "aggregation",
    "steps",
    "restrict",
    "scale",
    "cells",
    "about",
    "scaled",
    "within",
)
LN_2 = read_epsilon("ln(2)", "epsilon")
SEEDS = (0, 1, 2, 5, 9, 10)
"""Random models of lists, of lists with gaps, and of multisets."""


def table_of(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


TABLES = {table["key"]: table for file in FOLDER.glob("*.toml") if "builder" in (table := table_of(file))}
TABLES = {key: TABLES[key] for key in sorted(TABLES)}


@cache
def engine_of(seed: int) -> Engine:
    kind = ("lists", "gaps", "multisets")[seed % 3]
    return Engine(loads(PolicyModel(Random(seed), kind).text, ""))  # noqa: S311


def planted(key: str, random: Random) -> Iterator[tuple[str, Definition]]:
    """The definition with one field from another entry, for the fields in any order; then all of another entry."""
    table = TABLES[key]
    for field in random.sample(FIELDS, len(FIELDS)):
        others = {inline(other.get(field, None) or ""): other.get(field) for other in TABLES.values()}
        values = [value for value in others.values() if value != table.get(field)]
        for value in random.sample(values, min(3, len(values))):
            changed = {name: entry for name, entry in table.items() if name != field}
            changed |= {} if value is None else {field: value}
            yield from readable(key, f"{field} = {value}", changed)
    for other in random.sample(sorted(TABLES), 12):
        if other != key:
            yield from readable(key, f"the entry of {other}", {**TABLES[other], "key": key})


def readable(key: str, name: str, entry: dict[str, Any]) -> Iterator[tuple[str, Definition]]:
    """The definition of an entry, where it is read at all."""
    text = "".join(f"{field} = {inline(value)}\n" for field, value in entry.items())
    try:
        yield name, read_definition(text, Location(f"{key}.toml"), own=False)
    except InputError:
        return


def outcome_of(definition: Definition, engine: Engine) -> tuple[str, dict[str, Any] | None]:
    """What is said, and the answer."""
    for epsilon, delta in ((LN_2, Fraction(1, 20)), (LN_2, Fraction(0)), (None, Fraction(0))):
        try:
            answer = decide(engine, definition, epsilon=epsilon, delta=delta)
        except (InputError, ArithmeticError, TypeError, ValueError, LookupError):  # it decides nothing
            continue
        if answer.verdict in {"holds", "fails", "vacuous"}:
            return f"{epsilon} {delta} {answer.verdict} {answer.tight_epsilon} {answer.tight_delta}", document_of(
                answer
            )
    return "unsupported", None


@pytest.mark.sweep(8)
@pytest.mark.parametrize("part", range(8))
def test_planted_defects_are_refused(part: int) -> None:
    found_out: set[str] = set()
    keys = [key for key in DECIDED if key in TABLES][part::8]
    for key in keys:
        right, caught = pk.atlas[key], 0
        for name, wrong in planted(key, Random(key)):  # noqa: S311
            for seed in SEEDS:
                engine = engine_of(seed)
                said, evidence = outcome_of(wrong, engine)
                if evidence is None or said == outcome_of(right, engine)[0]:
                    continue
                assert refused(evidence, engine.model.text) is not None, (
                    f"{key} with {name} is confirmed on the random model {seed}: {said}"
                )
                caught += 1
                found_out.add(key)
                break
            if caught == 3:
                break
    assert found_out == set(keys), set(keys) - found_out


# --- simulated centres ------------------------------------------------------------------------------------------------

CENTRED = {table["key"]: table for file in FOLDER.glob("*.toml") if "centre" in (table := table_of(file))}
Listing = Callable[[Setting], Iterator[Choices]]
IMITATING = ("zkpr", "cwpr", "typst")


@cache
def centred_engine(seed: int) -> Engine:
    random = Random(seed)  # noqa: S311
    return Engine(loads(with_centres(random, PolicyModel(random, "lists")), ""))


def defective(change: Callable[[SimulatorRow], SimulatorRow | None]) -> Callable[[Listing], Listing]:
    """The same problems with other rows, or fewer."""

    def listing(right: Listing, setting: Setting) -> Iterator[Choices]:
        for group, choices in right(setting):
            changed = [(name, [other for row in rows if (other := change(row))]) for name, rows in choices]
            yield Choices(group, changed)

    return lambda right: partial(listing, right)


def first_choice(right: Listing) -> Listing:
    return lambda setting: (Choices(group, choices[:1]) for group, choices in right(setting))


def told(row: SimulatorRow, *, more: bool) -> SimulatorRow:
    """The row with a simulator that is told its own secret as well, or nothing."""
    name = row.a if more else NOTHING
    contexts = {Context((), None, None, label([str(c), name]) if more else name): p for c, p in row.contexts.items()}
    return replace(row, contexts=contexts if more else {next(iter(contexts)): Fraction(1)})


DEFECTS: dict[str, Callable[[Listing], Listing]] = {
    "the first choice alone": first_choice,
    "the first record, or the first pair, alone": defective(lambda row: row if row.record == 0 else None),
    "the first distribution alone": defective(lambda row: row if row.distribution in {"", "up"} else None),
    "Sim is told the secret": defective(partial(told, more=True)),
    "Sim is told nothing": defective(partial(told, more=False)),
}


NO_DEFECTS = {
    ("cwpr", "the first choice alone"),
    ("zkpr", "the first distribution alone"),
    ("typst", "Sim is told nothing"),
    ("typst", "the first record, or the first pair, alone"),
}
"""There is one choice, no distribution, nothing that is told, and neither record nor pair."""


def centred_outcomes(definition: Definition, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is said at one ε and δ after another, with the answers; each time by an engine that knows nothing."""
    for epsilon, delta in ((LN_2, Fraction(1, 20)), (None, Fraction(0))):
        engine = Engine(centred_engine(seed).model)
        try:
            answer = decide(engine, definition, epsilon=epsilon, delta=delta)
            if answer.verdict in {"holds", "fails", "vacuous"}:
                said = f"{answer.verdict} {answer.tight_epsilon} {answer.tight_delta} {answer.comparisons}"
                yield f"{epsilon} {delta} {said}", {**document_of(answer), **fields_of(answer, engine)}
        except (InputError, ArithmeticError, TypeError, ValueError, LookupError):  # it decides nothing
            continue


@cache
def right_outcomes(key: str, seed: int) -> frozenset[str]:
    """What is said where nothing is planted."""
    return frozenset(said for said, _ in centred_outcomes(find(key), seed))


def proved_about(found: Callable[[str], Definition], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let proofs be about what was decided."""
    for file in (beliefs, proofs, simulators):
        monkeypatch.setattr(file, "find", found)


def caught_among(wrong: Definition, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many answers differ on some models; each is refused."""
    caught = 0
    for seed in range(500, 505):
        proved_about(find, monkeypatch)
        expected = right_outcomes(wrong.key, seed)
        proved_about(lambda _: wrong, monkeypatch)
        for said, evidence in centred_outcomes(wrong, seed):
            if said not in expected:
                text = centred_engine(seed).model.text
                assert refused(evidence, text) is not None, (
                    f"{wrong.key} is confirmed on the random model {seed}: {said}"
                )
                caught += 1
    return caught


@pytest.mark.sweep(3)
@pytest.mark.parametrize("key", IMITATING)
def test_other_centres_are_refused(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry of a definition with the centre of another one."""
    for other in at_least_one(sorted(CENTRED)):
        if other in IMITATING and other != key:
            entry = {**CENTRED[key], "centre": CENTRED[other]["centre"]}
            ((_, wrong),) = readable(key, other, entry)
            assert caught_among(wrong, monkeypatch) > 2, other


@pytest.mark.sweep(5)
@pytest.mark.parametrize("key", IMITATING)
@pytest.mark.parametrize("name", DEFECTS)
def test_defects_in_what_is_imitated_are_refused(key: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    centre = CENTRED[key]["centre"]
    monkeypatch.setitem(centres.PROBLEMS, "defective", DEFECTS[name](centres.PROBLEMS[centre]))
    monkeypatch.setitem(CENTRES, "defective", lambda: centres.Centre("defective"))
    ((_, wrong),) = readable(key, name, {**CENTRED[key], "centre": "defective"})
    assert bool(caught_among(wrong, monkeypatch)) == ((key, name) not in NO_DEFECTS)


ROW_DEFECTS: dict[str, Callable[[SimulatorRow], SimulatorRow | None]] = {
    "the first record, or the first pair, alone": lambda row: row if row.record == 0 else None,
    "Sim is told the secret": partial(told, more=True),
    "what is known plays no part": lambda row: replace(row, knowledge=NOTHING),
    "half of each mass": lambda row: replace(row, mass=row.mass / (2 if row.a.text.rstrip("]")[-1] in "0u" else 1)),
}


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", ROW_DEFECTS)
@pytest.mark.parametrize(("key", "rows"), [("ibcwpr", (centres, "_coupled_rows")), ("ibddp", (problem, "_rows"))])
def test_defects_in_what_beliefs_are_about_are_refused(
    key: str, rows: tuple[Any, str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, right, caught = ROW_DEFECTS[name], getattr(*rows), 0

    def wrong(*arguments: Any) -> list[SimulatorRow]:
        return [other for row in right(*arguments) if (other := change(row))]

    for seed in range(520, 590):
        monkeypatch.setattr(*rows, right)
        expected = right_outcomes(key, seed)
        monkeypatch.setattr(*rows, wrong)
        for said, evidence in centred_outcomes(find(key), seed):
            if said not in expected:
                text = centred_engine(seed).model.text
                assert refused(evidence, text) is not None, f"{key} is confirmed on the random model {seed}: {said}"
                caught += 1
        if caught > 2:
            break
    assert caught
