"""The matrix of all pairs: its states, its evidence decided again, and a contradiction that stops it."""

from __future__ import annotations

import doctest
from fractions import Fraction
from itertools import permutations

import pytest
from examined import at_least_one
from scripts import script

import verifier as pk
from verifier.errors import InputError
from verifier.model import Model, loads, read
from verifier.model.library import models_folder
from verifier.numbers import INFINITY, ZERO
from verifier.wings.implications import table as papers
from verifier.wings.implications.facts import DELTA, LEVELS, SAME, SOME, always_finite
from verifier.wings.implications.matrix.matrix import (
    ALWAYS,
    CLOSURE,
    COMPLETE,
    DEPENDS,
    DEPENDS_FINITE,
    FINITE,
    ONE,
    OPEN,
    PROVED,
    SEPARATED,
    STATES,
    WITH_DELTA,
    Cover,
    CoverModel,
    bounds,
    cover,
    matrix,
    matrix_of,
    need_pair,
    separated,
    separates,
)
from verifier.wings.implications.parts import decided
from verifier.wings.implications.table import Fact, relations

build = script("docs/matrix/build.py")
values_of, rows_by_definition = build.values_of, build.rows_by_definition
PROVED_STATES = {PROVED, CLOSURE, ONE, FINITE, ALWAYS}
KEPT = {model.name: model for model in cover().models}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", sorted(KEPT))
def test_what_is_kept_is_decided_again(name: str) -> None:
    """The smallest ε at δ = 0 with the re-check, those at other δ without; no model contradicts what is proved."""
    model = read(models_folder() / f"{name}.toml")
    for delta, kept in KEPT[name].values.items():
        assert values_of(model, delta, replay=delta == "0") == kept
    assert not list(map(str, build.contradictions(model, KEPT[name].values)))


def test_every_cell_has_a_state_and_its_evidence() -> None:
    known = matrix()
    for level in at_least_one(LEVELS):
        cells = known.cells[level]
        assert list(cells) == list(permutations(decided(), 2))
        assert sum(known.counts(level).values()) == len(cells)
        for cell in cells.values():
            assert cell.state in STATES
            assert cell.state in ({*PROVED_STATES, DEPENDS, WITH_DELTA} if cell.chain else {*STATES} - PROVED_STATES)
            assert bool(cell.conditional) is (cell.state in {DEPENDS, DEPENDS_FINITE}) or cell.state == WITH_DELTA
            assert cell.separation is None or cell.state in {SEPARATED, DEPENDS, DEPENDS_FINITE, WITH_DELTA}
            assert cell.with_delta is not None or cell.state != WITH_DELTA
            assert bool(cell.shapes) is (cell.state == COMPLETE)
            if cell.chain is not None:
                assert (not cell.chain.facts) is (cell.state == ONE)
                assert (cell.chain.map == "some") is (cell.state in {FINITE, ALWAYS, DEPENDS, WITH_DELTA})
                assert cell.state != ALWAYS or cell.target in always_finite()
                assert cell.state != FINITE or cell.target not in always_finite()
                assert len(cell.chain.facts) > 1 or cell.state != CLOSURE
            if cell.conditional:
                bounded = any(chain.map != "some" for chain in cell.conditional)
                assert bounded is (cell.state == DEPENDS)
                assert cell.chain is None or all(chain.map != "some" for chain in cell.conditional)


@pytest.mark.parametrize(
    ("source", "target", "with_epsilon"),
    [
        ("dp-any", "kdivdp", "power(e)"),
        ("dp-any", "divdp", "largest_f(e)"),
        ("dp-any", "gaussdp", "gaussian(e)"),
        ("mcodp", "zcodp", "line(e)"),
        ("mcodp", "bcodp", "line(e)"),
        ("mcodp", "tcodp-bdrs", "line_through_0(e)"),
        ("bcodp", "tcodp-bdrs", "xi+e"),
        ("gaussdp", "kdivdp", "moments(order*half_square(e))"),
        ("ubodp", "sempr", "tanh(e)"),
        ("distdp", "ibddp", "2*e"),
        ("cwpr", "ibcwpr", "2*e"),
    ],
)
def test_bounds_that_are_known(source: str, target: str, with_epsilon: str) -> None:
    cell = matrix().cells[SOME][source, target]
    assert cell.state in {PROVED, CLOSURE}
    assert cell.chain is not None
    assert cell.chain.map == with_epsilon


