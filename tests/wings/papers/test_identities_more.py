"""The identities of docs/identities.md about bijections, composition, knowledge and noise, as in test_identities.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from identities import CHANCES, FACTORS, FEW, WAYS, F, delta, laws, losses, noise_delta, referendums, votes
from strategies import table_of, weights

import verifier as pk
from verifier.model.parameters import Family
from verifier.model.read_family import loads_any
from verifier.questions.losses import KnowledgeLoss, OutputLoss
from verifier.questions.properties.roots import NoValueError, Radical, number_of
from verifier.wings.families.decide import decide_family

# --- bijections ---

Values = Sequence[Fraction]


def plus(value: Radical, more: Fraction) -> Radical:
    return value.plus(Radical.of(more))


BIJECTIONS: Mapping[str, Any] = {
    "sum": lambda o, x, y, _: plus(o, sum(y, F(0)) - sum(x, F(0))),
    "mean": lambda o, x, y, n: plus(o, (sum(y, F(0)) - sum(x, F(0))) / n),
    "geometric-mean": lambda o, x, y, n: o.times(Radical.of(prod(y) / F(prod(x))).power(F(1, n))),
    "harmonic-mean": lambda o, x, y, n: (
        plus(
            o.power(F(-1)).times(Radical.of(F(n))), sum((1 / F(v) for v in y), F(0)) - sum((1 / F(v) for v in x), F(0))
        )
        .power(F(-1))
        .times(Radical.of(F(n)))
    ),
    "quadratic-mean": lambda o, x, y, n: plus(
        o.power(F(2)) if o.sign else o, (sum(v * v for v in y) - sum(v * v for v in x)) / F(n)
    ).power(F(1, 2)),
}


def known_values(one: KnowledgeLoss) -> Values:
    return [F(text.strip('"')) for text in one.knowledge.text.strip("[]").split(",")]


def number(row: OutputLoss) -> Radical:
    found = number_of(row.output)
    assert found is not None
    return found


def carried(kind: str, one: KnowledgeLoss, two: KnowledgeLoss, n: int) -> bool:
    """Whether φ carries both laws of B₁ over to those of B₂."""

    def possible(of: KnowledgeLoss) -> dict[Radical, tuple[Fraction, Fraction]]:
        rows = [row for row in of.rows if row.probability_a or row.probability_b]
        return {number(row): (row.probability_a, row.probability_b) for row in rows}

    x, y = known_values(one), known_values(two)
    try:
        images = {BIJECTIONS[kind](o, x, y, n): both for o, both in possible(one).items()}
    except (NoValueError, ZeroDivisionError):
        return False
    return images == possible(two)


@WAYS
@pytest.mark.parametrize("kind", BIJECTIONS)
@given(data=st.data())
@settings(max_examples=8)
def test_bijections(kind: str, way: str, data: st.DataObject) -> None:
    values: list[Any] = data.draw(st.sampled_from([[1, 2], [1, 3, 4], ["1/2", 5], [2, "7/3"]]))
    n = data.draw(st.integers(2, 4))
    known = data.draw(st.integers(1, n - 1))
    rows = [table_of(values, data.draw(weights(len(values)))) for _ in range(n - 1)]
    rows.append(table_of(values, (F(1, len(values)),) * len(values)))
    model = pk.build(
        size=n,
        values=values,
        distribution={"independent": rows},
        knowledge={"records": list(range(known))},
        sensitive={"records": [n - 1]},
        mechanism={"kind": kind},
    )
    every = losses(model, way, (values[0], values[1]))
    assert every
    assert all(carried(kind, one, two, n) for one, two in product(every, repeat=2))


# --- composition, and the mean over knowledge ---


@st.composite
def channels(draw: st.DrawFn, outputs: str) -> dict[str, Any]:
    """A mechanism on two bits all of whose outputs are possible."""
    rows = []
    for database in product((0, 1), repeat=2):
        parts = draw(st.lists(st.integers(1, 6), min_size=len(outputs), max_size=len(outputs)))
        law = {o: F(part, sum(parts)) for o, part in zip(outputs, parts, strict=True)}
        rows.append({"database": list(database), "outputs": law})
    return {"rows": rows}


def two(first: dict[str, Any], second: dict[str, Any], law: Any) -> dict[str, pk.Model]:
    keys: dict[str, Any] = {
        "size": 2,
        "values": [0, 1],
        "distribution": {"independent": law},
        "sensitive": {"records": [0]},
    }
    both = {"kind": "all", "of": [first, second]}
    return {name: pk.build(**keys, mechanism=one) for name, one in (("1", first), ("2", second), ("both", both))}


@FEW
@given(data=st.data())
def test_composition(data: st.DataObject) -> None:
    law = [table_of([0, 1], (F(1, 2), F(1, 2))), table_of([0, 1], data.draw(weights(2)))]
    models = two(data.draw(channels("ab")), data.draw(channels("xyz")), law)
    ratios: dict[str, dict[str, Fraction]] = {}
    for name, model in models.items():
        (one,) = losses(model, "table")
        ratios[name] = {o: x / y for o, (x, y) in laws(one).items()}
    dependencies = [
        ratios["both"][f'["{o}","{u}"]'] / (x * y) for o, x in ratios["1"].items() for u, y in ratios["2"].items()
    ]
    largest = max(1, *dependencies, *(1 / one for one in dependencies))
    assert pk.check(models["both"], "dependency").tight_epsilon == pk.epsilon(f"ln({largest})")


@WAYS
@FEW
@given(of=referendums(6), e=FACTORS)
def test_mean_over_knowledge(way: str, of: tuple[int, int, int, Fraction], e: Fraction) -> None:
    n, known, threshold, p = of
    model = votes(n, known, threshold, p)

    def mean(side: int) -> Fraction:
        return sum(
            (
                one.probability * sum((max(F(0), both[side] - e * both[1 - side]) for both in laws(one).values()), F(0))
                for one in losses(model, way)
            ),
            F(0),
        )

    assert delta(model, "ppkdp", e, way) == max(mean(0), mean(1))


# --- noise ---


def noisy(p: Fraction, s: int, n: int = 1) -> pk.Model:
    noise = [{"kind": "geometric-noise", "p": str(p)}]
    law = {0: F(2, 3), s: F(1, 3)}
    sensitive = {"records": [n - 1]}
    return pk.build(
        size=n, values=[0, s], distribution={"iid": law}, sensitive=sensitive, mechanism={"kind": "sum", "then": noise}
    )


@WAYS
@FEW
@given(p=CHANCES, s=st.integers(1, 6), e=FACTORS)
def test_geometric_noise(way: str, p: Fraction, s: int, e: Fraction) -> None:
    model = noisy(p, s)
    assert delta(model, "np", e, way) == noise_delta(p, s, e)
    (one,) = losses(model, way, (0, s))
    found = laws(one)
    top = max(int(o) for o in found if o[0] not in "<>")
    low = min(int(o) for o in found if o[0] not in "<>")
    assert found[f"> {top}"] == (p ** (top + 1) / (1 + p), p ** (top + 1 - s) / (1 + p))
    assert found[f"< {low}"] == (p ** (1 - low) / (1 + p), p ** (s + 1 - low) / (1 + p))


@pytest.mark.parametrize(("values", "s"), [("[0, 1]", 1), ("[0, 2]", 2), ("[0, 3]", 3)])
def test_noise_as_a_family(values: str, s: int) -> None:
    """For all p at once: the smallest δ is the formula, piece by piece, at random p and where pieces meet."""
    text = f"""
    size = 1
    values = {values}
    [parameters]
    p = {{ above = "0", below = "1" }}
    [[distribution]]
    iid = {{ 0 = "2/3", {s} = "1/3" }}
    [mechanism]
    kind = "sum"
    then = [ {{ kind = "geometric-noise", p = "p" }} ]
    """
    family = loads_any(text)
    assert isinstance(family, Family)
    for e in (F(1), F(3, 2), F(4)):
        found = decide_family(family, "np", epsilon=f"ln({e})", delta="1/7")
        pieces = found.tight_delta or ()
        points = [F(k, 23) for k in range(1, 23)]
        points += [
            end for one in pieces for end in (one.where.low, one.where.high) if isinstance(end, F) and 0 < end < 1
        ]
        for at in points:
            (value,) = [one.value for one in pieces if one.where.has(at)]
            assert value is not None
            assert value.less(noise_delta(at, s, e)).sign(at) == 0
            assert any(one.has(at) for one in found.where["holds"]) == (noise_delta(at, s, e) <= F(1, 7))


def test_noise_before_another_step_is_decided() -> None:
    head = 'size = 2\nvalues = [0, 1]\n[parameters]\np = { above = "0", below = "1" }\n'
    law = '[[distribution]]\niid = { 0 = "1/2", 1 = "1/2" }\n[mechanism]\nkind = "sum"\n'
    noise = '{ kind = "geometric-noise", p = "p" }'
    then = '{ rows = [ { input = 0, output = "none" } ], otherwise = "some" }'
    family = loads_any(f"{head}{law}then = [ {noise}, {then} ]\n")
    assert isinstance(family, Family)
    found = decide_family(family, "np", epsilon="ln(2)")
    for at in (F(1, 10), F(1, 3), F(1, 2), F(2, 3), F(9, 10)):
        member = pk.check(family.at({"p": at}), "np", epsilon="ln(2)")
        assert any(one.has(at) for one in found.where["holds"]) == (member.verdict == "holds")
