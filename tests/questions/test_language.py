"""The language of statements: what is read, what is printed, what binds more."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies_search import statements

import verifier as pk
from verifier.definitions import DEFINITIONS
from verifier.errors import PkdpError
from verifier.questions.having import PROPERTIES
from verifier.questions.language import RESERVED, statement
from verifier.questions.statement import TRANSFORMS, And, Has, Holds, Not, Or, Scaled, Statement, atoms, iff, implies

pytestmark = pytest.mark.quick


A, B, C = Has("acceptable"), Has("independent"), Has("deterministic")


@settings(max_examples=150, deadline=None)
@given(statements(depth=8))
def test_what_is_printed_reads_the_same(one: Statement) -> None:
    text = str(one)
    assert statement(text) == one
    assert str(statement(text)) == text


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("acceptable and independent or deterministic", Or((And((A, B)), C))),
        ("acceptable or independent and deterministic", Or((A, And((B, C))))),
        ("acceptable => independent => deterministic", implies(A, implies(B, C))),
        ("(acceptable => independent) => deterministic", implies(implies(A, B), C)),
        ("acceptable => independent iff deterministic", implies(A, iff(B, C))),
        ("acceptable iff independent => deterministic", implies(iff(A, B), C)),
        ("not acceptable and independent", And((Not(A), B))),
        ("not (acceptable and independent)", Not(And((A, B)))),
        ("not not acceptable", Not(Not(A))),
        ("(acceptable and independent) and deterministic", And((And((A, B)), C))),
        ("acceptable or independent iff deterministic", iff(Or((A, B)), C)),
        ("np", Holds("np")),
        ("np()", Holds("np")),
        ("noiseless", Holds("np")),
        ("np(inf)", Holds("np", pk.epsilon("inf"))),
        ("np(∞)", Holds("np", pk.epsilon("inf"))),
        ("np(delta=1/10)", Holds("np", None, Fraction(1, 10))),
        ("np( delta = 0.1 , epsilon = 2*ln(3)/5 )", Holds("np", pk.epsilon("2/5*ln(3)"), Fraction(1, 10))),
        ("ppkdp(ln(2), 0.25)", Holds("ppkdp", pk.epsilon("ln(2)"), Fraction(1, 4))),
        ('cdp(reading="all-values", epsilon=e)', Holds("cdp", Scaled("e"), Fraction(0), "all-values")),
        ("cdp(2*e)", Holds("cdp", Scaled("e", Fraction(2)))),
        ("cdp(e*2/3)", Holds("cdp", Scaled("e", Fraction(2, 3)))),
        ("cdp(2/3*e/5)", Holds("cdp", Scaled("e", Fraction(2, 15)))),
        ("cdp(ε, 1/10 + 2*δ + 0.1)", Holds("cdp", Scaled("ε"), Scaled("δ", Fraction(2), Fraction(1, 5)))),
        ("twice(np(e))", Holds("np", Scaled("e"), on="twice")),
        ("post(twice(tail-cdp))", Holds("tail-cdp", on="post twice")),
    ],
)
def test_what_is_read(text: str, tree: Statement) -> None:
    assert statement(text) == tree
    assert statement(str(tree)) == tree


def test_statements_combine_in_python() -> None:
    np, cdp = (statement(text) for text in ("np(e)", "cdp(2*e)"))
    assert np.implies(cdp) == statement("np(e) => cdp(2*e)")
    assert (np & cdp | ~np) == statement("np(e) and cdp(2*e) or not np(e)")
    assert np.iff(cdp) == statement("np(e) iff cdp(2*e)")
    assert statement(np) is np
    assert list(atoms(np.iff(cdp))) == [np, cdp]


def test_names_do_not_collide() -> None:
    names = [*DEFINITIONS, *(alias for one in DEFINITIONS.values() for alias in one.aliases), *PROPERTIES, *RESERVED]
    assert len(set(names)) == len(names)
    assert set(TRANSFORMS) <= set(RESERVED)
    assert all(feature.text and feature.text[-1] in ".:]}i" for feature in PROPERTIES.values())


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='np(e)=>,cdp 2*/+-"∞1.0xδandortwicelniff', max_size=40))
def test_anything_is_read_or_refused(text: str) -> None:
    with suppress(PkdpError):
        one = statement(text)
        assert statement(str(one)) == one