@pytest.mark.parametrize(
    ("source", "target", "result"),
    [
        ("klpr", "adp", ("0", "pinsker(e)")),
        ("klpr", "subdp", ("0", "pinsker(e)")),
        ("kdivdp", "adp", ("0", "half(e)")),
        ("renyidp", "prodp", ("order_tail(e)", "delta")),
        ("zcodp", "adp", ("xi+line_tail(e)", "delta")),
    ],
)
def test_bounds_with_delta(source: str, target: str, result: tuple[str, str]) -> None:
    cell = matrix().cells[SOME][source, target]
    assert cell.state == WITH_DELTA
    assert cell.with_delta is not None
    assert (cell.with_delta.map, cell.with_delta.error) == result


def test_a_bound_on_a_condition_stands_beside_what_is_finite_anyway() -> None:
    """`dp-any` bounds `sempr` where a removal makes a neighbour; without that the second is finite all the same."""
    cell = matrix().cells[SOME]["dp-any", "sempr"]
    assert cell.state == DEPENDS
    assert cell.chain is not None
    assert [(chain.map, chain.when) for chain in cell.conditional[:1]] == [("tanh(e)", frozenset({"removals"}))]


def test_a_bound_with_delta_holds_of_kept_models() -> None:
    """By the smallest δ at ε′ = 0: the largest mean excess is at most √(ε/2), for the smallest ε of `klpr`."""
    for name in ("atlas/one-coin", "matrix/gaps-6", "matrix/extreme-46"):
        model = read(models_folder() / f"{name}.toml")
        least = bounds(values_of(model, "0", ["klpr"])["klpr"])
        delta = Fraction(str(pk.check(model, "adp", epsilon=0).tight_delta))
        assert least is None or delta**2 <= least[1] / 2


def test_what_says_nothing_is_counted_apart() -> None:
    """A finite ε′ without a bound answers the first question alone; one definition under two keys answers all three."""
    counts = {level: matrix().counts(level) for level in LEVELS}
    assert all(counts[SOME][state] for state in (WITH_DELTA, FINITE, ALWAYS, DEPENDS_FINITE))
    for level in (SAME, DELTA):
        assert not any(counts[level][state] for state in (WITH_DELTA, FINITE, ALWAYS, DEPENDS_FINITE))
    assert {counts[level][ONE] for level in LEVELS} == {28}
    assert always_finite() == {"sempr", "advpr", "cbdp"}
    for key in always_finite():
        assert all(cell.chain is not None for (_, target), cell in matrix().cells[SOME].items() if target == key)


def test_the_questions_are_nested() -> None:
    """What is proved with the same ε is proved for some; what is refuted for some ε is refuted with the same."""
    cells = matrix().cells
    for pair in at_least_one(cells[SOME]):
        for weak, strong in ((SOME, SAME), (SAME, DELTA)):
            if cells[strong][pair].chain is not None:
                assert cells[weak][pair].chain is not None
            if cells[weak][pair].separation is not None:
                assert cells[strong][pair].separation is not None


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_model_refutes_at_once(level: str) -> None:
    """All pairs of a model at once, and pair by pair."""
    for model in at_least_one(list(KEPT.values())[::9]):
        plainly = {pair for pair in permutations(decided(), 2) if separates(model.values, pair, level) is not None}
        assert separated(model.values, level) == plainly


def planted(first: str, second: str, source: str = "flpr", target: str = "npr") -> Cover:
    return Cover(1, (CoverModel("planted", {"0": {source: first, target: second}}),))


def test_a_contradiction_stops_the_matrix() -> None:
    with pytest.raises(ArithmeticError, match=r"flpr implies npr .* and planted refutes it"):
        matrix_of(planted("0", "inf"))
    for first in ("ln(2)", "vacuous"):
        with pytest.raises(ArithmeticError, match="flpr implies npr"):
            matrix_of(planted(first, "ln(3)"))
    with pytest.raises(ArithmeticError, match="the two have the same parts"):
        matrix_of(planted("ln(2)", "ln(3)", "ddpr", "smdp"))


