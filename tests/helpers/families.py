"""Small families, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from hypothesis import strategies as st

from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model.parameters import Family
from verifier.model.read import loads_any
from verifier.numbers import Delta, Epsilon, epsilon, log_epsilon
from verifier.questions.check import check
from verifier.wings.families.answer import VERDICTS, FamilyVerdict
from verifier.wings.families.points import ascending, between

LAWS = ("p", "1 - p", "p*(1 - p)", "(p + 1/2)/2", "p/(1 + p)", "(1 - p)^2", "1/3")
VARYING = LAWS[:-1]
"""Those that depend on p: a file whose parameter stands in no probability is refused."""
RANGES = (("1/5", "1/2"), ("1/4", "3/4"), ("1/3", "2/3"))
WIDE = (("0", "1/2"), ("1/4", "1"), ("0", "1"))
"""Ranges at whose ends an entry is 0 or 1."""
MIXED = '{ rows = [{ input = "1", outputs = { a = "p", b = "1 - p" } }], otherwise = "a" }'
MECHANISMS = (
    'kind = "count"\nvalue = 1',
    'kind = "parity"\nvalue = 1',
    'kind = "threshold-count"\nvalue = 1\nabove = 1',
    f'kind = "count"\nvalue = 1\nthen = [{MIXED}]',
)
POINTS = [Fraction(k, 12) for k in range(13)]


def family(text: str) -> Family:
    """A family from the text of its file."""
    found = loads_any(text)
    if not isinstance(found, Family):
        raise TypeError("no parameters")
    return found


def law(one: str) -> str:
    """A record's law with this probability of 1."""
    return f'{{ 0 = "1 - ({one})", 1 = "{one}" }}'


def mixed(weight: str, first: str, second: str) -> str:
    """The mixture of two shapes of a distribution: both may lead to one world, which then is listed twice."""
    return f'mixture = [ {{ weight = "{weight}", {first} }}, {{ weight = "1 - ({weight})", {second} }} ]'


@st.composite
def mixtures(draw: st.DrawFn) -> Family:
    """One or two records in two parts, over one parameter whose range is closed, and may end where a world vanishes."""
    laws = st.sampled_from(LAWS)
    low, high = draw(st.sampled_from((*RANGES, *WIDE)))
    weight, first, second = draw(st.sampled_from(("1/2", "1/3", "p"))), draw(st.sampled_from(VARYING)), draw(laws)
    return family(
        f"""
size = {draw(st.integers(1, 2))}
values = [0, 1]
[parameters]
p = {{ from = "{low}", to = "{high}" }}
[[distribution]]
{mixed(weight, f"iid = {law(first)}", f"iid = {law(second)}")}
[mechanism]
kind = "count"
value = 1
"""
    )


@st.composite
def families(draw: st.DrawFn) -> Family:
    """Two or three records with laws in p, some known, and a mechanism; at some ends an entry is 0 or 1."""
    size = draw(st.integers(2, 3))
    laws = st.sampled_from(LAWS)
    entries = [law(draw(laws if k else st.sampled_from(VARYING))) for k in range(size)]
    low, high = draw(st.sampled_from((*RANGES, *WIDE)))
    known = draw(st.sampled_from([[], [0], [1]]))
    shape = f"independent = [{', '.join(entries)}]"
    if draw(st.booleans()):
        joined = f"{{ when = [0], table = {law(draw(laws))} }}, {{ when = [1], table = {law('1/2')} }}"
        rest = "".join(f", {{ record = {k}, table = {entries[k]} }}" for k in range(2, size))
        first = f"{{ record = 0, table = {entries[0]} }}"
        shape = f"network = [{first}, {{ record = 1, given = [0], rows = [{joined}] }}{rest}]"
    if draw(st.booleans()):
        shape = mixed("1/2", shape, f"iid = {law('1/3')}")
    mechanism = draw(st.sampled_from(MECHANISMS))
    return family(
        f"""
size = {size}
values = [0, 1]
[parameters]
p = {{ from = "{low}", to = "{high}" }}
[[distribution]]
{shape}
[knowledge]
records = {known}
[mechanism]
{mechanism}
"""
    )


def members(of: Family, points: list[Fraction] = POINTS) -> list[dict[str, Fraction]]:
    """Values on a grid that are in the range, its ends included."""
    (name,) = of.names
    return [{name: at} for at in points if all(one.met({name: at}) for one in of.conditions)]


Engines = dict[Fraction, Engine | None]
"""Those of the members that were asked about: one serves all questions; None where a value is not in the range."""


def values_of(answer: FamilyVerdict) -> Iterator[Fraction]:
    """Rational ends of intervals and pieces, points between all ends, and others."""
    pieces = [*(answer.tight_delta or ()), *(answer.tight_epsilon or ())]
    intervals = [*(part for parts in answer.where.values() for part in parts), *(piece.where for piece in pieces)]
    ends = ascending(end for part in intervals for end in (part.low, part.high) if end is not None)
    yield from (end for end in ends if isinstance(end, Fraction))
    yield from (between(x, y) for x, y in pairwise(ends))
    yield from (Fraction(k, 23) for k in (1, 5, 9, 22, 40))


def agrees(
    answer: FamilyVerdict, members: Family, at: Fraction, asked: str | None, engines: Engines | None = None
) -> bool:
    """Whether a value is in the range; then all that is said of it is what the engine says of the model there."""
    engines = {} if engines is None else engines
    if at not in engines:
        try:
            engines[at] = Engine(members.at({answer.name: at}))
        except InputError:
            engines[at] = None
    engine = engines[at]
    if engine is None:
        return False
    direct = check(engine.model, answer.definition, epsilon=asked, delta=answer.delta, engine=engine, replay=False)
    assert [verdict for verdict in VERDICTS if any(part.has(at) for part in answer.where[verdict])] == [direct.verdict]
    assert (answer.tight_delta is None) == (direct.tight_delta is None or asked is None)
    if answer.tight_delta is not None:
        (piece,) = (piece for piece in answer.tight_delta if piece.where.has(at))
        assert piece.value is not None
        assert isinstance(direct.tight_delta, Delta)
        line = piece.value
        values = line.a.at(at), line.b.at(at)
        if line.epsilon is None:
            assert direct.tight_delta == values[0]
        else:
            assert direct.tight_delta == Delta.of(*values, line.epsilon)
    if answer.tight_epsilon is not None:
        (piece,) = (piece for piece in answer.tight_epsilon if piece.where.has(at))
        assert isinstance(direct.tight_epsilon, Epsilon)
        if piece.value is None:
            assert direct.tight_epsilon.is_infinite
        elif answer.linear:
            assert direct.tight_epsilon == epsilon(piece.value.a.at(at))
        else:
            assert direct.tight_epsilon == log_epsilon(piece.value.a.at(at), 1 / answer.unit)
    return True
