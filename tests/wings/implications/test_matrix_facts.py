"""The facts of the matrix: their data and proofs, and each of them as a property of random models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from documents import ROOT
from examined import at_least_one
from scripts import script
from strategies_policy import PolicyModel

from verifier.errors import InputError
from verifier.model import Model, loads, read
from verifier.model.library import models_folder
from verifier.wings.implications import facts as matrix_facts
from verifier.wings.implications.facts import DELTA, LEVELS, SAME, SOME, WITH_ERROR, Implication, implications
from verifier.wings.implications.maps import composed, map_text
from verifier.wings.implications.matrix import closure as matrix_closure
from verifier.wings.implications.matrix.closure import Chain, nodes, proved
from verifier.wings.implications.matrix.matrix import cover
from verifier.wings.implications.parts import decided, node_of

build = script("docs/matrix/build.py")
values_of, value_at_most = build.values_of, build.value_at_most
MAPS = ("e", "2*e", "n*e", "group*e", "2*n*e", "xi", "mu", "xi+order*e")
SEEDS = [(kind, seed) for kind in ("lists", "gaps", "multisets") for seed in range(12)]


def drawn(seed: str, kind: str) -> Model:
    return loads(PolicyModel(Random(seed), kind).text)  # noqa: S311


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("kind", "seed"), SEEDS)
def test_what_is_proved_holds_of_random_models(kind: str, seed: int) -> None:
    model = drawn(f"matrix {kind} {seed}", kind)
    if model.restriction:  # the facts speak of every record
        return
    values = {delta: values_of(model, delta) for delta in ("0", "1/5")}
    assert len(values["0"]) > 20
    assert not list(map(str, build.contradictions(model, values)))


def test_each_fact_names_parts_that_there_are() -> None:
    known = {
        "rows": {node.rows for node in nodes()},
        "measures": {node.measure for node in nodes()},
        "aggregations": {node.aggregation for node in nodes()},
        "views": {node.view for node in nodes()},
        "definitions": set(decided()),
    }
    for fact in at_least_one(implications()):
        assert {fact.source, fact.target} <= known[fact.axis], fact


def test_each_fact_leads_somewhere() -> None:
    used = {fact for listed in matrix_closure.edges().values() for fact, _ in listed}
    assert {fact.level for fact in used} == {*LEVELS, WITH_ERROR}
    same = {fact for fact in implications() if fact.axis == "definitions"} - used
    assert set(implications()) - used == same
    assert all(node_of(fact.source) == node_of(fact.target) for fact in same)


def test_every_proof_is_written() -> None:
    for fact in at_least_one(implications()):
        if fact.proof.startswith("proofs/"):
            continue
        page, _, heading = fact.proof.partition("#")
        text = (ROOT / "proofs" / "implications" / f"{page}.md").read_text(encoding="utf-8")
        headings = {line.removeprefix("## ").replace(" ", "-") for line in text.splitlines() if line.startswith("## ")}
        assert heading in headings, fact


def test_every_written_proof_is_used() -> None:
    used = {fact.proof for fact in implications()}
    for page in at_least_one((ROOT / "proofs" / "implications").glob("*.md")):
        for line in at_least_one(page.read_text(encoding="utf-8").splitlines()):
            if line.startswith("## "):
                assert f"{page.stem}#{line.removeprefix('## ').replace(' ', '-')}" in used


def test_maps() -> None:
    assert composed("e", "2*e") == composed("2*e", "e") == "2*e"
    assert composed("xi", "n*e") == "n*xi"
    assert composed("2*e", "xi") == "xi"
    assert composed("xi+order*e", "2*e") == "2*xi+2*order*e"
    assert composed("xi+e", "e") == composed("e", "xi+e") == "xi+e"
    assert map_text("n*xi") == "nξ"
    assert map_text("2*xi+2*order*e") == "2ξ + 2αε"


@pytest.mark.parametrize("first", MAPS)
def test_maps_in_a_row_are_one_map(first: str) -> None:
    """The map of a chain is what its facts make of ε one after the other, and each of its terms has one number."""
    numbers = {"n": 3, "group": 5, "order": 7, "xi": 11, "mu": 13}
    for texts in at_least_one(product([first], MAPS, MAPS)):
        value = 17
        for text in texts:
            value = eval(text, {}, {**numbers, "e": value})  # noqa: S307
        chain = Chain(tuple(Implication("measures", "a", "b", "", map=text) for text in texts), ())
        assert eval(chain.map, {}, {**numbers, "e": 17}) == value  # noqa: S307
        assert re.fullmatch(r"(\d*[ncαξμε]+( \+ |$))+|the same ε", map_text(chain.map))


def test_what_maps_make_of_epsilon() -> None:
    model = drawn("maps", "lists")
    policy = replace(model.policy, order=Fraction(3), xi=Fraction(1, 10), mu=None)
    model = replace(model, policy=policy)
    numbers = build.numbers_of(model)
    assert value_at_most("2*n*e", Fraction(7), numbers) == 14 * model.size
    assert value_at_most("xi+order*e", Fraction(7), numbers) == Fraction(211, 10)
    assert value_at_most("mu", Fraction(7), numbers) is value_at_most("some", Fraction(7), numbers) is None
    facts = [Implication("measures", "a", "b", "", map=text) for text in ("2*e", "xi+order*e", "2*e", "e")]
    assert value_at_most(Chain(tuple(facts), ()).map, Fraction(7), numbers) == 84 + Fraction(1, 5)


def test_the_numbers_of_a_policy() -> None:
    """The multiples of ε that a file lists, which bound what rows of one scale say of rows of another."""
    model = drawn("maps", "lists")
    databases = sorted({world.database for theta in model.thetas for world, _, _ in theta.known_worlds()})[:2]
    policy = replace(
        model.policy, levels=(Fraction(1, 2), None), tailored=((0, databases[0], Fraction(3)),),
        scale=((frozenset({0, 1}), Fraction(1, 4)),),
        theta_distances=(("a", "b", Fraction(2)), ("a", "c", Fraction(0))),
        distance=((databases[0], databases[1], Fraction(1, 3)), (databases[0], databases[0], Fraction(0))),
    )  # fmt: skip
    found = build.numbers_of(replace(model, policy=policy))
    assert [found[key] for key in ("per_level", "tailored", "per_tailored", "per_ratio")] == [2, 3, 1, 4]
    assert [found[key] for key in ("per_distance", "theta", "per_theta")] == [3, 2, None]
    assert found["d"] == [0, Fraction(1, 3), 2]
    hamming = build.numbers_of(replace(model, policy=replace(policy, distance="hamming")))
    assert hamming["per_distance"] == 1
    assert set(range(1, model.size + 1)) <= set(hamming["d"])
    largest = build.numbers_of(replace(model, policy=replace(policy, distance="largest")))
    assert largest["per_distance"] == 1


def test_chains_are_whole() -> None:
    """Each chain leads from the first definition to the second, fact by fact, on two conditions at most."""
    for level in at_least_one(LEVELS):
        for source, target, chain in at_least_one(proved(level)):
            assert chain.nodes[0] == node_of(source)
            assert chain.nodes[-1] == node_of(target)
            assert len(chain.facts) == len(chain.nodes) - 1
            assert len(chain.when) <= 2


@contextmanager
def with_facts(listed: tuple[Implication, ...], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The closure of other facts."""
    monkeypatch.setattr(matrix_closure, "implications", lambda: listed)
    matrix_closure.edges.cache_clear()
    matrix_closure.proved.cache_clear()
    try:
        yield
    finally:
        monkeypatch.undo()
        matrix_closure.edges.cache_clear()
        matrix_closure.proved.cache_clear()