@pytest.mark.parametrize(
    ("first", "second"), [("ln(3)", "ln(2)"), ("ln(2)", "ln(2)"), ("inf", "inf"), ("inf", "vacuous"), ("inf", "0")]
)
def test_what_is_no_contradiction(first: str, second: str) -> None:
    known = matrix_of(planted(first, second))
    assert known.cells[SOME]["flpr", "npr"].separation is None
    assert known.cells[SAME]["flpr", "npr"].separation is None


def test_nothing_is_inferred_where_nothing_was_found() -> None:
    """Without any model no pair is separated, and none that is not proved is anything but open or conditional."""
    known = matrix_of(Cover(0, ()))
    for level in at_least_one(LEVELS):
        counted = known.counts(level)
        assert counted[SEPARATED] == counted[COMPLETE] == 0
        assert counted[OPEN] > counted[PROVED] + counted[CLOSURE]
        assert counted[DEPENDS] > counted[ONE]


@pytest.mark.parametrize("pair", [("npr", "npr"), ("npr", "indcdp"), ("npr", "nothing")])
def test_other_pairs_are_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(InputError):
        need_pair(*pair)


# --- the pass over the scope: what it draws, what it keeps, and where it stops ---------------------------------------


ROOT = models_folder()


def test_the_kept_models_are_those_that_are_drawn() -> None:
    texts = {f"matrix/{each.name}-{k}": build.drawn(each, k) for each in build.families() for k in range(each.number)}
    kept = {model.name: model for model in cover().models}
    found = sorted(path.relative_to(ROOT).as_posix().removesuffix(".toml") for path in (ROOT / "matrix").glob("*.toml"))
    assert set(found) == {name for name in kept if name.startswith("matrix/")}
    for name in found:
        if name in texts:
            assert (ROOT / f"{name}.toml").read_text(encoding="utf-8") == texts[name] + build.promises(kept[name])
        else:
            assert name.startswith("matrix/extreme-")


def test_examples_of_the_builder() -> None:
    assert doctest.testmod(build) == (0, 3)


def test_the_scope() -> None:
    names = dict(build.bundled())
    assert "atlas/one-coin" in names
    assert not any(model.restriction for model in names.values())
    assert not build.fits(read(ROOT / "LQS12" / "theorem-3.9-twenty.toml"))
    assert all(build.fits(loads(build.drawn(family, 0))) for family in build.families())
    assert build.scope()["deltas"][0] == "0"


def test_what_is_kept_separates_all_that_there_is() -> None:
    listed = list(cover().models)[:12]
    kept = build.small_cover([*listed, *(CoverModel(f"again {model.name}", model.values) for model in listed)], bool)
    for level in LEVELS:
        every = set().union(*(separated(model.values, level) for model in listed))
        assert every == set().union(*(separated(model.values, level) for model in kept))
    assert len(kept) <= len(listed)


def test_a_model_that_contradicts_what_is_proved_stops_the_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    model = read(ROOT / "atlas" / "one-coin.toml")
    (right,) = build.looked_at([("one-coin", model)])
    assert right.values["0"]["klpr"] == "1/2*ln(64/15)"
    monkeypatch.setattr(build, "values_of", lambda *_args, **_more: {"dp-any": "ln(2)", "klpr": "ln(3)"})
    with pytest.raises(ArithmeticError, match=r"one-coin contradicts dp-any ⟹ klpr at δ = 0: ln\(2\), then ln\(3\)"):
        list(build.looked_at([("one-coin", model)]))


def test_all_mechanisms_on_a_shape() -> None:
    """One pair that holds of every mechanism, and one that an extreme mechanism refutes, which is kept as a model."""
    family = build.families()[0]
    text = next(
        text for k in range(20) if len(loads(text := build.drawn(family, k)).values) == 2 and loads(text).size == 1
    )
    assert len(rows_by_definition(loads(text), ("dp", "flpr"))) == 2
    missing = {("bodp", "flpr"), ("gcdp-km", "flpr"), ("npr", "flpr")}
    asked = build.AllMechanisms({SOME: set(missing), SAME: set(missing)})
    asked.look("shape", text)
    assert ("bodp", "flpr") in asked.complete[SAME]
    assert asked.complete[SAME] <= asked.complete[SOME]
    for model in asked.values:
        assert separated(model.values, SAME) & missing


# --- a vacuous definition is satisfied, and implies nothing that compares something ----------------------------------


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
    assert not list(build.contradictions(ONE_SIZE, values))
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
    assert not list(map(str, build.contradictions(model, {"0": values_of(model)})))


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
