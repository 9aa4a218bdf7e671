"""Runs of pairs of laws, by hand: the classes of their likelihood ratios, and how many are too many."""

from __future__ import annotations

import pytest

from verifier.errors import LimitError
from verifier.profile import classes_of, profile_of, runs_of
from verifier.profile import runs as limits


def test_only_one_law_may_have_an_output() -> None:
    """The mass that one law alone can produce grows with the runs, and what both can do shrinks."""
    one = classes_of([(3, 1), (1, 0), (0, 3)], 4)
    two = runs_of([(one, 2)])
    assert (sorted(two.both), two.only_p, two.only_q, two.denominator) == ([(9, 1)], 7, 15, 16)
    assert two.rows == [(7, 0), (9, 1), (0, 15)]
    assert runs_of([(classes_of([(1, 0), (0, 1)], 1), 5)]).rows == [(1, 0), (0, 1)]
    assert runs_of([(classes_of([(1, 1), (1, 0), (0, 1)], 2), 2)]).rows == [(3, 0), (1, 1), (0, 3)]
    assert two.profile == profile_of([7, 9, 0], [0, 1, 15])
    assert two.swapped.profile == profile_of([15, 1, 0], [0, 9, 7])
    assert two.swapped == runs_of([(one.swapped, 2)])


@pytest.mark.parametrize(
    ("rows", "denominator", "times", "ratios", "bits"),
    [([(3, 1), (1, 3)], 4, 2, 3, 5), ([(16, 1), (8, 8), (1, 16)], 25, 3, 7, 14)],
)
def test_runs_beyond_a_limit_are_refused(
    rows: list[tuple[int, int]], denominator: int, times: int, ratios: int, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs of two ratios have 3 multisets of them, and 5 powers of 3; three of three have 10, and 7 powers of 16.

    The fewer of both are counted, each with the bits of the denominator: of 4^2 = 16, and of 25^3 = 15,625.
    """
    runs = [(classes_of(rows, denominator), times)]
    for most, most_bits, fits in (
        (ratios, ratios * bits, True),
        (ratios - 1, ratios * bits, False),
        (ratios, ratios * bits - 1, False),
    ):
        monkeypatch.setattr(limits, "MOST_CLASSES", most)
        monkeypatch.setattr(limits, "MOST_BITS", most_bits)
        if fits:
            assert len(runs_of(runs).both) == ratios
        else:
            with pytest.raises(LimitError, match=f"up to {ratios} likelihood ratios, with masses of {bits} bits"):
                runs_of(runs)


def test_more_bits_than_2_to_the_31_are_refused() -> None:
    """32,768 runs of randomized response have one ratio more, over 4^32,768: 32,769 times 65,537 bits."""
    with pytest.raises(LimitError, match="32,769 likelihood ratios, with masses of 65,537 bits"):
        runs_of([(classes_of([(3, 1), (1, 3)], 4), 1 << 15)])
