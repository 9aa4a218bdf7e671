"""Where every ε fails: what no simulator may answer, and the limits of δ that none attains; by hand."""

from __future__ import annotations

from test_simulators import model

import verifier as pk
from verifier.definitions.centres.simulator_ddp import SimulatorWitness


def test_a_least_probability_that_excludes_too_much() -> None:
    """0 and 1 force the answers x and y with 1/2 each, so that z, which 2 gives with 3/5, is never answered."""
    rows = [
        {"database": [0], "output": "x"},
        {"database": [1], "output": "y"},
        {"database": [2], "outputs": {"x": "1/5", "y": "1/5", "z": "3/5"}},
    ]
    one = pk.build(
        size=1, values=[0, 1, 2], distribution={"iid": dict.fromkeys((0, 1, 2), "1/3")}, mechanism={"rows": rows}
    )
    found = pk.check(one, "ddp", delta="1/2")
    assert (found.verdict, str(found.tight_epsilon), found.replayed) == ("fails", "inf", True)
    assert isinstance(found.witness, SimulatorWitness)
    assert "never given" in found.witness.why
    assert (str(found.witness.epsilon), str(found.witness.value)) == ("inf", "1/2")
    limit = pk.check(one, "ddp", delta="1/2", epsilon="inf")
    assert (limit.verdict, str(limit.tight_delta), limit.replayed) == ("fails", "1/2", True)
    assert "limit" in str(limit.reason)
    assert pk.check(one, "ddp", delta="1/4", epsilon="inf").reason is None  # more than δ is lost at every ε
    assert pk.check(one, "ddp", delta="1/2", epsilon="ln(9)").reason is None
    more = pk.check(one, "ddp", delta="51/100")
    assert (more.verdict, str(more.tight_epsilon), more.replayed) == ("holds", "ln(9/2)", True)


def test_the_first_output_that_no_context_can_answer_is_named() -> None:
    """The other record may be known to be 1, so that there "a" is excluded; it may still be answered where that is 0.

    "y0" is excluded in both contexts by D(0) = 1. The other record is 0 with 1/2 where D(0) = 0, and with 1/4 where
    D(0) = 1: the tests are weighed by the ratios, 2 and 2/3.
    """
    joint = {(0, 0): "1/4", (0, 1): "1/4", (1, 0): "1/8", (1, 1): "3/8"}
    told = {(0, 1): "1/2", (1, 1): "1/2"}
    beside = {(0, 0): "a", (0, 1): "y0", (1, 0): "a", (1, 1): "z"}
    one = model(
        size=2,
        distribution=[
            {"name": name, "table": [{"database": list(d), "probability": p} for d, p in table.items()]}
            for name, table in (("open", joint), ("told", told))
        ],
        sensitive={"records": [0]},
        mechanism={
            "rows": [
                {"database": list(d), "outputs": {o: "1/2", "z": "1/2"} if o != "z" else {"z": 1}}
                for d, o in beside.items()
            ]
        },
    )
    found = pk.check(one, "ddp")
    assert (found.verdict, str(found.tight_epsilon), found.replayed) == ("fails", "inf", True)
    assert isinstance(found.witness, SimulatorWitness)
    tests = [
        (test.row.distribution, str(test.row.a), [output.text for output in test.event], test.forward, test.weight)
        for test in found.witness.tests
    ]
    assert tests == [
        ("open", "0", ["y0"], True, "1"),
        ("open", "1", ["y0"], False, "2*E"),
        ("open", "1", ["y0"], False, "2/3*E"),
    ]
    rows = [{"database": [0], "outputs": {"x": "1/2", "y": "1/2"}}, {"database": [1], "output": "x"}]
    single = pk.check(model(mechanism={"rows": rows}), "ddp").witness
    assert isinstance(single, SimulatorWitness)
    assert [(test.event[0].text, test.weight) for test in single.tests] == [("y", "1"), ("y", "E")]
