"""`pkdp claims --bound`: exit status, JSON, refusals and limits; and the real numbers that it compares."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

import pytest
from examined import at_least_one

from verifier.cli.main import run
from verifier.errors import InputError, LimitError
from verifier.numbers import Order, arb_of, epsilon
from verifier.wings.papers.bounds.assess import assess
from verifier.wings.papers.bounds.bernoulli import MAX_WORK, blanket, worst_count
from verifier.wings.papers.bounds.real import Real, ball, exponential
from verifier.wings.papers.bounds.sampling import upper_tail
from verifier.wings.papers.bounds.thresholding import MAX_RECORDS, levels, repaired_theorem_5

F = Fraction


def test_real_numbers() -> None:
    root, e = ball(lambda: arb_of(F(2)).sqrt()), exponential(epsilon(1))
    assert root.order(root) is Order.UNDECIDED
    assert root.at_least(root) is None
    assert (root.order(e), e.at_least(root), root.at_least(e)) == (Order.LESS, True, False)
    assert root.over(Real.of(0)) is None
    half = Real.of(3).over(Real.of(2))
    assert half is not None
    assert half.exact == F(3, 2)
    quotient = e.over(root)
    assert quotient is not None
    assert (quotient.decimal(), e.text(), e.exact) == ("1.92211551408", "2.71828182846", None)
    fifth = ball(lambda: arb_of(F(1)) / 5)
    assert (fifth.decimal(), fifth.text()) == ("0.2", "0.2")


def ask(capsys: pytest.CaptureFixture[str], line: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        run(["claims", "--bound", *line.split()])
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


def test_limits() -> None:
    for claim, texts in (
        ("theorem-4", {"n": "20000", "p": "1/200", "threshold": "300"}),
        ("theorem-5", {"n": "4000", "k": "100", "lambda": "1/100"}),
        ("lqs-theorem-3.9", {"k": "9000", "beta": "1/2"}),
        ("lqs-theorem-3.9", {"k": "20", "beta": "1/1000", "epsilon": "1/900"}),
    ):
        with pytest.raises(LimitError):
            assess(claim, texts)
    with pytest.raises(LimitError, match=f"{MAX_WORK:,}"):
        worst_count(10**6, F(1, 4), F(3, 4), F(2))
    with pytest.raises(InputError):
        assess("theorem-4", {"n": "3", "p": "1/4", "threshold": "1", "delta": "1/2"})


@pytest.mark.parametrize("given", [("50", "20", "1/20"), ("2", "2", "2/5"), ("40", "8", "1/10"), ("9", "4", "1/4")])
def test_the_smallest_delta_that_theorem_5_promises_can_be_tried(
    given: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Below the smallest δ a reading promises nothing; at it, and at the δ that is printed as a tip, it does."""
    n, k, share = given
    texts = {"n": n, "k": k, "lambda": share}
    _, out, _ = ask(capsys, "theorem-5 " + " ".join(f"--{name} {text}" for name, text in texts.items()))
    tip = re.search(r"To try one:\s+--delta\s+(\S+)\.", out)
    assert tip is not None
    for row in assess("theorem-5", texts):
        least = row.claimed.least
        assert least is not None
        assert least.exact is not None
        assert row.claimed.delta is not None
        assert row.claimed.delta.exact == least.exact
        below = least.exact * Fraction(999, 1000)
        (nothing,) = assess("theorem-5", {**texts, "delta": str(below)}, row.reading)
        assert nothing.covers == "condition not met"
        (tried,) = assess("theorem-5", {**texts, "delta": tip[1]}, row.reading)
        assert (tried.covers == "condition not met") == (Fraction(tip[1]) < least.exact)


# --- Theorem 5 repaired ----------------------------------------------------------------------------------------------


SHARES = (Fraction(1, 20), Fraction(1, 5), Fraction(2, 5), Fraction(1, 2))


@pytest.mark.parametrize("share", SHARES, ids=str)
def test_the_levels_are_those_of_the_blanket(share: Fraction) -> None:
    """Between two levels d does not change: its value there is that of the sum over fair bits at any point between."""
    for n in range(1, 8):
        listed = list(levels(n, share))
        ends = [factor for factor, _ in listed]
        assert ends == sorted(set(ends))
        assert ends[0] == 1
        for (factor, d), end in zip(listed, [*ends[1:], ends[-1] + 2], strict=True):
            assert d == blanket(n, share, end, tail=True)
            assert d == blanket(n, share, (factor + end) / 2, tail=True)
        assert all(before >= after for (_, before), (_, after) in pairwise(listed))


@pytest.mark.parametrize("above", [False, True])
def test_no_level_promises_less(above: bool) -> None:  # noqa: FBT001 - a case
    """On a grid of e^ε, the plain formula is nowhere below what is said to be the smallest, and below δ only later."""
    for share in at_least_one(SHARES):
        given = {"n": 5, "k": 3, "lambda": share, "p": (share / 2,)}
        claimed = repaired_theorem_5(given, above=above)
        assert claimed.delta is not None
        assert claimed.exp is not None
        x = upper_tail(4, share, 3 if above else 2)
        for step in range(60):
            factor = 1 + Fraction(step, 12)
            promised = max(2 * x, blanket(5, share, factor, tail=True) + factor * x)
            assert promised >= claimed.delta.exact  # type: ignore[operator]
            assert claimed.exp.exact is not None
            assert promised > claimed.delta.exact or factor >= claimed.exp.exact  # type: ignore[operator]


@pytest.mark.parametrize("reading", ["repaired", "above-repaired"])
@pytest.mark.parametrize("n", ["2", "3", "5"])
def test_the_repaired_promise_covers_the_exact_delta(n: str, reading: str) -> None:
    """Rare, frequent and mixed values, at the smallest δ and at a larger one."""
    for share, p in (
        ("2/5", "2/5"),
        ("1/5", "1/10,1/2"),
        ("1/5", "1/5,1/5"),
        ("1/20", "1/40,1/40"),
        ("1/3", "1/9,1/3"),
    ):
        for k in ("1", "2", "4"):
            given = {"n": n, "k": k, "lambda": share, "p": p}
            (least,) = assess("theorem-5", given, reading)
            assert least.covers == "yes", given
            (wide,) = assess("theorem-5", {**given, "delta": "99/100"}, reading)
            assert wide.covers == "yes" or wide.claimed.met is False, given


def test_what_is_out_of_reach_is_refused() -> None:
    with pytest.raises(LimitError, match=f"at most {MAX_RECORDS}"):
        repaired_theorem_5({"n": MAX_RECORDS + 1, "k": 3, "lambda": Fraction(1, 5)}, above=False)
    claimed = repaired_theorem_5({"n": 3, "k": 2, "lambda": Fraction(3, 5)}, above=False)
    assert claimed.conditions[0] == ("λ ≤ 1/2", False)
    assert claimed.delta is None
    (row,) = assess("theorem-5", {"n": "3", "k": "2", "lambda": "1/5", "p": "9/10"}, "repaired")
    assert row.covers == "condition not met"