def test_a_wrong_fact_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The property above fails where a fact is wrong: KL does not bound the largest loss."""
    right = next(
        fact for fact in implications() if (fact.source, fact.target, fact.axis) == ("kl", "ratio", "measures")
    )
    wrong = (*(fact for fact in implications() if fact != right), replace(right, map="e"))
    with with_facts(wrong, monkeypatch):
        models = (drawn(f"wrong {seed}", "lists") for seed in range(10))
        found = (build.contradictions(model, {"0": values_of(model)}) for model in models if not model.restriction)
        assert any(next(listed, None) is not None for listed in found)


@pytest.mark.sweep(4)
@pytest.mark.parametrize(
    ("right", "smaller", "name"),
    [
        ("tailored*e", "e", "matrix/gaps-87"),
        ("per_tailored*e", "e", "multisets tailored 6"),
        ("per_level*e", "e", "matrix/extreme-28"),
        ("per_ratio*e", "e", "matrix/extreme-16"),
        ("per_distance*e", "e", "matrix/gaps-7"),
        ("theta*e", "e", "matrix/gaps-6"),
        ("per_theta*e", "e", "matrix/extreme-21"),
        ("largest_f(e)", "half(largest_f(e))", "matrix/sampled-17"),
        ("largest_f_at_distances(e)", "half(largest_f_at_distances(e))", "matrix/sampled-17"),
        ("power(e)", "half(power(e))", "matrix/extreme-28"),
        ("gaussian(e)", "half(gaussian(e))", "matrix/gaps-48"),
        ("line(e)", "half(line(e))", "matrix/extreme-16"),
        ("tanh(e)", "half(tanh(e))", "matrix/gaps-48"),
    ],
)
def test_a_smaller_map_is_noticed(right: str, smaller: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kept model, or a drawn one, contradicts each map that says less than the proved one."""
    wrong = tuple(replace(fact, map=smaller) if fact.map == right else fact for fact in implications())
    kept = {one.name: one.values for one in cover().models}
    kind, _, seed = name.partition(" ")
    model = read(models_folder() / f"{name}.toml") if name in kept else drawn(seed, kind)
    with with_facts(wrong, monkeypatch):
        found = build.contradictions(model, kept[name] if name in kept else {"0": values_of(model)})
        assert next(found, None) is not None


@pytest.mark.parametrize(
    "given",
    [
        {"from": "ratio", "to": ["kl"], "proof": "x", "map": "3e"},
        {"from": "ratio", "to": ["kl"], "proof": "x", "when": ["never"]},
        {"from": "ratio", "to": ["kl"], "proof": "x", "because": "so"},
        {"from": "ratio", "to": ["kl"], "proof": "x", "how": "subset"},
    ],
)
def test_other_data_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(InputError):
        matrix_facts._read("measures", given, "facts.toml")


def test_a_fact_says_itself() -> None:
    fact = Implication(
        "rows", "neighbours", "relation", "rows#one-record", "subset", when=frozenset({"xi-zero", "gamma-zero"})
    )
    assert fact.sentence == "the rows of neighbours ⟹ relation with the same ε, where γ = 0 and ξ = 0"
    assert fact.level == DELTA
    assert replace(fact, delta=False).level == SAME
    assert replace(fact, map="2*e").level == SOME
