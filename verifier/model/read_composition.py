"""Reading mechanisms that are made of mechanisms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from verifier.errors import InputError
from verifier.model.composition import adaptive, choice, jointly, on_records
from verifier.model.mechanism import Mechanism
from verifier.model.place import Keys, Place, listed
from verifier.model.ranges import refuse_others
from verifier.model.scope import Scope
from verifier.numbers import cut, probability, shorten
from verifier.tables import Label, Law

Reader = Callable[[object, Scope, Place], Mechanism]
"""Reads the mechanism that stands at a place."""
Composer = Callable[[Keys, Scope, Place, Reader], Mechanism]


def read_all(keys: Keys, scope: Scope, place: Place, read: Reader) -> Mechanism:
    """`of`: mechanisms that are released together."""
    given = listed(keys.take("of"), place.at("of"), "a list of mechanisms")
    if not given:
        raise InputError("given no mechanism", where=str(place.at("of")), wanted="at least one")
    parts = [read(one, scope, place.at(f"of, part {k}", "of", k - 1)) for k, one in enumerate(given, start=1)]
    return jointly(parts)


def read_adaptive(keys: Keys, scope: Scope, place: Place, read: Reader) -> Mechanism:
    """`first`, `next` and `otherwise`: the second mechanism is named by the output of the first."""
    spelled = keys.take("first")
    first = read(spelled, scope, place.at("first"))
    at = place.at("next")
    table = Keys(keys.take("next", {}), at, "a table from outputs of the first mechanism to mechanisms").left
    following = {
        scope.label(outcome, at): read(one, scope, at.at(cut(outcome), outcome)) for outcome, one in table.items()
    }
    otherwise = None
    if keys.has("otherwise"):
        otherwise = read(keys.take("otherwise"), scope, place.at("otherwise"))
    if not following and otherwise is None:
        raise InputError("given no mechanism", where=str(at), wanted="at least one, or `otherwise = { … }`")
    made = adaptive(first, following, otherwise, str(place))
    if not scope.positive:
        places = {outcome: at.at(cut(outcome.text), outcome.text) for outcome in following}
        again = replace(scope, positive=True)
        refuse_others(places, first, lambda: read(spelled, again, place.at("first")), "`first`")
    return made


def read_part(keys: Keys, scope: Scope, place: Place, read: Reader) -> Mechanism:
    """`records` and `of`: a mechanism on a part of the database."""
    at = place.at("records")
    if not keys.has("records"):
        return read(keys.take("of"), scope, place.at("of"))
    if scope.sizes:
        raise InputError(
            f"given records with databases of {scope.sizes[0]} to {scope.sizes[1]} tuples",
            where=str(at),
            wanted="one integer as `size`: the tuples of a multiset have no numbers",
        )
    records = scope.records(keys.take("records"), at)
    if not records:
        raise InputError("given no record", where=str(at), wanted="at least one", tip='kind = "constant" sees none')
    inner = read(keys.take("of"), replace(scope, size=len(records)), place.at("of"))
    return on_records(inner, records, scope.size)


def read_choice(keys: Keys, scope: Scope, place: Place, read: Reader) -> Mechanism:
    """`of` and `shown`: one of several mechanisms at random."""
    at = place.at("of")
    parts: dict[Label, tuple[Fraction, Mechanism]] = {}
    listed_choices = listed(keys.take("of"), at, "a list of choices")
    for number, one in enumerate(listed_choices, start=1):
        here = at.at(f"choice {number}", number - 1)
        inner = Keys(one, here, 'a choice such as { weight = "1/3", mechanism = { … } }')
        name = scope.label(inner.take("name", f"#{number}"), here.at("name"))
        if name in parts:
            raise InputError(f'given the name "{cut(name.text)}" twice', where=str(here), wanted="distinct names")
        weight = probability(inner.take("weight"), str(here.at("weight")))
        weight = Fraction(1, len(listed_choices)) if scope.positive else weight
        parts[name] = weight, read(inner.take("mechanism"), scope, here.at("mechanism"))
        inner.done()
    if not parts:
        raise InputError("given no mechanism", where=str(at), wanted="at least one")
    Law.from_fractions({name: weight for name, (weight, _) in parts.items()}, str(at.at("weights")))
    shown = keys.take("shown", False)
    if not isinstance(shown, bool):
        raise InputError(f"given shown = {shorten(shown)}", where=str(place.at("shown")), wanted="true or false")
    return choice([(name, weight, one) for name, (weight, one) in parts.items()], str(place), shown=shown)
