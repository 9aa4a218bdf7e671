"""Models that refute a statement about every record protect every record; each again from the definitions alone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import naive
import pytest

import verifier as pk
from verifier.errors import InputError
from verifier.model.library import models_folder
from verifier.numbers import Epsilon
from verifier.wings.implications import table as relation_table
from verifier.wings.implications.facts import CLAIMS
from verifier.wings.implications.table import relations

Rule = Callable[[tuple[int, ...]], dict[str, Fraction]]
HALF = Fraction(1, 2)


def majority(database: tuple[int, ...]) -> int:
    return sorted(database)[len(database) // 2]


def two(first: str, second: str, chance: Fraction) -> dict[str, Fraction]:
    return {first: chance, second: 1 - chance}


def outputs_of_a(d: tuple[int, ...]) -> dict[str, Fraction]:
    most = majority(d)
    return two(f"{most} alike", f"{most} apart", Fraction(3 if len(set(d)) == 1 else 1, 4))


def tells(d: tuple[int, ...]) -> dict[str, Fraction]:
    first, second = ("c", "c2") if majority(d) == 0 else ("d", "d2")
    return two(first, second, Fraction(3 if (majority(d) == 0) == (2 not in d) else 1, 4))


def merged(d: tuple[int, ...]) -> dict[str, Fraction]:
    return {{"c": "u", "d": "u"}.get(o, "w"): p for o, p in tells(d).items()}


def sure(output: Callable[[tuple[int, ...]], object]) -> Rule:
    return lambda d: {str(output(d)): Fraction(1)}


def published(d: tuple[int, ...]) -> dict[str, Fraction]:
    return {str(d[1] % 2): Fraction(1)} if d[0] == 2 else two("0", "1", HALF)


def convex(d: tuple[int, ...]) -> dict[str, Fraction]:
    weights = (4, 4, 0) if not d[1] else (1, 4, 3) if d[0] else (2, 5, 1)
    return {o: Fraction(w, 8) for o, w in zip("uvw", weights, strict=True) if w}


def factor_two(d: tuple[int, ...]) -> dict[str, Fraction]:
    return two("t", "u", Fraction(2 if d[1] else 4 if d[0] else 1, 8))


def counted(d: tuple[int, ...]) -> dict[str, Fraction]:
    return two("t", "u", Fraction(2 ** sum(d), 16))


Case = tuple[int, int, Rule, dict[tuple[str, str], str]]
COPIES: dict[str, Case] = {
    "relations/counted-copies": (3, 2, counted, {("dp", ""): "ln(2)", ("np", ""): "ln(8)", ("cdp", ""): "ln(2)"}),
    "DMKB20/example-5-one-triple": (3, 2, sure(lambda d: 3 * str(majority(d))), {
        ("np", ""): "inf", ("cdp", ""): "0", ("ibcdp", ""): "0"}),
    "DMKB20/proposition-1-outputs-of-a": (3, 2, outputs_of_a, {("ibcdp", ""): "0", ("cdp", ""): "ln(3)"}),
    "DMKB20/proposition-1-impossible-value": (2, 3, sure(lambda d: "v" if d == (2, 1) else "u"), {
        ("cdp", ""): "0", ("ibcdp", ""): "inf", ("ibcdp", "possible-values"): "0"}),
    "relations/impossible-replacement": (2, 3, published, {
        ("cdp", ""): "0", ("cdp", "all-values"): "inf", ("ibcdp", ""): "inf", ("ibcdp", "possible-values"): "0"}),
    "DMKB20/proposition-1-factor-two": (2, 2, factor_two, {("ibcdp", ""): "ln(2)", ("cdp", ""): "ln(4)"}),
    "composition/ibcdp-one-sided": (2, 2, sure(lambda d: "uvw"[sum(d)]), {
        ("ibcdp", ""): "0", ("ibcdp", "possible-values"): "0"}),
    "composition/ibcdp-one-sided-merged": (2, 2, sure(lambda d: "uuw"[sum(d)]), {("ibcdp", ""): "inf"}),
    "composition/ibcdp-tells": (3, 3, tells, {("ibcdp", ""): "0", ("ibcdp", "possible-values"): "0"}),
    "composition/ibcdp-merged": (3, 3, merged, {("ibcdp", ""): "ln(3)", ("ibcdp", "possible-values"): "0"}),
}  # fmt: skip
"""Copies of a fair bit, by file: how many, how many values T has, what M does, and the smallest ε that is claimed."""


def plain(databases: list[tuple[int, ...]], values: int, rule: Rule) -> naive.Plain:
    size, names = len(databases[0]), [str(v) for v in range(values)]
    rows = [naive.Row(tuple(map(str, d)), "", None, Fraction(1, len(databases))) for d in databases]

    def law(database: tuple[str, ...]) -> dict[str, Fraction]:
        return rule(tuple(map(int, database)))

    return naive.Plain(size, names, {"θ": rows}, law, list(range(size)), names)


def least(of: naive.Plain, definition: str, reading: str = "") -> str:
    found = naive.answer(naive.families(of, definition, reading or "default"), None, Fraction(0))
    return naive.epsilon_text(found.factor)


@pytest.mark.parametrize("name", COPIES)
def test_a_witness_is_what_it_is_said_to_be_by_separate_code(name: str) -> None:
    copies, values, rule, claimed = COPIES[name]
    model = pk.read(models_folder() / f"{name}.toml")
    assert not model.restriction
    assert {theta.name: [w.database for w in theta.worlds()] for theta in model.thetas}.popitem()[1] == [
        (v,) * copies for v in (0, 1)
    ]
    mine = plain([(v,) * copies for v in (0, 1)], values, rule)
    for (definition, reading), epsilon in claimed.items():
        found = pk.check(model, definition, reading=reading or "default")
        assert (str(found.tight_epsilon), found.replayed) == (epsilon, True), (definition, reading)
        assert least(mine, definition, reading) == epsilon, (definition, reading)


def test_the_tail_form_is_not_convex_by_separate_code() -> None:
    mine = plain(list(product((0, 1), repeat=2)), 2, convex)
    zero = Fraction(0)
    at_zero = naive.Exp("rational", Fraction(0), rational=Fraction(1))
    found = {
        name: naive.answer(naive.families(mine, name), at_zero, Fraction(0), tail=True).line
        for name in ("dp", "cdp", "apkdp")
    }
    assert found == {"dp": (Fraction(7, 8), zero), "cdp": (Fraction(15, 16), zero), "apkdp": (Fraction(15, 16), zero)}


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("ratio", [2, 3])
def test_dp_of_n_copies_gives_n_epsilon_of_np_and_no_less(n: int, ratio: int) -> None:
    """M says t with probability e^(ε(s - n))/2, where s of the copies are 1: proofs/relations.md, dp to np."""

    def rule(d: tuple[int, ...]) -> dict[str, Fraction]:
        return two("t", "u", Fraction(ratio) ** (sum(d) - n) / 2)

    model = pk.build(
        size=n,
        values=[0, 1],
        distribution={"table": [{"database": [v] * n, "probability": "1/2"} for v in (0, 1)]},
        mechanism=rule,
    )
    wanted = [f"ln({ratio})", f"ln({ratio**n})", f"ln({ratio**n})", f"ln({ratio**n})"]
    names = ("dp", "np", "ppkdp", "tail-apkdp")
    assert [str(pk.check(model, name).tight_epsilon) for name in names] == wanted
    mine = plain([(v,) * n for v in (0, 1)], 2, rule)
    assert [least(mine, name) for name in ("dp", "np")] == wanted[:2]


def test_records_that_are_known_do_not_count() -> None:
    """Of three bits one is independent and known: two are left open, and the factor is 2."""
    worlds = [(a, a, b) for a, b in product((0, 1), repeat=2)]
    model = pk.build(
        size=3,
        values=[0, 1],
        distribution={"table": [{"database": d, "probability": "1/4"} for d in worlds]},
        knowledge={"records": [2]},
        mechanism=counted,
    )
    assert [str(pk.check(model, name).tight_epsilon) for name in ("dp", "np")] == ["ln(2)", "ln(4)"]


def test_dp_of_some_records_gives_no_epsilon_of_np() -> None:
    model = pk.read(models_folder() / "restricted" / "copy-published.toml")
    held, failed = (pk.check(model, name) for name in ("dp", "np"))
    assert (held.restricted_verdict, str(held.tight_epsilon)) == ("holds, restricted to record 0", "0")
    assert (failed.restricted_verdict, str(failed.tight_epsilon)) == ("fails, restricted to record 0", "inf")


@pytest.mark.parametrize("p", ["1/10", "1/1000"])
def test_the_2_from_dp_to_ibcdp_cannot_be_lowered(p: str) -> None:
    def rule(d: tuple[int, ...]) -> dict[str, Fraction]:
        return two("t", "u", Fraction({"002": 16, "112": 4}.get("".join(map(str, sorted(d))), 8), 64))

    chance = Fraction(p)
    rows = [{"database": [v] * 3, "probability": str(q)} for v, q in ((0, chance), (1, 1 - chance))]
    model = pk.build(size=3, values=[0, 1, 2], distribution={"table": rows}, mechanism=rule)
    assert str(pk.check(model, "dp").tight_epsilon) == "ln(2)"
    found = pk.check(model, "ibcdp").tight_epsilon
    assert isinstance(found, Epsilon)
    assert found.exp == 4 / (1 + 3 * chance)


def test_no_model_that_separates_restricts_the_records() -> None:
    found = relations()
    used = {cell.fact.path for table in (found.pure, found.approximate) for cell in table.values() if cell.fact}
    named = {claim.model for claim in CLAIMS if claim.model}
    for path in sorted(used | named):
        assert not pk.read(models_folder() / path).restriction, path


def test_a_restricted_model_is_refused_as_evidence() -> None:
    path = models_folder() / "restricted" / "copy-published.toml"
    with pytest.raises(InputError, match=r"this model is restricted to record 0; wanted a model without \[sensitive\]"):
        relation_table.fact(path, ("dp", "np"))


def test_dp_gives_np_for_all_bits_of_small_tables() -> None:
    """n·ε for n = 2, on every θ in thirds and mechanisms in quarters; and CDP leaves NP a finite ε."""
    bits = list(product((0, 1), repeat=2))
    chances = [Fraction(k, 4) for k in (0, 1, 4)]
    laws: list[dict[Any, Fraction]] = [dict(zip(bits, c, strict=True)) for c in product(chances, repeat=4)]
    thetas = [w for w in product(range(4), repeat=4) if sum(w) == 3]
    for law, weights in product(laws, thetas):
        rows = [
            naive.Row(tuple(map(str, d)), "", None, Fraction(w, 3)) for d, w in zip(bits, weights, strict=True) if w
        ]

        def rule(d: tuple[str, ...], law: dict[Any, Fraction] = law) -> dict[str, Fraction]:
            chance = law[int(d[0]), int(d[1])]
            return {o: p for o, p in two("t", "u", chance).items() if p}

        mine = naive.Plain(2, ["0", "1"], {"θ": rows}, rule, [0, 1], ["0", "1"])
        dp, cdp, np = (
            naive.answer(naive.families(mine, name), None, Fraction(0)).factor for name in ("dp", "cdp", "np")
        )
        assert dp is None or (np is not None and np <= dp**2)
        assert cdp is None or np is not None
