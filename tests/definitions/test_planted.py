"""Planted defects: a wrong version of a core function must be caught by the checker."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from filing import file_of
from rechecked import refused

import verifier as pk
from verifier import definitions
from verifier.definitions import comparison
from verifier.definitions import decide as _decide
from verifier.definitions.builders import resolve as builders
from verifier.definitions.builders import resolve as rules
from verifier.engine import Engine, columns
from verifier.engine import enumerated as rows
from verifier.engine.enumerated import Joint
from verifier.model.distribution import Mixture
from verifier.numbers import Epsilon, order
from verifier.profile import profile as curves
from verifier.tables import Label

QUESTIONS = [
    ("ln(2)", Fraction(1, 12)), ("1/2*ln(2)", Fraction(0)), (None, Fraction(1, 12)), ("0", Fraction(4, 5)),
    ("inf", Fraction(0)), (None, Fraction(4, 5)), ("ln(2)", Fraction(0)),
]  # fmt: skip
ASKED = ("np", "ppkdp", "cdp", "dp", "ibcdp", "tail-ppkdp")
LAWS: dict[tuple[int, int], dict[str, str]] = {
    (0, 0): {"p": "4/5", "q": "1/5"},
    (0, 1): {"p": "1/2", "q": "1/4", "r": "1/4"},
    (1, 0): {"q": "2/5", "p": "2/5", "r": "1/5"},
    (1, 1): {"q": "1/2", "r": "1/2"},
}
WORLDS = [((0, 0), "x", 2), ((0, 1), "x", 1), ((1, 0), "x", 1), ((0, 1), "y", 2), ((1, 1), "y", 1), ((1, 0), "z", 1)]


def table_model() -> dict[str, Any]:
    """Worlds with what is known of each, and a table of laws."""
    rows = [{"database": d, "knowledge": known, "probability": f"{w}/8"} for d, known, w in WORLDS]
    laws = [{"database": d, "outputs": law} for d, law in LAWS.items()]
    theta = {"name": "θ", "table": rows}
    return {"size": 2, "values": [0, 1], "distribution": [theta], "mechanism": {"rows": laws}}


def sum_model() -> dict[str, Any]:
    """A mixture, its records known in part, the sum released."""
    parts = [
        {"weight": w, "independent": [{"0": f"{a}/5", "1": f"{b}/5"}, {"0": f"{c}/3", "1": f"{d}/3"}]}
        for w, ((a, b), (c, d)) in (("1/4", ((2, 3), (1, 2))), ("3/4", ((1, 4), (2, 1))))
    ]
    return {
        "size": 2,
        "values": [0, 1],
        "distribution": [{"name": "θ", "mixture": parts}],
        "knowledge": {"records": [1]},
        "mechanism": {"kind": "sum"},
    }


MODELS = ((table_model, "rows"), (sum_model, "columns"))


def rejected() -> bool:
    """Whether the checker objects to some answer: over the models, all definitions and many questions.

    A model and its engine serve all questions, under one defect; an answer that is not reached is no objection.
    """
    for build, force in MODELS:
        keys = build()
        engine, text = Engine(pk.build(**keys), force=force), file_of(keys)
        for definition in (pk.DEFINITIONS[key] for key in ASKED):
            for reading in definition.readings:
                for epsilon, delta in QUESTIONS:
                    with suppress(pk.InputError, pk.UnsupportedError, ArithmeticError, LookupError):
                        asked: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "reading": reading}
                        answer = pk.check(engine.model, definition, engine=engine, replay=False, **asked)
                        if refused(answer, text) is not None:
                            return True
    return False


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
    assert not rejected()


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


def profile_normalized(p: Any, q: Any, *_rest: Any) -> curves.Profile:
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
    ("normalized", comparison, "profile_of", profile_normalized),
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


@pytest.mark.parametrize(("home", "attribute", "wrong"), [d[1:] for d in DEFECTS], ids=[d[0] for d in DEFECTS])
def test_a_planted_defect_is_caught(
    monkeypatch: pytest.MonkeyPatch, home: Any, attribute: str, wrong: Callable[..., Any]
) -> None:
    """No answer that is wrong is confirmed."""
    monkeypatch.setattr(home, attribute, wrong)
    assert rejected()


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
