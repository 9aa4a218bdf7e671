"""Outputs that [policy] names: kept apart from the tails of noise, or refused; the checker reads them by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from filing import file_of, written
from noise import BIT, COUNT, noise
from rechecked import refused

import verifier as pk

PARITY = {"kind": "parity", "value": 1}
NAMED: list[tuple[str, dict[str, Any], str, str]] = [
    ("at the end", COUNT, "9", "1/1536"),
    ("below", COUNT, "-4", "1/96"),
    ("in a part", {"kind": "part", "of": COUNT}, "9", "1/1536"),
    ("in a list", {"kind": "all", "of": [COUNT, PARITY]}, "[9,1]", "1/768"),
    ("in a list in a list", {"kind": "all", "of": [PARITY, {"kind": "all", "of": [COUNT]}]}, "[1,[9]]", "1/768"),
    ("first of two", {"kind": "adaptive", "first": COUNT, "otherwise": PARITY}, "[9,1]", "1/768"),
    ("second of two", {"kind": "adaptive", "first": PARITY, "otherwise": COUNT}, "[1,9]", "1/768"),
    (
        "in a choice",
        {"kind": "choice", "shown": True, "of": [{"weight": "1/2", "mechanism": m} for m in (COUNT, PARITY)]},
        '["#1",9]',
        "1/3072",
    ),
    (
        "behind a step",
        {**COUNT, "then": [noise("1/2"), {"rows": [{"input": 9, "output": "nine"}], "otherwise": "another"}]},
        "nine",
        "1/1536",
    ),
]


@pytest.mark.parametrize(("mechanism", "output", "epsilon"), [row[1:] for row in NAMED], ids=[row[0] for row in NAMED])
def test_an_output_that_is_named_is_kept_apart(
    mechanism: dict[str, Any], output: str, epsilon: str, tmp_path: Path
) -> None:
    """CBDP with |t - 1| and h = 1 on one output: its chance at 1 less that at 0, in both programs."""
    policy = {"divergence": "abs-1", "tests": [{output: "1"}]}
    model = written(tmp_path, file_of({**BIT, "mechanism": mechanism, "policy": policy}))
    assert str(pk.check(model, "cbdp", replay=False).tight_epsilon) == epsilon
    assert refused(pk.check(model, "cbdp", replay=False), model.text) is None


def test_an_image_a_leak_and_a_view_of_a_far_output() -> None:
    """7 has an image, a leak and a view of its own: the ratio 2 of its two chances is seen."""
    rest = {str(o): "other" for o in ("< 0", *range(7), "> 7")}
    special = {**rest, "7": "seven"}
    seen = {"views": [special, {**rest, "7": "other"}], "blocks": [[0], [1]], "tradeoff": [["0", "1"], ["1", "0"]]}
    for key, fields, epsilon in (
        ("subdp", {"image": special}, "ln(2)"),
        ("bldp", {"leak": special}, "ln(383/191)"),
        ("sfdp", seen, None),
    ):
        shape = {**BIT, "size": 2 if key == "sfdp" else 1}
        answer = pk.check(pk.build(**shape, mechanism=COUNT, policy=fields), key)
        assert answer.replayed, key
        if epsilon:
            assert str(answer.tight_epsilon) == epsilon
        else:
            assert answer.verdict == "fails"


@pytest.mark.parametrize("field", ["tests", "leak", "image", "views"])
@pytest.mark.parametrize(
    ("named", "fault"),
    [
        (["Yes", "no"], "the mechanism never puts out"),
        (["no", "maybe"], "maybe. Expected"),
        (["yes", "no"], ""),
    ],
)
def test_an_output_that_never_comes_is_refused(field: str, named: list[str], fault: str) -> None:
    mechanism = {"table": [{"database": [0], "output": "yes"}, {"database": [1], "output": "no"}]}
    table = dict.fromkeys(named, "1")
    policy = {field: table if field in {"leak", "image"} else [table]}
    if not fault:
        assert pk.build(**BIT, mechanism=mechanism, policy=policy).policy.has(field)
        return
    with pytest.raises(pk.InputError, match=fault) as refused:
        pk.build(**BIT, mechanism=mechanism, policy=policy)
    assert f"[policy], {field}" in str(refused.value)


def test_a_function_on_more_outputs_than_there_are() -> None:
    """A table that names every output may name others: one [policy] may go with many mechanisms."""
    mechanism = {"table": [{"database": [0], "output": "yes"}], "otherwise": "yes"}
    assert pk.build(**BIT, mechanism=mechanism, policy={"image": {"yes": "y", "no": "n"}}).policy.image
    kept = {"table": [{"database": [0], "outputs": {"yes": "1", "no": "0"}}], "otherwise": "yes"}
    assert pk.build(**BIT, mechanism=kept, policy={"tests": [{"no": "1"}]}).policy.tests, "of probability 0"


@pytest.mark.parametrize("named", ["> 5", "< -3", '["> 1", 0]'])
def test_a_part_of_a_tail_is_refused(named: str) -> None:
    mechanism = {"kind": "all", "of": [COUNT, PARITY]} if named.startswith("[") else COUNT
    with pytest.raises(pk.InputError, match=r"part of the lumped tail|never puts out"):
        pk.build(**BIT, mechanism=mechanism, policy={"tests": [{named: "1", "9": "1", "[4,1]": "1"}]})


def test_a_mechanism_that_is_put_in_later() -> None:
    """Its noise keeps apart what [policy] names; a mechanism that is made already is refused."""
    model = pk.build(**BIT, mechanism=PARITY, policy={"divergence": "abs-1", "tests": [{1: "1"}]})
    far = pk.build(**BIT, mechanism=COUNT)
    named = pk.build(**BIT, mechanism=COUNT, policy={"divergence": "abs-1", "tests": [{9: "1"}]})
    assert pk.with_mechanism(model, far.mechanism).mechanism is far.mechanism
    assert str(pk.check(pk.with_mechanism(named, COUNT), "cbdp").tight_epsilon) == "1/1536"
    with pytest.raises(pk.InputError, match="part of the lumped tail"):
        pk.with_mechanism(named, far.mechanism)


def test_steps_after_a_sample_of_noisy_parts_know_the_tails() -> None:
    sampled = {
        "kind": "all",
        "of": [COUNT],
        "sample": "1/2",
        "then": [{"rows": [{"input": [9], "output": "x"}], "otherwise": "y"}],
    }
    with pytest.raises(pk.InputError, match="part of the lumped tail"):
        pk.build(**BIT, mechanism=sampled)


@pytest.mark.parametrize(("named", "depth"), [("[9]", 1), ("[-1]", 1), ('["> 5"]', 1), ("[[2]]", 2), ("[[[9]]]", 3)])
@pytest.mark.parametrize("place", ["mechanism", "knowledge"])
def test_a_later_step_cannot_split_a_lumped_tail(named: str, depth: int, place: str) -> None:
    """Else noise inside `all` would be read as no noise at all, and dp would hold with ε = 0."""
    noisy: dict[str, Any] = {"kind": "count", "value": 1, "then": [{"kind": "geometric-noise", "p": "1/2"}]}
    for _ in range(depth):
        noisy = {"kind": "all", "of": [noisy]}
    noisy["then"] = [{"rows": [{"input": named, "output": "x"}], "otherwise": "y"}]
    others = {"mechanism": {"kind": "sum"}, place: noisy}
    with pytest.raises(pk.InputError, match="lumped tail"):
        pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, **others)


def test_labels_that_look_like_tails_are_labels() -> None:
    rows = [{"input": "< 20", "output": "young"}, {"input": "< 40", "output": "older"}]
    model = pk.build(
        size=1,
        values=["< 20", "< 40"],
        distribution={"iid": {"< 20": "1/2", "< 40": "1/2"}},
        mechanism={"kind": "maximum", "then": [{"rows": rows}]},
    )
    assert str(pk.check(model, "np").tight_epsilon) == "inf"
