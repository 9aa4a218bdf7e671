"""The laws of privacy: what must be true of every definition, whatever the model."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import lcm
from typing import Any

import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import VALUES, Case, cases, channels, kinds, mechanisms, random_tables, shapes, weights
from twin_laws import Twin, text

import verifier as pk
from verifier.numbers import Delta, Order, log_epsilon
from verifier.profile import NO_LOSS, Profile, maximum, profile_of, weighted_sum

ONE = Fraction(1)
RECORDS = ("np", "apkdp", "ppkdp", "cdp", "dp")


def curve(model: pk.Model, definition: str, reading: str = "default") -> Profile:
    """The whole profile."""
    found = pk.check(model, definition, reading=reading, replay=False).profile
    assert isinstance(found, Profile)
    return found


def at(profile: Profile, factor: Fraction) -> Fraction:
    found = profile.delta(log_epsilon(factor)).rational
    assert found is not None
    return found


def below(low: Profile, *highs: Profile) -> bool:
    """Whether a curve is nowhere above the maximum of others: piecewise linear, so breakpoints are enough."""
    return maximum([low, *highs]) == maximum(highs)


def applicable(case: Case) -> tuple[str, ...]:
    return RECORDS if case.plain.secrets is not None else ("np", "apkdp", "ppkdp")


@given(case=cases(), data=st.data())
def test_post_processing_never_helps_the_attacker(case: Case, data: st.DataObject) -> None:
    spec = case.keys["mechanism"]
    step = data.draw(channels(spec, case.keys["values"], case.keys["size"]))
    after = pk.build(**{**case.keys, "mechanism": {**spec, "then": [*spec.get("then", []), step]}})
    before = pk.build(**case.keys)
    for definition in applicable(case):
        assert below(curve(after, definition), curve(before, definition))


@given(case=cases(), data=st.data(), share=st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)]))
def test_a_random_choice_of_two_mechanisms_is_between(case: Case, data: st.DataObject, share: Fraction) -> None:
    """DMKB20, Proposition 5: convexity; here with the sharper bound p·δ₁ + (1-p)·δ₂ for each comparison."""
    values, size = case.keys["values"], case.keys["size"]
    other = data.draw(random_tables(values, size, ["p", "q", "r"]))
    first, second = Twin(case.keys["mechanism"], values, size), Twin(other, values, size)

    def mixed(database: tuple[Any, ...]) -> dict[str, Fraction]:
        law: dict[str, Fraction] = {}
        for weight, part in ((share, first), (1 - share, second)):
            for output, p in part.law(database).items():
                law[output] = law.get(output, Fraction(0)) + weight * p
        return law

    one, two = pk.build(**case.keys), pk.build(**{**case.keys, "mechanism": other})
    both = pk.build(**{**case.keys, "mechanism": mixed})
    for definition in applicable(case):
        x, y, z = (curve(model, definition) for model in (one, two, both))
        assert below(z, x, y)
        assert below(z, weighted_sum([(share, x), (1 - share, y)]))


@given(cases())
@settings(max_examples=30)
def test_larger_parameters_are_weaker(case: Case) -> None:
    model = pk.build(**case.keys)
    engine = pk.engine.Engine(model)
    epsilons = ["0", "1/10", "1/2*ln(2)", "ln(2)", "1", "2*ln(3)", "inf"]
    deltas = [Fraction(0), Fraction(1, 10), Fraction(1, 2), ONE]
    for definition in applicable(case):
        table = [
            [pk.check(model, definition, epsilon=e, delta=d, engine=engine, replay=False) for d in deltas]
            for e in epsilons
        ]
        if table[0][0].verdict == "vacuous":
            assert {one.verdict for row in table for one in row} == {"vacuous"}
            continue
        holds = [[one.verdict == "holds" for one in row] for row in table]
        assert all(x <= y for row in holds for x, y in pairwise(row))
        assert all(x <= y for one, two in pairwise(holds) for x, y in zip(one, two, strict=True))
        assert all(row[-1] for row in holds)
        for d in range(len(deltas)):
            tight = table[0][d].tight_epsilon
            assert all(row[d].tight_epsilon == tight for row in table)
            assert tight is not None
            again = pk.check(model, definition, epsilon=tight, delta=deltas[d], engine=engine, replay=False)
            assert again.verdict == ("fails" if tight.is_infinite else "holds")
        for row in table:
            found = row[0].tight_delta
            assert isinstance(found, Delta)
            assert found.order(Fraction(0)) in {Order.EQUAL, Order.GREATER}
            assert found.order(ONE) in {Order.EQUAL, Order.LESS}


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, list[str], list[Any], dict[tuple[str, ...], dict[str, Fraction]]]:
    """A model in plain parts, to be renamed: size, T, rows (database, B̂, probability), mechanism."""
    size, values = draw(st.sampled_from([(2, ["a", "b"]), (2, ["a", "b", "c"]), (3, ["a", "b"])]))
    every = list(product(values, repeat=size))
    chosen = draw(
        st.lists(st.tuples(st.sampled_from(every), st.sampled_from("xy")), unique=True, min_size=3, max_size=8)
    )
    shares = draw(weights(len(chosen)))
    rows = [(d, k, p) for (d, k), p in zip(chosen, shares, strict=True)]
    laws = {d: dict(zip("uvw", draw(weights(3)), strict=True)) for d in every}
    return size, values, rows, laws


def built(size: int, values: list[str], rows: list[Any], laws: dict[tuple[str, ...], dict[str, Fraction]]) -> pk.Model:
    return pk.build(
        size=size,
        values=values,
        distribution={"table": [{"database": d, "knowledge": k, "probability": p} for d, k, p in rows]},
        mechanism=lambda d: {o: p for o, p in laws[d].items() if p},
    )


@given(parts=tables(), data=st.data())
def test_names_and_order_do_not_matter(parts: Any, data: st.DataObject) -> None:
    size, values, rows, laws = parts
    shuffled = data.draw(st.permutations(values))
    value = dict(zip(values, data.draw(st.permutations(["C", "A", "B"])), strict=False))
    output = dict(zip("uvw", data.draw(st.permutations(["9", "⊥", "10"])), strict=True))
    record = data.draw(st.permutations(range(size)))

    def renamed(database: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(value[database[i]] for i in record)

    one = built(*parts)
    other = built(
        size,
        [value[v] for v in shuffled],
        data.draw(st.permutations([(renamed(d), k.upper(), p) for d, k, p in rows])),
        {renamed(d): {output[o]: p for o, p in law.items()} for d, law in laws.items()},
    )
    for definition in RECORDS:
        for epsilon in ("ln(3/2)", "1/5"):
            x, y = (pk.check(m, definition, epsilon=epsilon, delta="1/20", replay=False) for m in (one, other))
            for key in ("verdict", "tight_delta", "tight_epsilon", "comparisons", "multiplicity", "empty"):
                assert getattr(x, key) == getattr(y, key)
            if x.verdict != "vacuous":
                assert x.profile == y.profile


@given(cases())
def test_active_and_passive(case: Case) -> None:
    """PPKDP is the average of what APKDP takes the maximum of (DMKB20, Theorem 1), so it is weaker."""
    model = pk.build(**case.keys)
    active, passive = curve(model, "apkdp"), curve(model, "ppkdp")
    assert below(passive, active)
    assert active == curve(model, "np")
    zero = [pk.check(model, d, epsilon="ln(2)", replay=False) for d in ("apkdp", "ppkdp")]
    assert zero[0].tight_epsilon == zero[1].tight_epsilon
    assert zero[0].verdict == zero[1].verdict
    worst = [NO_LOSS]
    for family in naive.families(case.plain, "apkdp"):
        groups: dict[tuple[str | None, str], list[tuple[Fraction, Profile]]] = {}
        for one in family:
            pair = one.pairs[0]
            groups.setdefault((one.a, one.b), []).append((chance(case, one), profile(pair.p, pair.q or {})))
        worst += [weighted_sum(terms) for terms in groups.values()]
    assert passive == maximum(worst)
    assert below(passive, curve(model, "ppkdp", "infinite-loss"))


def chance(case: Case, one: naive.Compared) -> Fraction:
    """P[B̂ | S = a]."""

    def secret(row: naive.Row) -> str | None:
        return row.sensitive if one.record is None else row.database[one.record]

    rows = [row for row in case.plain.worlds[str(one.theta)] if secret(row) == one.a]
    return sum((r.p for r in rows if r.knowledge == one.pairs[0].knowledge), Fraction(0)) / sum(r.p for r in rows)


def profile(p: naive.Law, q: naive.Law) -> Profile:
    """The profile of two laws of fractions."""
    shared = lcm(*(x.denominator for x in (*p.values(), *q.values())))
    outputs = sorted({*p, *q})
    return profile_of([int(p.get(o, 0) * shared) for o in outputs], [int(q.get(o, 0) * shared) for o in outputs])


@st.composite
def independent(draw: st.DrawFn, *, full: bool = False) -> dict[str, Any]:
    """Independent records and any mechanism."""
    values = draw(st.sampled_from(VALUES))
    size = draw(st.integers(1, 3 if len(values) == 2 else 2))
    law = st.lists(st.integers(1, 4), min_size=len(values), max_size=len(values)).map(
        lambda ws: [Fraction(w, sum(ws)) for w in ws]
    )
    tables_ = [
        {text(v): p for v, p in zip(values, draw(law if full else weights(len(values))), strict=True)}
        for _ in range(size)
    ]
    return {
        "size": size,
        "values": values,
        "distribution": {"independent": tables_},
        "mechanism": draw(mechanisms(values, size)),
    }


@given(keys=independent(), data=st.data())
def test_noiseless_and_causal_are_one_for_independent_records(keys: dict[str, Any], data: st.DataObject) -> None:
    """DMKB20, Proposition 2, with δ: records that are independent given B̂."""
    known = data.draw(st.lists(st.sampled_from(range(keys["size"])), unique=True))
    model = pk.build(**keys, knowledge={"records": known})
    assert curve(model, "np") == curve(model, "cdp")
    verdicts = [pk.check(model, d, epsilon="ln(2)", replay=False).verdict for d in ("np", "cdp")]
    assert verdicts[0] == verdicts[1]


@given(independent(full=True))
def test_full_knowledge_is_differential_privacy(keys: dict[str, Any]) -> None:
    """B = D without i, full support: the worst i is DP ([TSD17], quoted after Definition 12)."""
    size = keys["size"]
    curves = []
    for i in range(size):
        others = [j for j in range(size) if j != i]
        model = pk.build(**keys, knowledge={"records": others}, sensitive={"records": [i]})
        curves.append(curve(model, "apkdp"))
    assert maximum(curves) == curve(pk.build(**keys), "dp")


@given(keys=independent(), data=st.data())
def test_more_knowledge_is_stronger_where_it_is_independent(keys: dict[str, Any], data: st.DataObject) -> None:
    """DMKB20, Section 2.3, for knowledge of other independent records."""
    i = data.draw(st.integers(0, keys["size"] - 1))
    others = [j for j in range(keys["size"]) if j != i]
    more = data.draw(st.lists(st.sampled_from(others), unique=True)) if others else []
    less = more[: len(more) // 2]
    models = [pk.build(**keys, knowledge={"records": k}, sensitive={"records": [i]}) for k in (less, more, others)]
    for definition in ("apkdp", "ppkdp"):
        curves = [curve(model, definition) for model in models]
        assert below(curves[0], curves[1])
        assert below(curves[1], curves[2])
    assert below(curve(models[2], "apkdp"), curve(models[2], "dp"))


@given(data=st.data())
@settings(max_examples=40)
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


@pytest.mark.parametrize("keep", [Fraction(0), Fraction(1, 2), Fraction(9, 10), ONE])
@pytest.mark.parametrize("values", VALUES)
def test_randomized_response_by_hand(values: list[Any], keep: Fraction) -> None:
    """P/Q = 1 + keep·|T|/(1 - keep) on the kept value; δ(ε) = keep + (1 - keep)/|T|·(1 - e^ε)."""
    model = pk.build(
        size=1,
        values=values,
        distribution={"iid": {text(v): Fraction(1, len(values)) for v in values}},
        mechanism={"kind": "randomized-response", "keep": keep},
    )
    share = (1 - keep) / len(values)
    for definition in RECORDS:
        verdict = pk.check(model, definition, epsilon="ln(3/2)")
        wanted = None if share == 0 else (keep + share) / share
        assert str(verdict.tight_epsilon) == naive.epsilon_text(wanted)
        assert str(verdict.tight_delta) == str(max(Fraction(0), keep - share / 2))


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)])
def test_geometric_noise_is_cut_without_loss(p: Fraction) -> None:
    """DMKB20, Definition 19: ε = ln(1/p) for a count; and the infinite sum between its window and the rest."""
    model = pk.build(
        size=2,
        values=[0, 1],
        distribution={"iid": {0: "1/3", 1: "2/3"}},
        mechanism={"kind": "count", "value": 1, "then": [{"kind": "geometric-noise", "p": p}]},
    )
    assert pk.check(model, "dp", epsilon=0).tight_epsilon == log_epsilon(1 / p)
    assert pk.check(model, "apkdp", epsilon=0).tight_epsilon == log_epsilon(1 / p)

    def noisy(k: int, counts: dict[int, Fraction]) -> Fraction:
        return sum((w * (1 - p) / (1 + p) * p ** abs(k - c) for c, w in counts.items()), Fraction(0))

    low, high = {0: Fraction(1, 3), 1: Fraction(2, 3)}, {1: Fraction(1, 3), 2: Fraction(2, 3)}
    for factor in (ONE, Fraction(21, 20), Fraction(3, 2)):
        found = at(curve(model, "apkdp"), factor)
        window = max(
            sum((max(Fraction(0), noisy(k, x) - factor * noisy(k, y)) for k in range(-60, 63)), Fraction(0))
            for x, y in ((low, high), (high, low))
        )
        assert window <= found <= window + 2 * p**60


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
