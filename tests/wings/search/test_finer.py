"""Finer grids: what they find stands the naive check, and what the grid of the scope cannot hold is found."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from small_models import needed, verdict

import verifier as pk
from verifier.numbers import epsilon
from verifier.questions.language import statement
from verifier.questions.statement import And, Holds, Not
from verifier.wings.search import finer
from verifier.wings.search.api import read_question
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.enumerate_scope import find as look
from verifier.wings.search.finer import Finer, finer_grids, look_finer
from verifier.wings.search.scope import Scope
from verifier.wings.search.statement_truth import decide

ONE = Fraction(1)
TWO = Scope(2, 2, 2, 1)
COARSE = Scope(2, 2, 2, 1, 1, 1)


def find(satisfied: Any, violated: Any, scope: Scope) -> Finer:
    return look_finer(read_question(satisfied, violated, None, scope), look)


PAIRS = [
    ("np(ln(2))", "cdp(ln(2))", COARSE),
    ("cdp(ln(2))", "np(ln(2))", COARSE),
    ("np(ln(2))", "dp(ln(2))", COARSE),
    ("cdp(ln(3/2), 1/10)", "dp(ln(3/2), 1/10)", COARSE),
    ("tail-apkdp(ln(2), 1/3)", "tail-cdp(ln(2), 1/3)", COARSE),
    ("apkdp(ln(2), 1/4)", "tail-apkdp(ln(2), 1/4)", Scope(1, 2, 2, 1, 1, 1)),
    ("ppkdp(0, 1/2)", "apkdp(0, 1/2)", Scope(2, 2, 2, 2, 1, 1)),
    ("ppkdp(ln(2), 1/5)", "cdp(ln(2), 1/5)", COARSE),
    ("np(0)", "cdp(0, 1/3)", Scope(2, 3, 2, 1, 1, 1)),
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("satisfied", "violated", "scope"), PAIRS)
def test_what_is_found_separates(satisfied: str, violated: str, scope: Scope) -> None:
    """From a grid of whole numbers alone on, which holds next to nothing."""
    hit = find(satisfied, violated, scope)
    assert hit.candidate is not None
    assert hit.grid in list(finer_grids(scope))
    assert [verdict(hit.candidate, text) for text in (satisfied, violated)] == ["holds", "fails"]


def test_what_is_implied_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finer, "FINEST", 6)
    hit = find(["np(ln(2))", "independent"], "cdp(ln(2))", TWO)
    assert (hit.candidate, hit.grid, hit.grids, hit.passed) == (None, None, 8, 0)
    assert str(hit) == "none found on 8 finer grids"
    monkeypatch.setattr(finer, "MAX_MODELS", 100_000)
    assert str(find("np(ln(2))", "np(ln(4))", TWO)) == (
        "none found on 7 finer grids; 1 grid had more than 100,000 models"
    )


def test_a_weight_that_no_grid_up_to_six_holds() -> None:
    """δ above 14/99 and at most 1/7 needs conditional probabilities such as 6/7: no θ in multiples of 1/6 has them."""
    satisfied, violated = ["deterministic", "np(0, 1/7)", "not np(0, 14/99)"], "cdp(0, 1/7)"
    hit = find(satisfied, violated, TWO)
    assert hit.candidate is not None
    assert hit.grid is not None
    assert hit.grid.weights == 13
    question = And((*map(statement, satisfied), Not(statement(violated))))
    assert decide(question, hit.candidate.model()).value is True
    assert needed(hit.candidate, "np", ONE) == Fraction(1, 7)
    assert decide(statement("cdp(0, 1/7)"), hit.candidate.model()).value is False
    for total in (4, 5, 6):  # sixths are among them as they are, halves and thirds as sixths
        for law in (w for w in product(range(total + 1), repeat=4) if sum(w) == total):
            for outputs in product((0,), *[(0, 1)] * 3):  # the other half has the names of the outputs exchanged
                rows = tuple((1, 0) if o else (0, 1) for o in outputs)
                one = Candidate(2, 2, 2, 1, total, 1, law, rows)
                assert not Fraction(14, 99) < (needed(one, "np", ONE) or 0) <= Fraction(1, 7)


def test_variables_and_powers() -> None:
    hit = find("cdp(e)", "np(3/2*e)", TWO)
    assert hit.candidate is not None
    assert decide(statement("cdp(e) => np(3/2*e)"), hit.candidate.model()).value is False
    root = find(["np(1/2*ln(2))", "not np(1/3*ln(2))"], "dp(1/2*ln(2))", TWO)
    assert root.candidate is not None
    model = root.candidate.model()
    assert pk.check(model, "np", epsilon="1/2*ln(2)").verdict == "holds"
    assert pk.check(model, "np", epsilon="1/3*ln(2)").verdict == "fails"


def test_a_root_of_a_polynomial_is_between_its_neighbours() -> None:
    """1.6 < e^ε = (1 + √5)/2 < 1.625: quotients of Fibonacci numbers come close; 21/13 needs a grid of 34ths."""
    golden = "ln(root of x^2 - x - 1 in [1, 2])"
    hit = find(Holds("np", epsilon(golden)), "np(ln(8/5))", Scope(1, 2, 2, 1))
    assert hit.candidate is not None
    assert hit.grid is not None
    assert hit.grid.mechanism_weights == 34
    model = hit.candidate.model()
    assert pk.check(model, "np", epsilon=golden).verdict == "holds"
    assert pk.check(model, "np", epsilon="ln(8/5)").verdict == "fails"


def test_only_the_first_record() -> None:
    hit = find("cdp(ln(2))", "np(ln(2))", Scope(2, 2, 2, 1, first_only=True))
    assert hit.candidate is not None
    assert hit.candidate.first_only
    assert needed(hit.candidate, "cdp", Fraction(2)) == 0
    assert needed(hit.candidate, "np", Fraction(2)) not in {None, 0}
