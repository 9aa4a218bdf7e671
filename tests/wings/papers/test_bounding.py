"""`pkdp bound`: exit status, JSON, refusals and limits; and the real numbers that it compares."""

import re
from fractions import Fraction

import pytest

from verifier.cli.main import run
from verifier.errors import InputError, LimitError
from verifier.numbers import Order, arb_of, epsilon
from verifier.wings.papers.bounds.assess import assess
from verifier.wings.papers.bounds.bernoulli import MAX_WORK, worst_count
from verifier.wings.papers.bounds.real import Real, ball, exponential

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
        run(["bound", *line.split()])
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
