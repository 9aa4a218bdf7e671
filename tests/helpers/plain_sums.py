"""Certificates about sums, straight from a small description, and the same models as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import hypothesis.strategies as st
from forging import Certificate

import verifier as pk
from verifier.engine import Engine
from verifier.evidence import certificate

Group = tuple[list[int], list[tuple[tuple[int, ...], Fraction]]]
Component = tuple[str | None, Fraction, list[Group]]


# --- certificates straight from a small description -----------------------------------------------------------


@dataclass(frozen=True)
class Sum:
    """A mechanism twice: as key of a model, and as a sum."""

    key: dict[str, Any]
    operations: list[str]
    zero: list[int]
    element: Callable[[int], list[int]]
    output: Callable[[tuple[int, ...]], str]
    rate: Fraction = Fraction(1)
    weights: tuple[int, ...] = (1,)
    """What the records' elements are multiplied by, over and over."""


def sums(values: Sequence[int]) -> dict[str, Sum]:
    number = len(values)

    def hot(v: int) -> list[int]:
        return [int(v == one) for one in values]

    def count(v: int) -> list[int]:
        return [int(v == 1)]

    def text(total: tuple[int, ...]) -> str:
        return str(total[0])

    def several(total: tuple[int, ...]) -> str:
        return "[" + ",".join(map(str, total)) + "]"

    def above(total: tuple[int, ...]) -> str:
        return str(total[0]) if total[0] > 1 else "⊥"

    sampled = {"kind": "count", "value": 1, "sample": "1/3"}
    return {
        "count": Sum({"kind": "count", "value": 1}, ["+"], [0], count, text),
        "threshold": Sum({"kind": "threshold-count", "value": 1, "above": 1}, ["+"], [0], count, above),
        "sum": Sum({"kind": "sum"}, ["+"], [0], lambda v: [v], text),
        "maximum": Sum({"kind": "maximum"}, ["max"], [-1], lambda v: [v], text),
        "minimum": Sum({"kind": "minimum"}, ["min"], [9], lambda v: [v], text),
        "parity": Sum({"kind": "parity", "value": 1}, ["mod 2"], [0], count, text),
        "histogram": Sum({"kind": "histogram"}, ["+"] * number, [0] * number, hot, several),
        "linear": Sum({"kind": "linear"}, ["+"], [0], lambda v: [v], text, weights=(1, -2)),
        "sampled": Sum(sampled, ["+"], [0], count, text, Fraction(1, 3)),
    }


def draws(one: Sum, i: int, v: int) -> list[tuple[list[int], Fraction]]:
    element = [one.weights[i % len(one.weights)] * x for x in one.element(v)]
    if element == one.zero or one.rate == 1:
        return [(element, Fraction(1))]
    return [(element, one.rate), (one.zero, 1 - one.rate)]


def totals(one: Sum, size: int, values: Sequence[int]) -> list[tuple[int, ...]]:
    """All sums that can be reached."""
    steps: dict[str, Callable[[int, int], int]] = {"+": lambda x, y: x + y, "max": max, "min": min}
    steps["mod 2"] = lambda x, y: (x + y) % 2
    found = {tuple(one.zero)}
    every = [e for i in range(2) for v in values for e, _ in draws(one, i, v)]
    for _ in range(size):
        found = {
            tuple(steps[f](x, y) for f, x, y in zip(one.operations, at, e, strict=True)) for at in found for e in every
        }
    return sorted(found)


def singles(law: Sequence[Fraction], size: int) -> list[Group]:
    return [([i], [((v,), p) for v, p in enumerate(law)]) for i in range(size)]


def plain(
    components: list[Component],
    one: Sum,
    *,
    size: int,
    values: Sequence[int],
    kind: str = "nothing",
    known: Sequence[int] = (),
    secrets: Sequence[int] | None = None,
) -> Certificate:
    """All of a certificate but question and answer."""
    return {
        "engine": "sums",
        "size": size,
        "values": [str(v) for v in values],
        "shown": list(values),
        "secrets": list(range(size)) if secrets is None else list(secrets),
        "thetas": {
            "θ": [
                {
                    "name": name,
                    "weight": str(weight),
                    "groups": [
                        {"records": records, "rows": [[[str(values[v]) for v in row], str(p)] for row, p in rows]}
                        for records, rows in groups
                    ],
                }
                for name, weight, groups in components
            ]
        },
        "knowledge": {"kind": kind, "records": list(known)},
        "mechanism": {
            "operations": one.operations,
            "zero": [str(x) for x in one.zero],
            "elements": [
                [[[[str(x) for x in e], str(p)] for e, p in draws(one, i, v)] for v in values] for i in range(size)
            ],
            "finish": [[[str(x) for x in at], {one.output(at): "1"}] for at in totals(one, size, values)],
        },
    }


