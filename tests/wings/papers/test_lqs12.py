"""The numbers of LQS12's examples and counterexamples, derived a second time, by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twin_laws import Twin

import verifier as pk
from verifier.errors import InputError
from verifier.model.library import models_folder

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def test_a_sample_may_be_smaller_than_all_databases_of_the_file() -> None:
    """The checker reads the rows on samples too, and compares them with the file."""
    found = pk.check(pk.read(models_folder() / "LQS12" / "theorem-1-from-two.toml"), "dps", epsilon=0)
    assert (found.verdict, found.replayed, found.unchecked) == ("fails", True, "")


# --- a database has no order ------------------------------------------------------------------------------


def test_a_function_that_depends_on_the_order_is_refused_with_both_databases() -> None:
    with pytest.raises(InputError, match=r"tells \[t, u\] from \[u, t\]"):
        pk.build(size=(0, 2), values=["t", "u"], mechanism=lambda d: d[0] if d else "nobody")


def test_the_choice_meets_smaller_databases_only_with_a_sample() -> None:
    """A_m that tells the empty database apart is constant on databases of one tuple or more."""
    keys = {
        "size": (1, 2),
        "values": ["t"],
        "mechanism": {
            "kind": "k-anonymization",
            "k": 1,
            "generalizations": {"0": {"t": "a"}, "1": {"t": "b"}},
            "choose": {"kind": "threshold-count", "value": "t", "above": 0, "then": [
                {"rows": [{"input": 1, "output": 1}, {"input": 2, "output": 1}], "otherwise": 0}]},
        },
    }  # fmt: skip
    assert pk.strongly_safe(pk.build(**keys)).verdict == "holds"
    keys["mechanism"] = {**keys["mechanism"], "sample": "1/2"}  # type: ignore[dict-item]
    assert pk.strongly_safe(pk.build(**keys)).verdict == "fails"
    assert pk.check(pk.build(**keys), "safe", epsilon=1).verdict == "fails"


def test_a_k_anonymization_of_one_size() -> None:
    """The choice may depend on the order of the records there; A(D, k) = Apply(A_m(D), D, k) all the same."""
    maps = {"g": {"t": "a", "u": "a"}, "h": {"t": "a", "u": "b"}}
    databases = list(product("tu", repeat=2))
    rows = [{"database": list(d), "outputs": {"g": f"{k}/5", "h": f"{5 - k}/5"}} for k, d in enumerate(databases)]
    for shows in (False, True):
        kind = {"kind": "k-anonymization", "k": 2, "generalizations": maps, "choose": {"rows": rows}}
        model = pk.build(
            size=2,
            values=["t", "u"],
            distribution={"iid": {"t": HALF, "u": HALF}},
            mechanism={**kind, "shows-mapping": shows},
        )
        wanted = Twin({**kind, "shows-mapping": shows}, ["t", "u"], 2)
        for positions, database in zip(product((0, 1), repeat=2), databases, strict=True):
            law = model.mechanism.law(positions)
            assert {o.text: Fraction(w, law.denominator) for o, w in law.items()} == wanted.law(database)
        assert (pk.k_anonymity(model).verdict, pk.k_anonymity(model).replayed) == ("holds", True)
        assert pk.strongly_safe(model).verdict == "fails"
        assert pk.check(model, "dp", epsilon=1).replayed is True


# --- what replaces Theorem 3.11 ---------------------------------------------------------------------------

RECODINGS = {
    "first": {"t": "t or 1", "1": "t or 1", "2": "2"},
    "second": {"t": "t or 2", "1": "1", "2": "t or 2"},
}


def repaired(k: int, rate: Fraction, factor: Fraction, chosen: Fraction) -> Fraction:
    """The δ of `proofs/sampling.md`, a recoding chosen on the sample: crowds of up to 30 tuples."""
    odds = rate * chosen / (1 - rate)
    tilted = odds / (1 + odds)
    gamma = (factor - 1 + rate) / (factor - 1 + rate + (1 - rate) * chosen**2)
    return max(
        sum((comb(n, j) * tilted**j * (1 - tilted) ** (n - j) for j in range(k, n + 1) if j > gamma * n), Fraction(0))
        for n in range(k, 31)
    )


@given(st.lists(st.integers(1, 4), min_size=20, max_size=20), st.sampled_from([1, 2]), st.sampled_from(["1/2", "1/5"]))
@settings(max_examples=15, deadline=None)
def test_the_repaired_theorem_3_11_covers_random_choices(weights: list[int], k: int, sample: str) -> None:
    databases = [d for n in range(4) for d in combinations_with_replacement("t12", n)]
    rows = [
        {"database": list(d), "outputs": {"first": str(Fraction(w, 5)), "second": str(1 - Fraction(w, 5))}}
        for d, w in zip(databases, weights, strict=True)
    ]
    mechanism = {
        "kind": "k-anonymization",
        "k": k,
        "sample": sample,
        "generalizations": RECODINGS,
        "choose": {"rows": rows},
    }
    model = pk.build(size=(0, 3), values=["t", "1", "2"], mechanism=mechanism)
    safe, rate = str(pk.check(model, "safe").tight_epsilon), Fraction(sample)
    chosen = Fraction(safe[3:-1]) if safe.startswith("ln(") else Fraction(1)
    factor = max(1 / (1 - rate), 1 - rate + rate * chosen**3) + 1
    found = pk.check(model, "dps", epsilon=f"ln({factor})", reading="any-delta")
    assert found.tight_delta.a <= repaired(k, rate, factor, chosen)  # type: ignore[union-attr]
