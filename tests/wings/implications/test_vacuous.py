"""A vacuous definition is satisfied, and implies nothing that compares something: matrix, exchange and relations."""

from __future__ import annotations

import pytest

import verifier as pk
from verifier.model import Model
from verifier.model.library import models_folder
from verifier.numbers import INFINITY, ZERO
from verifier.wings.implications import table as papers
from verifier.wings.implications.facts import SAME, SOME
from verifier.wings.implications.matrix.build import contradictions
from verifier.wings.implications.matrix.matrix import (
    Cover,
    CoverModel,
    matrix_of,
    separated,
    separates,
    values_of,
)
from verifier.wings.implications.table import Fact, relations


def of_sizes(least: int, most: int, **policy: object) -> Model:
    return pk.build(
        size=[least, most], values=["a", "b"], mechanism={"kind": "count", "value": "a"}, policy={"group": 2, **policy}
    )


ONE_SIZE = of_sizes(2, 2)
KEYS = ["ubodp", "dp-any", "grdp", "flpr"]


def test_one_size_has_nothing_to_add() -> None:
    """The case of the matrix: with size = [k, k] unbounded DP compares nothing, and DP a changed record."""
    values = {"0": values_of(ONE_SIZE, keys=KEYS)}
    assert (values["0"]["ubodp"], values["0"]["dp-any"]) == ("vacuous", "inf")
    assert not list(contradictions(ONE_SIZE, values))
    evidence = separates(values, ("ubodp", "dp-any"), SOME)
    assert evidence is not None
    assert (evidence.first, evidence.second) == ("vacuous", "inf")
    assert separates(values, ("dp-any", "ubodp"), SAME) is None
    assert ("ubodp", "dp-any") in separated(values, SOME)
    assert ("ubodp", "dp-any") not in separated(values, SOME, vacuous=False)


@pytest.mark.parametrize(("least", "most"), [(0, 2), (1, 2), (1, 1), (2, 2)])
@pytest.mark.parametrize("neighbours", ["change", "add-remove", "any"])
def test_no_size_contradicts_what_is_proved(least: int, most: int, neighbours: str) -> None:
    model = of_sizes(least, most, neighbours=neighbours)
    assert not list(map(str, contradictions(model, {"0": values_of(model)})))


def test_a_model_that_compares_something_is_preferred() -> None:
    vacuous = CoverModel("vacuous", {"0": {"npr": "vacuous", "osdp": "inf"}})
    telling = CoverModel("telling", {"0": {"npr": "ln(2)", "osdp": "inf"}})
    for models in ((vacuous, telling), (telling, vacuous)):
        shown = matrix_of(Cover(2, models)).cells[SOME]["npr", "osdp"].separation
        assert shown is not None
        assert shown.model == "telling"
    shown = matrix_of(Cover(1, (vacuous,))).cells[SOME]["npr", "osdp"].separation
    assert shown is not None
    assert (shown.model, shown.first) == ("vacuous", "vacuous")


def test_the_relations_of_the_papers_take_a_vacuous_definition_as_satisfied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a model on which the first definition is vacuous and the second has no ε refutes, if no other does."""
    known = relations()
    point = pk.build(
        size=1, values=[0, 1], distribution={"table": [{"database": [0], "probability": 1}]},
        mechanism={"kind": "identity"},
    )  # fmt: skip
    fact = Fact("planted.toml", point, {"np": ZERO, "dp": INFINITY}, {}, frozenset({"np"}))
    cell = papers._pure("np", "dp", (), (fact,))
    assert (cell.status, cell.fact) == ("not implied", fact)
    telling = known.pure["np", "dp"].fact
    assert telling is not None
    assert papers._pure("np", "dp", (), (fact, telling)).fact == telling
    with pytest.raises(ArithmeticError, match="by proof"):
        papers._pure("np", "dp", known.pure["np", "apkdp"].arrows, (fact,))
    monkeypatch.setattr(papers, "read", lambda _: point)
    found = papers.fact(models_folder() / "planted.toml", ("np", "dp"))
    assert found.vacuous == {"np"}
    assert found.epsilon == {"np": ZERO, "dp": INFINITY}
