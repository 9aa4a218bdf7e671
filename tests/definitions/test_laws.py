"""The laws of privacy: what must be true of every definition, whatever the model."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import VALUES, kinds, mechanisms, shapes
from twin_laws import Twin

import verifier as pk

RECORDS = ("np", "apkdp", "ppkdp", "cdp", "dp")


@given(data=st.data())
@settings(max_examples=24)
def test_a_channel_of_the_knowledge_column_is_the_column(data: st.DataObject) -> None:
    """B = ζ(D) written as a mechanism, as a Python function, and as a column of the table."""
    values = data.draw(st.sampled_from(VALUES))
    size = data.draw(st.integers(1, 2))
    knowledge = data.draw(kinds(values, size, deterministic=True))
    shape, rows = data.draw(shapes(values, size, ("table",)))
    mechanism = data.draw(mechanisms(values, size))
    zeta = Twin(knowledge, values, size)

    def heard(database: tuple[Any, ...]) -> str:
        return next(iter(zeta.law(tuple(database))))

    keys = {"size": size, "values": values, "mechanism": mechanism}
    column = [{**row, "knowledge": heard(tuple(row["database"]))} for row in shape["table"]]
    models = [
        pk.build(**keys, distribution=shape, knowledge=knowledge),
        pk.build(**keys, distribution=shape, knowledge=heard),
        pk.build(**keys, distribution={"table": column}),
    ]
    assert rows
    for definition in RECORDS:
        answers = [pk.check(m, definition, epsilon="ln(2)", delta="1/9", replay=False).to_json() for m in models]
        for answer in answers:
            for shown in ("witness", "tightest"):
                answer[shown] = None  # a list and its text are spelled differently
        assert answers[0] == answers[1] == answers[2]


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
