"""Labels, laws and products; the losses; what Python and a file give to one and the same model."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import given
from hypothesis import strategies as st

import verifier as pk
from verifier.numbers import DecimalLiteral
from verifier.tables import Label, Law, Spelling, divided, label, product, sum_law

pytestmark = pytest.mark.quick


atoms = st.one_of(
    st.integers(-99, 99), st.booleans(), st.text(st.characters(codec="utf-8"), max_size=4).filter(str.isprintable)
)
labels = st.recursive(atoms, lambda inner: st.lists(inner, max_size=3), max_leaves=6).map(label)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (0, "0"),
        (-3, "-3"),
        (True, "true"),
        (False, "false"),
        ("0", "0"),
        ("⊥", "⊥"),
        ("", ""),
        (Fraction(5, 2), "5/2"),
        (Fraction(4, 2), "2"),
        ([0, 1], "[0,1]"),
        ((0, "a"), '[0,"a"]'),
        (["⊥", 2], '["⊥",2]'),
        ([True, []], "[true,[]]"),
        ([Fraction(1, 2), Fraction(2)], '["1/2",2]'),
    ],
)
def test_a_label_has_its_text(given: object, text: str) -> None:
    one = label(given)
    assert one.text == text == str(one)
    assert one == Label(text, "spelled otherwise")
    assert hash(one) == hash(Label(text, "spelled otherwise"))
    assert label(one) is one


@pytest.mark.parametrize("given", [0.0, 1.5, float("nan"), DecimalLiteral("0.5"), [0.5]])
def test_floats_are_no_labels(given: object) -> None:
    with pytest.raises(TypeError):
        label(given)


@pytest.mark.parametrize("given", [None, {}, {1}, b"x", 1j, object()])
def test_other_objects_are_no_labels(given: object) -> None:
    with pytest.raises(pk.InputError):
        label(given)


@given(labels)
def test_a_list_is_shown_as_json(one: Label) -> None:
    if isinstance(one.shown, list):
        assert json.loads(one.text) == one.shown


@given(st.lists(labels, max_size=6))
def test_a_label_is_shown_as_it_was_first_spelled(given: list[Label]) -> None:
    spelling = Spelling()
    first: dict[str, Any] = {}
    for one in given:
        first.setdefault(one.text, one.shown)
        assert spelling(one).shown == first[one.text]
    assert [one.text for one in spelling] == list(first)


def law_of(keys: list[Label], weights: list[int]) -> Law:
    total = sum(weights)
    return Law.from_fractions({k: Fraction(w, total) for k, w in zip(keys, weights, strict=True)})


some_laws = st.lists(labels, min_size=1, max_size=5, unique=True).flatmap(
    lambda keys: (
        st.lists(st.integers(0, 6), min_size=len(keys), max_size=len(keys)).filter(any).map(lambda ws: law_of(keys, ws))
    )
)


@given(some_laws, st.randoms(use_true_random=False))
def test_equal_laws_are_equal_objects(one: Law, generator: Any) -> None:
    pairs = list(one.items())
    generator.shuffle(pairs)
    assert Law.from_weights({k: 3 * w for k, w in pairs}) == one
    assert sum(one.weights) == one.denominator
    assert min(one.weights) > 0
    assert [k.text for k in one.outcomes] == [k.text for k in Law.from_weights(dict(pairs)).outcomes]


def test_equal_laws_are_equal_objects_however_labels_are_spelled() -> None:
    half = Fraction(1, 2)
    for one, other, beside in ((0, "0", "00"), ([0], "[0]", "A"), (True, "true", "a"), (1, "1", "01")):
        assert label(one) == label(other)
        laws = [Law.from_fractions({label(x): half, label(beside): half}) for x in (one, other)]
        assert laws[0] == laws[1]


@given(some_laws, st.lists(some_laws, min_size=1, max_size=3))
def test_pushing_forward_is_total_probability(one: Law, images: list[Law]) -> None:
    channel = {outcome: images[k % len(images)] for k, outcome in enumerate(one.outcomes)}
    found = one.then(channel.__getitem__)
    wanted: dict[Label, Fraction] = {}
    for outcome in one.outcomes:
        for image in channel[outcome].outcomes:
            p = one.probability(outcome) * channel[outcome].probability(image)
            wanted[image] = wanted.get(image, Fraction(0)) + p
    assert found == Law.from_fractions(wanted)
    assert one.then(Law.point) == one


@given(some_laws, some_laws)
def test_a_product_is_independent(one: Law, other: Law) -> None:
    both = product([one, other], lambda pair: label(list(pair)))
    for x in one.outcomes:
        for y in other.outcomes:
            assert both.probability(label([x, y])) == one.probability(x) * other.probability(y)
    assert product([], lambda _: label("none")) == Law.point(label("none"))


@pytest.mark.parametrize(
    "table",
    [{}, {"a": "1/2"}, {"a": "1/2", "b": "2/3"}, {"a": "3/2", "b": "-1/2"}, {"a": "0"}, {"a": "0.999999999999"}],
)
def test_what_is_no_law_is_refused(table: dict[str, str]) -> None:
    with pytest.raises(pk.InputError):
        Law.of({label(k): v for k, v in table.items()})


# --- losses -----------------------------------------------------------------------------------------------


# --- Python and files -------------------------------------------------------------------------------------


def test_booleans_are_keys_too() -> None:
    """`values = [true, false]` from Python: the key True of a table is the label `true`."""
    half = Fraction(1, 2)
    model = pk.build(
        size=1, values=[True, False], distribution={"iid": {True: half, False: half}}, mechanism={"kind": "identity"}
    )
    assert [w.weight for w in model.thetas[0].worlds()] == [1, 1]


def test_a_mechanism_may_be_a_function() -> None:
    keys: dict[str, Any] = {"size": 2, "values": [0, 1], "distribution": {"iid": {0: "2/3", 1: "1/3"}}}
    models = [
        pk.build(**keys, mechanism={"kind": "sum"}),
        pk.build(**keys, mechanism=sum),
        pk.build(**keys, mechanism=lambda d: {str(sum(d)): 1}),
    ]
    for definition in at_least_one(pk.DEFINITIONS):
        answers = [pk.check(m, definition, epsilon="ln(2)", delta="1/9", replay=False) for m in models]
        assert len({(a.verdict, str(a.tight_delta), str(a.tight_epsilon), a.comparisons) for a in answers}) == 1


def test_a_missing_row_is_unsupported_and_named() -> None:
    rows = [{"database": [v, v], "output": "same"} for v in (0, 1)]
    model = pk.build(
        size=2,
        values=[0, 1],
        distribution={"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]},
        mechanism={"rows": rows},
    )
    assert pk.check(model, "apkdp", epsilon=0).verdict == "holds"
    for definition in ("cdp", "dp"):
        verdict = pk.check(model, definition, epsilon=0)
        assert (verdict.verdict, verdict.exit_status) == ("unsupported", 3)
        assert verdict.reason is not None
        assert "[1, 0]" in verdict.reason
        assert (verdict.tight_delta, verdict.tight_epsilon, verdict.witness) == (None, None, None)


def test_a_verdict_is_no_truth_value() -> None:
    model = pk.build(size=1, values=[0, 1], distribution={"iid": {0: 1}}, mechanism={"kind": "sum"})
    with pytest.raises(TypeError):
        bool(pk.check(model, "dp"))


@pytest.mark.parametrize("part", [{0: 2}, {1: 3}, {0: 1, 1: 2}, {0: 1, 5: 1}])
def test_only_a_factor_divides_a_law(part: dict[int, int]) -> None:
    """A part of one key is a factor only where its weight divides every weight."""
    law = sum_law([{0: 3, 1: 5}])
    assert list(divided(sum_law([{0: 3, 1: 5}, part]), part).items()) == list(law.items())
    with pytest.raises(ValueError, match="no factor"):
        divided(law, part)
