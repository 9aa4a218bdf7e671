"""Planted defects: a wrong version of a core function must be caught by the replay or by the naive twin."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import naive
import pytest
from naive import Answer, Compared, Plain, Row
from test_definitions import ASKED, EPSILONS, compare_answers, with_named_outputs

import verifier as pk
from verifier import definitions
from verifier.checker import Rejected
from verifier.definitions import compare as rules
from verifier.definitions import decide as _decide
from verifier.definitions import pairs as comparison
from verifier.definitions import rows as builders
from verifier.engine import Engine, columns, rows
from verifier.engine.joint import Joint
from verifier.model.distribution import Mixture
from verifier.numbers import Epsilon, order
from verifier.profile import profile as curves
from verifier.tables import Label

HALF = Fraction(1, 2)
QUESTIONS = [
    (e, d) for e in ("0", "ln(2)", "1/2*ln(2)", "inf", None) for d in (Fraction(0), Fraction(1, 12), Fraction(4, 5))
]
LAWS: dict[tuple[str, ...], dict[str, Fraction]] = {
    ("0", "0"): {"p": Fraction(4, 5), "q": Fraction(1, 5)},
    ("0", "1"): {"p": HALF, "q": Fraction(1, 4), "r": Fraction(1, 4)},
    ("1", "0"): {"q": Fraction(2, 5), "p": Fraction(2, 5), "r": Fraction(1, 5)},
    ("1", "1"): {"q": HALF, "r": HALF},
}
ROWS = [
    Row(("0", "0"), "x", None, Fraction(1, 4)),
    Row(("0", "1"), "x", None, Fraction(1, 8)),
    Row(("1", "0"), "x", None, Fraction(1, 8)),
    Row(("0", "1"), "y", None, Fraction(1, 4)),
    Row(("1", "1"), "y", None, Fraction(1, 8)),
    Row(("1", "0"), "z", None, Fraction(1, 8)),
]
PLAIN = Plain(2, ["0", "1"], {"θ": ROWS}, LAWS.__getitem__, [0, 1], [])
SUMS: dict[tuple[str, ...], str] = {("0", "0"): "0", ("0", "1"): "1", ("1", "0"): "1", ("1", "1"): "2"}
COUNTED = replace(
    PLAIN,
    worlds={
        "θ": [
            Row((a, b), f"[{b}]", None, Fraction(x, 5) * Fraction(y, 3) * part)
            for part, (first, second) in ((Fraction(1, 4), ((2, 3), (1, 2))), (Fraction(3, 4), ((1, 4), (2, 1))))
            for a, x in zip("01", first, strict=True)
            for b, y in zip("01", second, strict=True)
        ]
    },
    mechanism=lambda d: {SUMS[d]: Fraction(1)},
)


SMOOTH: dict[tuple[str, ...], dict[str, Fraction]] = {
    ("0", "0"): {"p": Fraction(2, 3), "q": Fraction(1, 3)},
    ("0", "1"): {"p": HALF, "q": HALF},
    ("1", "0"): {"p": Fraction(1, 3), "q": Fraction(2, 3)},
    ("1", "1"): {"p": Fraction(3, 5), "q": Fraction(2, 5)},
}
MILD = replace(PLAIN, mechanism=SMOOTH.__getitem__)


def mild_model() -> pk.Model:
    """The third: every output always possible, so that tightest ε are finite."""
    return table_model(SMOOTH)


def table_model(laws: dict[tuple[str, ...], dict[str, Fraction]] = LAWS) -> pk.Model:
    """The first plain model, built."""
    return pk.build(
        size=2,
        values=[0, 1],
        distribution={
            "name": "θ",
            "table": [{"database": r.database, "knowledge": r.knowledge, "probability": r.p} for r in ROWS],
        },
        mechanism={"rows": [{"database": d, "outputs": law} for d, law in laws.items()]},
    )


def sum_model() -> pk.Model:
    """The second: a mixture, its records known in part, the sum released."""
    parts = [
        {"weight": w, "independent": [{"0": f"{a}/5", "1": f"{b}/5"}, {"0": f"{c}/3", "1": f"{d}/3"}]}
        for w, ((a, b), (c, d)) in (("1/4", ((2, 3), (1, 2))), ("3/4", ((1, 4), (2, 1))))
    ]
    return pk.build(
        size=2,
        values=[0, 1],
        distribution={"name": "θ", "mixture": parts},
        knowledge={"records": [1]},
        mechanism={"kind": "sum"},
    )


MODELS = {
    "table": (table_model, PLAIN, "rows"),
    "mild": (mild_model, MILD, "rows"),
    "sum": (sum_model, COUNTED, "columns"),
}


@cache
def twin_families(name: str, definition: str, reading: str) -> list[list[Compared]]:
    """What the twin compares: no defect is planted in the twin, so that all sweeps share it."""
    return naive.families(MODELS[name][1], definition, reading)


@cache
def twin_answer(name: str, definition: str, reading: str, epsilon: str | None, delta: Fraction) -> Answer:
    families = twin_families(name, definition, reading)
    return naive.answer(families, EPSILONS[epsilon], delta, tail=definition.startswith("tail-"))


def sweep() -> Iterator[str]:
    """Who objects: the replay, the twin, or a refusal; over the models, all definitions and many questions.

    A model and its engine serve all questions of a sweep, under one defect.
    """
    for name, (build, _, force) in MODELS.items():
        engine = Engine(build(), force=force)
        for definition, reading in ASKED:
            for epsilon, delta in QUESTIONS:
                keys: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "reading": reading, "engine": engine}
                try:
                    found = pk.check(engine.model, definition, **keys)
                except Rejected:
                    yield "replay"
                except (pk.PkdpError, ArithmeticError, AssertionError, LookupError, ValueError):
                    yield "crash"
                else:
                    answer = twin_answer(name, definition, reading, epsilon, delta)
                    if definition == "ibcdp":
                        families = twin_families(name, definition, reading)
                        answer = with_named_outputs(answer, families, found, EPSILONS[epsilon] or naive.Exp("inf"))
                    try:
                        compare_answers(found, answer, epsilon, delta, definition)
                    except AssertionError:
                        yield "twin"


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """No profile that was remembered hides a defect, and none that a defect made stays."""
    forget()
    yield
    forget()


def forget() -> None:
    for name in dir(comparison):
        clear = getattr(getattr(comparison, name), "cache_clear", None)
        if clear:
            clear()


def test_nobody_objects_to_the_right_program() -> None:
    assert list(sweep()) == []


# --- the defects ------------------------------------------------------------------------------------------

deciding = sys.modules[_decide.__module__]
real_event, real_profile_of = comparison.Pair.event, curves.profile_of
real_line, real_largest = curves.Profile.line, deciding.largest_epsilon
real_exp, real_joint = Epsilon.__dict__["exp"], rows.joint


def event_at_least(self: comparison.Pair, epsilon: Epsilon, *, closed: bool = False) -> tuple[Label, ...]:
    """>= instead of >: the mass at the boundary is in both."""
    return real_event(self, epsilon, closed=not closed)


def event_of_ratio(self: comparison.Pair, epsilon: Epsilon, *, closed: bool = False) -> tuple[Label, ...]:
    """Forgets outputs that Q cannot produce."""
    chosen = real_event(self, epsilon, closed=closed)
    return tuple(o for o in chosen if self.q is not None and self.q[self.outputs.index(o)])


def profile_of_shared(p: Any, q: Any, *_rest: Any) -> curves.Profile:
    """The same in the profile, the mass kept: a division by zero avoided by leaving it out."""
    both = [(x, y) for x, y in zip(p, q, strict=True) if y] or [(1, 1)]
    return real_profile_of([x for x, _ in both], [y for _, y in both], sum(p), sum(q))


def profile_normalised(p: Any, q: Any, *_rest: Any) -> curves.Profile:
    """The laws conditioned on the outputs that both can produce."""
    both = [(x, y) for x, y in zip(p, q, strict=True) if x and y] or [(1, 1)]
    return real_profile_of([x for x, _ in both], [y for _, y in both])


def profile_of_masses(p: Any, q: Any, *_rest: Any) -> curves.Profile:
    """Joint weights taken for conditional laws."""
    total = max(sum(p), sum(q))
    return real_profile_of(p, q, total, total)


def profile_backwards(p: Any, q: Any, *_rest: Any) -> curves.Profile:
    return real_profile_of(q, p)


def one_direction(values: list[Any], _reading: str) -> Any:
    """Only a before b."""
    return ((a, b) for x, a in enumerate(values) for b in values[x + 1 :])


def first_line_only(self: curves.Profile, epsilon: Epsilon, *, closed: bool = False) -> Any:
    """Stops at the first point."""
    return real_line(curves.Profile(self.denominator, self.points[:1]), epsilon, closed=closed)


def epsilon_at_zero(comparisons: Any, _bound: Fraction) -> Any:
    """Forgets δ."""
    return real_largest(comparisons, Fraction(0))


def weights_of_all(self: Joint, _value: Any) -> Any:
    """P[B̂, S = a] for P[B̂ | S = a]."""
    return self.denominator


def factual_again(model: Any, theta: Any, secret: Any, *_b_and_others: Any) -> Joint:
    """The counterfactual without the change."""
    return real_joint(model, theta, secret, None, None)


def larger_p(self: comparison.Sum, other: comparison.Sum, _epsilon: Epsilon) -> bool:
    """Q is overlooked."""
    return bool(self.p * other.denominator > other.p * self.denominator)


def inverted(self: Epsilon) -> Fraction | None:
    """e^-ε for e^ε."""
    value = real_exp.__get__(self)
    return None if value is None else 1 / value


def scales_forgotten(self: Mixture) -> list[int]:
    return [self.denominator // self.total] * len(self.components)


DEFECTS: list[tuple[str, Any, str, Any]] = [
    ("≥ for >", comparison.Pair, "event", event_at_least),
    ("events without the impossible", comparison.Pair, "event", event_of_ratio),
    ("profile without the impossible", comparison, "profile_of", profile_of_shared),
    ("normalised", comparison, "profile_of", profile_normalised),
    ("joint for conditional", comparison, "profile_of", profile_of_masses),
    ("Q against P", comparison, "profile_of", profile_backwards),
    ("one order", builders, "ordered", one_direction),
    ("first line only", curves.Profile, "line", first_line_only),
    ("δ forgotten", deciding, "largest_epsilon", epsilon_at_zero),
    ("joint weights", Joint, "value_mass", weights_of_all),
    ("no change of the record", rows, "joint", factual_again),
    ("no change of the record, fast", columns, "joint", factual_again),
    ("Q overlooked in the maximum", comparison.Sum, "exceeds", larger_p),
    ("e^-ε", Epsilon, "exp", property(inverted)),
    ("mixture weights forgotten", Mixture, "scales", scales_forgotten),
]


@pytest.mark.parametrize(("name", "home", "attribute", "wrong"), DEFECTS, ids=[d[0] for d in DEFECTS])
def test_a_planted_defect_is_caught(
    monkeypatch: pytest.MonkeyPatch, name: str, home: Any, attribute: str, wrong: Callable[..., Any]
) -> None:
    monkeypatch.setattr(home, attribute, wrong)
    assert any(objection in {"replay", "twin"} for objection in sweep()), name


@pytest.mark.parametrize(
    ("home", "attribute", "wrong"),
    [
        (comparison, "profile_of", profile_normalised),
        (comparison, "profile_of", profile_backwards),
        (curves.Profile, "line", first_line_only),
        (deciding, "largest_epsilon", epsilon_at_zero),
        (builders, "ordered", one_direction),
        (comparison.Pair, "event", event_of_ratio),
        (rows, "joint", factual_again),
    ],
)
def test_the_replay_alone_catches(
    monkeypatch: pytest.MonkeyPatch, home: Any, attribute: str, wrong: Callable[..., Any]
) -> None:
    """No answer that is wrong leaves `check`: the replay objects before it is shown."""
    monkeypatch.setattr(home, attribute, wrong)
    assert "replay" in sweep()


def test_the_definitions_are_where_the_defects_were_planted() -> None:
    assert definitions.DEFINITIONS["dp"].compare is rules.neighbouring


def test_what_is_not_settled_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison that reaches the precision limit gives `undecided`, never a guess."""
    model = pk.build(
        size=1,
        values=[0, 1],
        distribution={"iid": {0: "1/2", 1: "1/2"}},
        mechanism=lambda d: {"x": "3/4", "y": "1/4"} if d[0] else {"x": "1/4", "y": "3/4"},
    )
    monkeypatch.setattr(order, "MAX_PRECISION", 1)
    answer = pk.check(model, "np", epsilon="1/10", delta="1/10")
    assert (answer.verdict, answer.exit_status, answer.tight_delta, answer.witness) == ("undecided", 3, None, None)
    assert "agree" in (answer.reason or "")
    assert pk.check(model, "np", epsilon="ln(2)", delta="1/4").verdict == "holds"
