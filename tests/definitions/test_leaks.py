"""Bounded leakage against the words of DP22, Definition 40: what leaks has coins in common with the mechanism."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest
from strategies_policy import OUTPUTS, PolicyModel, leak_laws

import verifier as pk
from verifier.model.write import toml_text
from verifier.numbers import epsilon

Law = dict[str, Fraction]
EPSILON, FACTOR = "ln(3/2)", Fraction(3, 2)


def drawn(seed: int) -> dict[str, Any]:
    """The tables of a random model of lists, with a law of output and leak for each database."""
    random = Random(seed)  # noqa: S311
    tables = tomllib.loads(PolicyModel(random, "lists").text)
    tables["policy"] = {"leak": leak_laws(random, tables["mechanism"]["table"])}
    tables.pop("sensitive", None)
    return tables


def given_leaks(tables: dict[str, Any]) -> Iterator[tuple[Law, Law]]:
    """The laws of the output of two neighbours, in both orders, given each leak that both can have."""
    laws: dict[tuple[str, ...], dict[str, Law]] = {}
    for row in tables["policy"]["leak"]:
        by_leak = laws.setdefault(tuple(row["database"]), {})
        for pair, p in row["outputs"].items():
            output, leak = pair.strip("[]").split(", ")
            by_leak.setdefault(leak, {})[output] = Fraction(p)
    for first, second in permutations(laws, 2):
        if sum(a != b for a, b in zip(first, second, strict=True)) == 1:
            for leak in laws[first].keys() & laws[second].keys():
                p, q = laws[first][leak], laws[second][leak]
                p, q = ({o: x / sum(law.values()) for o, x in law.items()} for law in (p, q))
                yield p, q


@pytest.mark.parametrize("seed", range(40))
def test_it_is_what_the_definition_says(seed: int) -> None:
    """The smallest ε at δ = 0, the smallest δ at an ε; the checker derives both, too."""
    tables = drawn(seed)
    model, pairs = pk.loads(toml_text(tables), ""), list(given_leaks(tables))
    answer = pk.check(model, "bldp", epsilon=EPSILON)
    assert answer.replayed
    if not pairs:
        assert answer.verdict == "vacuous"
        return
    excess = [sum(max(Fraction(0), p - FACTOR * P_Q[1].get(o, 0)) for o, p in P_Q[0].items()) for P_Q in pairs]
    assert str(answer.tight_delta) == str(max(excess))
    if any(set(p) - set(q) for p, q in pairs):
        assert str(answer.tight_epsilon) == "inf"
    else:
        assert answer.tight_epsilon == epsilon(f"ln({max(p[o] / q[o] for p, q in pairs for o in p)})")


@pytest.mark.parametrize("seed", range(12))
def test_a_leak_that_is_read_off_the_output_has_two_forms(seed: int) -> None:
    """The joint law of an output and a function of it says what the table of the function says."""
    tables = drawn(seed)
    table = {o: Random(seed + k).choice("pq") for k, o in enumerate(OUTPUTS)}  # noqa: S311
    tables["policy"]["leak"] = table
    joint = {
        **tables,
        "policy": {
            "leak": [
                {"database": row["database"], "outputs": {f"[{o}, {table[o]}]": p for o, p in row["outputs"].items()}}
                for row in tables["mechanism"]["table"]
            ]
        },
    }
    answers = [
        pk.check(pk.loads(toml_text(form), ""), "bldp", delta=delta)
        for form in (tables, joint)
        for delta in ("0", "1/9")
    ]
    said = [(answer.verdict, str(answer.tight_epsilon), answer.comparisons) for answer in answers]
    assert said[:2] == said[2:]


def test_a_leak_is_about_the_mechanism_of_its_file() -> None:
    """With another mechanism it is not decided; what does not read it is."""
    model = pk.loads(toml_text(drawn(0)), "")
    other = pk.with_mechanism(model, {"kind": "constant", "output": "y"})
    answer = pk.check(other, "bldp")
    assert answer.verdict == "unsupported"
    assert answer.reason == "[policy] leak has the outputs of another mechanism than this one."
    assert pk.check(other, "adp").replayed
