"""The losses between the two laws of which a definition asks most: from them the smallest ε follows again."""

from __future__ import annotations

from fractions import Fraction

import pytest

import verifier as pk
from verifier.errors import UnsupportedError
from verifier.model.library import models_folder
from verifier.numbers import Epsilon, log_epsilon
from verifier.questions.losses import LossTable
from verifier.questions.pair_losses import PairLoss, losses_of

TOUR = pk.read(models_folder() / "atlas" / "tour.toml")


def pair(key: str, **asked: object) -> PairLoss:
    """The losses of a definition that compares two laws."""
    table = losses_of(TOUR, key, **asked)  # type: ignore[arg-type]
    assert isinstance(table, PairLoss)
    assert sum((row.probability_a for row in table.rows), Fraction(0)) == 1
    assert sum((row.probability_b for row in table.rows), Fraction(0)) == 1
    assert all(row.loss.ratio == row.probability_a / row.probability_b for row in table.rows)
    return table


@pytest.mark.parametrize("key", ["dp-any", "dp", "osdp", "grdp", "bldp", "subdp", "anpr", "infpr", "individual-dp"])
def test_the_largest_loss_is_the_smallest_epsilon(key: str) -> None:
    table = pair(key)
    largest = max(row.probability_a / row.probability_b for row in table.rows)
    assert log_epsilon(largest) == pk.check(TOUR, key).tight_epsilon


@pytest.mark.parametrize("key", ["sempr", "pmpr", "nmpr", "mpr", "advpr"])
def test_chances_of_one_event_are_no_two_laws(key: str) -> None:
    for name in ("tour", "tour-missing"):
        model = pk.read(models_folder() / "atlas" / f"{name}.toml")
        if pk.check(model, key).tight_epsilon is not None:
            with pytest.raises(UnsupportedError, match="not two distributions"):
                losses_of(model, key)
            return
    pytest.fail(f"{key} is decided on neither model")


def test_the_divergences_follow_from_the_laws() -> None:
    renyi = sum(row.probability_a**2 / row.probability_b for row in pair("renyidp").rows)
    assert log_epsilon(Fraction(renyi)) == pk.check(TOUR, "renyidp").tight_epsilon
    chi = sum((row.probability_a / row.probability_b - 1) ** 2 * row.probability_b for row in pair("divdp").rows)
    assert Epsilon("rational", Fraction(chi)) == pk.check(TOUR, "divdp").tight_epsilon


def test_the_delta_chooses_the_pair() -> None:
    answer = pk.check(TOUR, "adp", delta="1/4")
    table = pair("adp", delta="1/4")
    assert isinstance(answer.tight_epsilon, Epsilon)
    factor = answer.tight_epsilon.exp
    assert factor is not None
    excess = (max(Fraction(0), row.probability_a - factor * row.probability_b) for row in table.rows)
    assert sum(excess, Fraction(0)) == Fraction(1, 4)
    assert table.answer.delta == Fraction(1, 4)


def test_conditional_laws_are_the_table_of_their_witness() -> None:
    table = losses_of(TOUR, "np")
    witness = pk.check(TOUR, "np").tightest
    assert witness is not None
    assert isinstance(table, LossTable)
    assert (table.record, table.a, table.b) == (witness.record, witness.a, witness.b)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("cdp", "cdp is not about two laws of outputs"),
        ("ddp", "ddp is not about two laws of outputs"),
        ("zkpr", "zkpr is not about two laws of outputs"),
        ("fdp", "fdp holds or not"),
        ("wbdp", "wbdp bounds many pairs of laws together"),
        ("perdp", "adds and removes records"),
        ("ocdp", "without a formula"),
    ],
)
def test_what_has_no_two_laws_is_refused(key: str, words: str) -> None:
    with pytest.raises(pk.UnsupportedError, match=words):
        losses_of(TOUR, key)


def test_a_table_shows_itself() -> None:
    table = pair("osdp")
    assert max(map(len, str(table).splitlines())) <= 100
    assert repr(table).startswith("<PairLoss of osdp: 3 outputs, M([")
