"""Tails of infinite noise: each definition on lumped tails, and on the same laws written out beyond them.

The laws of the second model are added up here, output by output, and what is left on each side is a plain label. The
two models are one mechanism, so that every definition that may lump tails has one answer on both.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one
from noise import noise, noisy

import verifier as pk
from verifier.definitions import Definition, find, scheme
from verifier.definitions.atlas import atlas
from verifier.definitions.builders import views
from verifier.definitions.centres import centre as centres
from verifier.definitions.centres.centre import Centre, InferredCentre
from verifier.definitions.compared_kinds import SCHEME
from verifier.definitions.registry import DEFINITIONS, ON_REQUEST
from verifier.definitions.scheme import Scheme, declared_measure
from verifier.definitions.verdict import Verdict
from verifier.model import Model
from verifier.model.bundled import bundled
from verifier.numbers import Enclosure, Epsilon
from verifier.show.parts import AGGREGATIONS, BUILDERS, CENTRES, SUBJECTS, VIEWS, finite
from verifier.simulators.posteriors import judge

P = Fraction(1, 3)
AT = {"low": 0, "mid": 1, "high": 2}
FAR = 2
"""How far beyond the range the second model keeps outputs apart."""
KEYS = sorted({*DEFINITIONS, *atlas, "ibddp"})


def on_outputs(table: Mapping[str, Any], outputs: Iterable[Any]) -> dict[str, Any]:
    """A table of [policy] on three outputs, as one on integers, and on half-lines as on the integer beside them."""
    by_number = {AT[name]: entry for name, entry in table.items()}

    def at(output: Any) -> int:
        below = str(output) in {"below", "< 0"}
        return 0 if below else 2 if str(output) in {"above", "> 2"} else min(max(int(output), 0), 2)

    return {str(o): by_number[at(o)] for o in outputs if at(o) in by_number}


def twins(name: str) -> tuple[Model, Model]:
    """A tour of the atlas with noise after its outputs 0, 1 and 2: with lumped tails, and written out."""
    table = tomllib.loads(bundled()[f"atlas/{name}"].read_text(encoding="utf-8"))
    rows = [
        (row["database"], {AT[o]: Fraction(p) for o, p in row["outputs"].items()})
        for row in table["mechanism"]["table"]
    ]
    lumped = {
        "table": [{"database": d, "outputs": {str(k): str(q) for k, q in law.items()}} for d, law in rows],
        "then": [{"kind": "geometric-noise", "p": str(P)}],
    }
    written = {
        "table": [
            {"database": d, "outputs": {str(o): str(q) for o, q in noisy(law, P, -FAR, 2 + FAR).items()}}
            for d, law in rows
        ]
    }
    ranges = (["< 0", 0, 1, 2, "> 2"], ["below", *range(-FAR, 3 + FAR), "above"])
    models = []
    for mechanism, outputs in zip((lumped, written), ranges, strict=True):
        policy = dict(table["policy"])
        for field in ("leak", "image"):
            policy |= {field: on_outputs(policy[field], outputs)} if field in policy else {}
        for field in ("tests", "views"):
            policy |= {field: [on_outputs(one, outputs) for one in policy[field]]} if field in policy else {}
        keys = {key: table[key] for key in ("size", "values", "distribution", "knowledge") if key in table}
        models.append(pk.build(**keys, mechanism=mechanism, policy=policy))
    return models[0], models[1]


kept_twins = cache(twins)


def ends(number: Epsilon | Enclosure) -> tuple[Fraction, Fraction]:
    return (number.low.value, number.high.value) if isinstance(number, Enclosure) else number.bracket(128)


def alike(first: Verdict, second: Verdict) -> bool:
    """The same verdict and δ, and the same smallest ε; an enclosure may meet an exact form that is shorter."""
    x, y = first.tight_epsilon, second.tight_epsilon
    if (first.verdict, str(first.tight_delta)) != (second.verdict, str(second.tight_delta)):
        return False
    if Enclosure not in {type(x), type(y)} or x is None or y is None:
        return x == y
    (low, high), (other_low, other_high) = ends(x), ends(y)
    return low <= other_high and other_low <= high and max(high, other_high) - min(low, other_low) < Fraction(1, 10**6)


def by_sets(definition: Definition) -> bool:
    return isinstance(definition.compare, Scheme) and bool(declared_measure(definition.compare.measure).by_sets)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("tour", ["tour", "tour-missing", "tour-sizes"])
@pytest.mark.parametrize("key", KEYS)
def test_lumped_tails_change_no_answer(key: str, tour: str) -> None:
    """The verdict, the smallest ε and the smallest δ; where sets of outputs count, lumped tails are refused."""
    definition, (lumped, written_out) = find(key), kept_twins(tour)
    for delta in at_least_one(("0", "1/20") if definition.has_delta else ("0",)):
        epsilon = "1/3" if definition.has_epsilon else None
        models = lumped, written_out
        first, second = (pk.check(model, key, epsilon=epsilon, delta=delta, replay=False) for model in models)
        if by_sets(definition) and second.verdict != "unsupported":
            assert first.verdict == "unsupported"
            assert "clamp the noise" in str(first.reason)
        else:
            assert alike(first, second), (str(first), str(second))


def test_the_table_of_the_page() -> None:
    """Each definition stands once in proofs/tails.md, as merged, refused or not decided; so says its card."""
    page = (Path(pk.__file__).parents[1] / "proofs" / "tails.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `")]
    said = {key: treated for keys, treated, _ in rows for key in re.findall("`([^`]+)`", keys)}
    listed = [key for keys, _, _ in rows for key in re.findall("`([^`]+)`", keys)]
    assert sorted(listed) == sorted({*KEYS, *ON_REQUEST})
    for key, treated in said.items():
        sentence = finite(find(key)).partition(".")[0]
        word = "" if treated == "not decided" else "refuses" if treated == "refused" else "as one output"
        assert word in sentence, key
        assert ("refuses" in sentence) == by_sets(find(key)) == (treated == "refused"), key
        assert (treated == "not decided") == (not sentence), key
        assert ("what [policy] names" in sentence) == ("[policy]" in treated), key


def test_every_part_has_its_sentence() -> None:
    of_the_scheme = (set(views.VIEWS), set(scheme.AGGREGATIONS), set(centres.PROBLEMS))
    assert (set(VIEWS), set(AGGREGATIONS), set(CENTRES)) == of_the_scheme
    every = [find(key) for key in {*KEYS, *ON_REQUEST}]
    assert {type(one.compare.builder) for one in every if isinstance(one.compare, Scheme)} == set(BUILDERS)
    parts = Scheme | Centre | InferredCentre
    plain = {one.about.subject for one in every if not isinstance(one.compare, parts)}
    assert plain - {"", SCHEME} <= set(SUBJECTS)


@pytest.mark.sweep(0)
def test_some_tour_decides_each_definition() -> None:
    """No definition is only compared where it is refused, but for those that no model decides, and two of one kind."""
    decided = {
        key
        for key in KEYS
        for tour in ("tour", "tour-missing", "tour-sizes")
        if pk.check(kept_twins(tour)[1], key, replay=False).verdict not in {"unsupported", "undecided"}
    }
    assert set(KEYS) - decided == {"ocdp", "rldp", "safe"}


# --- definitions that look at sets of outputs -------------------------------------------------------------------------


def test_dependency_of_two_noisy_counts() -> None:
    """Pairs of outputs, of which each may lie in a tail; the bits are not independent of what is known."""
    rows = [[[0, 0], "1/2"], [[0, 1], "1/8"], [[1, 0], "1/8"], [[1, 1], "1/4"]]
    shape = {
        "size": 2,
        "values": [0, 1],
        "distribution": {"table": [{"database": d, "probability": p} for d, p in rows]},
    }
    laws = {k: noisy({k: Fraction(1)}, Fraction(1, 2), -FAR, 2 + FAR) for k in range(3)}
    table = [
        {"database": [a, b], "outputs": {str(o): str(q) for o, q in laws[a + b].items()}}
        for a in (0, 1)
        for b in (0, 1)
    ]
    lumped = {"kind": "count", "value": 1, "then": [noise("1/2")]}
    answers = [
        pk.check(
            pk.build(**shape, mechanism={"kind": "all", "of": [one, one]}), "dependency", epsilon="1/9", replay=False
        )
        for one in (lumped, {"table": table})
    ]
    assert alike(*answers)
    assert answers[0].verdict == "fails"


def test_a_given_simulator_does_not_split_a_tail() -> None:
    """`judge` takes a simulator of one's own, which may answer with a tail, and with no part of it."""
    shape = {"size": 2, "values": [0, 1], "distribution": {"iid": {0: "1/2", 1: "1/2"}}}
    model = pk.build(**shape, mechanism={"kind": "count", "value": 1, "then": [noise("1/2")]})
    assert not judge(model, lambda _i, _others: "> 2", pk.epsilon("ln(2)"), Fraction(0)).holds
    with pytest.raises(pk.InputError, match="part of a lumped tail"):
        judge(model, lambda _i, _others: 9, pk.epsilon("ln(2)"), Fraction(0))
