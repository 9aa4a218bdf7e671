"""The identities of proofs/identities.md: derived, what both engines give, and wrong without a condition."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import table_of, weights

import verifier as pk
from verifier.engine import MAX_ROWS, Engine
from verifier.model.parameters import Family
from verifier.model.read import loads_any
from verifier.numbers import Delta
from verifier.questions.losses import KnowledgeLoss, OutputLoss
from verifier.wings.families.decide import decide_family

F = Fraction
WAYS = pytest.mark.parametrize("way", ["table", "sum"])
CHANCES = st.fractions(min_value="1/40", max_value="39/40", max_denominator=40)
FEW = settings(max_examples=20)
FACTORS = st.sampled_from([F(1), F(3, 2), F(2), F(7, 2), F(20)])


def f(s: int, m: int, p: Fraction) -> Fraction:
    return comb(m, s) * p**s * (1 - p) ** (m - s) if 0 <= s <= m else F(0)


def below(s: int, m: int, p: Fraction) -> Fraction:
    return sum((f(j, m, p) for j in range(s + 1)), F(0))


def above(s: int, m: int, p: Fraction) -> Fraction:
    return sum((f(j, m, p) for j in range(max(s, 0), m + 1)), F(0))


def shown_loss(n: int, known: int, b: int, k: int, p: Fraction) -> Fraction:
    return p * (n - (known - b) - k) / ((1 - p) * (k - b))


def count_delta(m: int, b: int, threshold: int, p: Fraction, e: Fraction, n: int) -> Fraction:
    events = range(threshold, n + 1)
    one = [below(j - b, m, p) - e * below(j - b - 1, m, p) for j in events]
    two = [above(j - b, m, p) - e * above(j - b + 1, m, p) for j in events]
    return max([F(0), *one, *two])


def noise_delta(p: Fraction, s: int, e: Fraction) -> Fraction:
    return max([F(0), *(1 - (p ** (j + 1) + e * p ** (s - j)) / (1 + p) for j in range(s))])


def losses(model: pk.Model, way: str, values: tuple[object, object] = (0, 1)) -> Sequence[KnowledgeLoss]:
    return pk.loss(model, values=values, engine=Engine(model, MAX_ROWS, way)).knowledge


def laws(one: KnowledgeLoss) -> dict[str, tuple[Fraction, Fraction]]:
    return {row.output.text: (row.probability_a, row.probability_b) for row in one.rows}


def delta(model: pk.Model, definition: str, e: Fraction, way: str) -> Fraction:
    found = pk.check(model, definition, epsilon=f"ln({e})", engine=Engine(model, MAX_ROWS, way)).tight_delta
    assert isinstance(found, Delta)
    assert not found.b
    return found.a


def votes(n: int, known: int, threshold: int, p: Fraction, **more: Any) -> pk.Model:
    keys: dict[str, Any] = {
        "distribution": {"iid": {0: 1 - p, 1: p}},
        "knowledge": {"records": list(range(known))},
        "sensitive": {"records": [n - 1]},
        "mechanism": {"kind": "threshold-count", "value": 1, "above": threshold},
    }
    return pk.build(size=n, values=[0, 1], **(keys | more))


@st.composite
def referendums(draw: st.DrawFn, most: int) -> tuple[int, int, int, Fraction]:
    n = draw(st.integers(1, most))
    return n, draw(st.integers(0, n - 1)), draw(st.integers(0, n)), draw(CHANCES)


def ones(one: KnowledgeLoss) -> int:
    """How many known ones; where nothing is known, none."""
    return sum(int(digit) for digit in re.findall(r"\d", one.knowledge.text)) if one.knowledge.text[:1] == "[" else 0


# --- the page ---

ROOT = Path(__file__).resolve().parents[3]


def named() -> list[tuple[str, str]]:
    """Every derivation that the page names."""
    text = (ROOT / "proofs" / "identities.md").read_text(encoding="utf-8")
    found = re.findall(r"`(?:proofs/DMKB20/)?(\w+)\.py`, `(\w+)`", text)
    return sorted(set(found))


@pytest.mark.parametrize(("module", "function"), named(), ids=lambda one: one)
def test_the_derivations_of_the_page_go_through(module: str, function: str) -> None:
    steps = getattr(importlib.import_module(f"proofs.DMKB20.{module}"), function)()
    assert steps
    assert all(isinstance(one, str) for one in steps)


def test_the_page_names_every_general_derivation() -> None:
    text = (ROOT / "proofs" / "DMKB20" / "general.py").read_text(encoding="utf-8")
    assert set(re.findall(r"^def ([a-z]\w*)", text, re.MULTILINE)) == {
        name for file, name in named() if file == "general"
    }


# --- counts ---


def compare_losses(n: int, known: int, threshold: int, p: Fraction, way: str) -> int:
    """Every output of every B̂ against the formulas, the ends included; how many."""
    m, count = n - known - 1, 0
    for one in losses(votes(n, known, threshold, p), way):
        b, found = ones(one), laws(one)
        zeros = known - b
        for k in range(threshold + 1, n + 1):
            x, y = found.get(str(k), (F(0), F(0)))
            assert (x, y) == (f(k - b, m, p), f(k - b - 1, m, p))
            if b < k <= n - zeros:
                assert x == y * shown_loss(n, known, b, k, p)
                assert y
            elif k == b:
                assert x > 0 == y
            else:
                assert x == y == 0
            count += 1
        hidden = found.get("⊥", (F(0), F(0)))
        assert hidden == (below(threshold - b, m, p), below(threshold - b - 1, m, p))
        assert (hidden[1] == 0) == (b >= threshold)
    return count


@WAYS
@FEW
@given(of=referendums(6))
def test_loss_of_a_thresholded_count(way: str, of: tuple[int, int, int, Fraction]) -> None:
    compare_losses(*of, way)


@given(of=referendums(40))
@settings(max_examples=8)
def test_loss_of_a_thresholded_count_of_many(of: tuple[int, int, int, Fraction]) -> None:
    compare_losses(*of, "sum")


@WAYS
@FEW
@given(of=referendums(6), e=FACTORS)
def test_delta_of_a_thresholded_count(way: str, of: tuple[int, int, int, Fraction], e: Fraction) -> None:
    n, known, threshold, p = of
    wanted = max(count_delta(n - known - 1, b, threshold, p, e, n) for b in range(known + 1))
    assert delta(votes(n, known, threshold, p), "apkdp", e, way) == wanted


def test_the_same_chance_for_all_is_needed() -> None:
    """Three votes, p = 1/2 and 1/4: at k = 1 with the mean 3/8 the formula gives 6/5, and the loss is ln(4/3)."""
    law = [{0: "1/2", 1: "1/2"}, {0: "3/4", 1: "1/4"}, {0: "1/2", 1: "1/2"}]
    found = laws(losses(votes(3, 0, 0, F(1, 2), distribution={"independent": law}), "sum")[0])
    assert found["1"][0] / found["1"][1] == F(4, 3)
    assert shown_loss(3, 0, 0, 1, F(3, 8)) == F(6, 5)
    assert all(found["1"][0] != found["1"][1] * shown_loss(3, 0, 0, 1, p) for p in (F(1, 2), F(1, 4), F(3, 8)))


def test_independence_is_needed() -> None:
    """D(1) = D(0), both fair: the count is 0 or 2, where the formula gives 1 at k = 1."""
    both = [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]
    found = laws(losses(votes(2, 0, -1, F(1, 2), distribution={"table": both}), "table")[0])
    assert "1" not in found
    assert shown_loss(2, 0, 0, 1, F(1, 2)) == 1
    assert found["2"] == (F(0), F(1))


def test_a_known_target_is_not_compared() -> None:
    model = votes(2, 1, 0, F(1, 3), sensitive={"records": [0]})
    assert pk.check(model, "apkdp", epsilon="ln(2)").verdict == "vacuous"


# --- Lemma 2 ---


def bound(a: int, m: int, p: Fraction) -> Fraction:
    return f(a, m, p) / (1 - p * m / ((1 - p) * a))


def tail_by_engine(a: int, m: int, p: Fraction, way: str) -> Fraction:
    """P[X ≥ a]: the chance that the count of m others and a one is shown above a."""
    (found,) = losses(votes(m + 1, 0, a, p), way)
    return 1 - laws(found).get("⊥", (F(0), F(0)))[1]


@WAYS
@FEW
@given(data=st.data())
def test_lemma_2(way: str, data: st.DataObject) -> None:
    m = data.draw(st.integers(1, 5 if way == "table" else 30))
    a = data.draw(st.integers(1, m))
    p = data.draw(CHANCES.filter(lambda p: p * m < (1 - p) * a))
    tail = tail_by_engine(a, m, p, way)
    assert tail == above(a, m, p)
    assert tail < bound(a, m, p)


@WAYS
def test_each_condition_of_lemma_2_is_needed(way: str) -> None:
    assert tail_by_engine(3, 2, F(1, 4), way) == bound(3, 2, F(1, 4)) == 0, "a > m: both sides are 0"
    assert tail_by_engine(1, 2, F(1, 2), way) > 0 > bound(1, 2, F(1, 2)), "ρ = 2"
    assert bound(1, 2, F(0)) == above(1, 2, F(0)) == 0, "p = 0"


# --- bijections ---

Values = Sequence[Fraction]


BIJECTIONS: Mapping[str, tuple[int, Any]] = {
    "sum": (1, lambda o, x, y, _: o + sum(y) - sum(x)),
    "mean": (1, lambda o, x, y, n: o + F(sum(y) - sum(x)) / n),
    "geometric-mean": (0, lambda o, x, y, _: o * prod(y) / prod(x)),
    "harmonic-mean": (-1, lambda o, x, y, n: o + F(sum(1 / v for v in y) - sum(1 / v for v in x)) / n),
    "quadratic-mean": (2, lambda o, x, y, n: o + F(sum(v * v for v in y) - sum(v * v for v in x)) / n),
}
"""The power to which outputs are raised (0: the n-th), and φ as a map of these powers; all outputs are positive."""


def known_values(one: KnowledgeLoss) -> Values:
    return [F(text.strip('"')) for text in one.knowledge.text.strip("[]").split(",")]


def raised(row: OutputLoss, power: int) -> Fraction:
    """A power of an output, which is written as a number, sqrt(q) or root(q, d)."""
    base, degree = re.fullmatch(r"(?:sqrt\(|root\()?([0-9/]+)(?:, ([0-9]+)\)|\))?", row.output.text).groups()  # type: ignore[union-attr]
    of = int(degree or (2 if row.output.text.startswith("sqrt") else 1))
    assert power % of == 0
    return F(base) ** (power // of)


def carried(kind: str, one: KnowledgeLoss, two: KnowledgeLoss, n: int) -> bool:
    """Whether φ carries both laws of B₁ over to those of B₂."""
    power, phi = BIJECTIONS[kind]

    def possible(of: KnowledgeLoss) -> dict[Fraction, tuple[Fraction, Fraction]]:
        rows = [row for row in of.rows if row.probability_a or row.probability_b]
        return {raised(row, power or n): (row.probability_a, row.probability_b) for row in rows}

    x, y = known_values(one), known_values(two)
    return {phi(o, x, y, n): both for o, both in possible(one).items()} == possible(two)


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