def table(groups: list[Group], size: int, values: Sequence[int]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for database in product(range(len(values)), repeat=size):
        p = Fraction(1)
        for records, law in groups:
            p *= dict(law).get(tuple(database[i] for i in records), Fraction(0))
        if p:
            rows.append({"database": [values[v] for v in database], "probability": str(p)})
    return rows


def model_of(components: list[Component], one: Sum, base: Certificate) -> pk.Model:
    """The same model as a table."""
    size, values = base["size"], base["shown"]
    parts = [
        {"name": name, "weight": str(w), "table": table(groups, size, values)} for name, w, groups in components if w
    ]
    mixed = len(components) > 1 or components[0][0] is not None
    keys: dict[str, Any] = {"mixture": parts} if mixed else {"table": parts[0]["table"]}
    knowledge = base["knowledge"]
    if knowledge["kind"] != "nothing":
        keyed = {"kind": "component"} if knowledge["kind"] == "component" else {"records": knowledge["records"]}
    return pk.build(
        size=size,
        values=values,
        distribution=[{"name": "θ", **keys}],
        mechanism=one.key | ({"weights": (one.weights * 4)[:size]} if one.key["kind"] == "linear" else {}),
        sensitive={"records": base["secrets"]},
        **({} if knowledge["kind"] == "nothing" else {"knowledge": keyed}),
    )


def answered(
    base: Certificate, engine: Engine, definition: str, epsilon: str | None, delta: str, reading: str = "default"
) -> Certificate:
    """The certificate with what the table answers."""
    found = pk.check(
        engine.model, definition, epsilon=epsilon, delta=delta, reading=reading, engine=engine, replay=False
    )
    told = certificate(found, engine)
    return deepcopy({**base, "question": told["question"], "answer": told["answer"]})


@st.composite
def described(draw: st.DrawFn) -> tuple[list[Component], Sum, Certificate]:
    """Any small model, all sorts equally often (hypothesis alone would draw the simplest)."""
    dice = draw(st.randoms(use_true_random=True))
    values = dice.choice([[0, 1], [0, 1, 2]])
    size = dice.choice([1, 2, 3, 4] if len(values) == 2 else [2, 3])
    alike = dice.random() < Fraction(1, 3)

    def law(width: int) -> list[tuple[tuple[int, ...], Fraction]]:
        rows = list(product(range(len(values)), repeat=width))
        weights = [dice.randint(0, 3) for _ in rows]
        weights[dice.randrange(len(rows))] += 1
        return [(row, Fraction(w, sum(weights))) for row, w in zip(rows, weights, strict=True)]

    def groups() -> list[Group]:
        one, two, left = law(1), law(2), dice.sample(range(size), size)
        found: list[Group] = []
        while left:
            width = 2 if len(left) > 1 and dice.random() < Fraction(1, 3) else 1
            rows = {1: one, 2: two}[width] if alike else law(width)
            found.append((left[:width], rows))
            left = left[width:]
        return found

    kind = dice.choice(["nothing", "records", "records", "component"])
    share = dice.choice([Fraction(1, 3), Fraction(1, 2), Fraction(1)])
    components: list[Component] = [(None, Fraction(1), groups())]
    if kind == "component" or dice.random() < Fraction(1, 2):
        components = [("up", share, groups()), ("down", 1 - share, groups())]
    one = dice.choice(list(sums(values).values()))
    known = dice.sample(range(size), dice.randint(0, size - 1)) if kind == "records" else []
    secrets = dice.sample(range(size), dice.randint(1, size))
    return components, one, plain(components, one, size=size, values=values, kind=kind, known=known, secrets=secrets)


# --- sums by hand, for sizes that have no table ---------------------------------------------------------------


def voters(size: int, known: int, epsilon: str, *, secrets: Sequence[int] | None = None) -> Certificate:
    """Fair voters, their count, some known: one class a partial count. np at δ = 0 fails with a known smallest δ."""
    rest = size - known - 1
    exp = {"ln(2)": 2, "ln(3)": 3}[epsilon]
    low = {k: (comb(rest, k), comb(rest, k - 1) if k else 0) for k in range(rest + 2)}
    event = [k for k, (p, q) in low.items() if p > exp * q]
    p, q = (Fraction(sum(low[k][side] for k in event), 2**rest) for side in (0, 1))
    base = plain(
        [(None, Fraction(1), singles([Fraction(1, 2)] * 2, size))],
        sums([0, 1])["count"],
        size=size,
        values=[0, 1],
        kind="records",
        known=range(known),
        secrets=range(size) if secrets is None else secrets,
    )
    protected = [i for i in base["secrets"] if i >= known]
    evidence = {
        "distribution": "θ",
        "record": protected[0],
        "a": "0",
        "b": "1",
        "knowledge": "[" + ",".join(["0"] * known) + "]",
        "event": [str(k) for k in event],
        "probability_a": str(p),
        "probability_b": str(q),
        "at_epsilon": epsilon,
        "direction": None,
        "output": None,
        "databases": None,
        "terms": None,
    }
    return {
        **base,
        "question": {"definition": "np", "reading": "default", "epsilon": epsilon, "delta": "0"},
        "answer": {
            "verdict": "fails",
            "tight_delta": str(p - exp * q),
            "tight_epsilon": "inf",
            "comparisons": 2 * (known + 1),
            "multiplicity": len(protected) * 2 * 2**known,
            "empty": len(base["secrets"]) - len(protected),
            "witness": evidence,
            "tightest": None,
        },
    }
