"""The independent re-check over databases of several sizes: honest answers are accepted, forged ones rejected."""

from __future__ import annotations

import pytest

import verifier as pk

# --- properties -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "delta"), [([0, 1], "0"), ([1, 1], "0"), ([0, 2], "0")])
def test_databases_of_a_tuple_or_none(size: list[int], delta: str) -> None:
    """The smallest sizes that are compared at all, and one that compares nothing."""
    noise = {"kind": "geometric-noise", "p": "1/11"}
    model = pk.build(size=size, values=["t", "u"], mechanism={"kind": "count", "value": "t", "then": [noise]})
    found = pk.check(model, "dps", delta=delta)
    assert found.replayed is True
    assert (found.verdict, str(found.tight_epsilon)) == (("vacuous", "0") if size == [1, 1] else ("holds", "ln(11)"))
