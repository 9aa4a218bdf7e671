"""Reading mechanisms that are made of mechanisms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from verifier.errors import InputError
from verifier.model.composition import adaptive, choice, jointly, on_records
from verifier.model.domain import Domain
from verifier.model.keys import Keys, Location, listed, rows
from verifier.model.mechanism import Mechanism
from verifier.model.ranges import refuse_others
from verifier.numbers import cut, probability, shorten
from verifier.tables import Label, Law

Reader = Callable[[object, Domain, Location], Mechanism]
"""A reader of any mechanism, from its table and its location."""
Composer = Callable[[Keys, Domain, Location, Reader], Mechanism]
"""A reader of one of the kinds below, which reads its components with a `Reader`."""


def read_all(keys: Keys, domain: Domain, location: Location, read: Reader) -> Mechanism:
    """Read `of`: mechanisms that are released together (`kind = "all"`)."""
    raw = keys.read("of", listed, "a list of mechanisms")
    if not raw:
        raise InputError("given no mechanism", where=str(location.at("of")), wanted="at least one")
    mechanisms = [
        read(spelled, domain.entry(k - 1, len(raw)), location.at(f"of, part {k}", "of", k - 1))
        for k, spelled in enumerate(raw, start=1)
    ]
    return jointly(mechanisms)


def read_adaptive(keys: Keys, domain: Domain, location: Location, read: Reader) -> Mechanism:
    """Read `first`, `next` and `otherwise`: the first mechanism's output names the second (`kind = "adaptive"`)."""
    spelled, first_domain, domain = keys.take("first"), domain.entry(0, 2), domain.entry(1, 2)
    first = read(spelled, first_domain, location.at("first"))
    table = keys.read("next", Keys, "a table from outputs of the first mechanism to mechanisms", default={})
    at = table.location
    following = {
        domain.label(outcome, at): read(spelled_next, domain, at.at(cut(outcome), outcome))
        for outcome, spelled_next in table.left.items()
    }
    otherwise = None
    if keys.has("otherwise"):
        otherwise = read(keys.take("otherwise"), domain, location.at("otherwise"))
    if not following and otherwise is None:
        raise InputError("given no mechanism", where=str(at), wanted="at least one, or `otherwise = { … }`")
    composed = adaptive(first, following, otherwise, str(location))
    if not domain.positive:
        places = {outcome: at.at(cut(outcome.text), outcome.text) for outcome in following}
        positive_domain = replace(first_domain, positive=True)
        refuse_others(places, first, lambda: read(spelled, positive_domain, location.at("first")), "`first`")
    return composed


def read_part(keys: Keys, domain: Domain, location: Location, read: Reader) -> Mechanism:
    """Read `records` and `of`: a mechanism on some records, or on all where there is no `records` (`kind = "part"`)."""
    at = location.at("records")
    if not keys.has("records"):
        return read(keys.take("of"), domain, location.at("of"))
    if domain.sizes:
        raise InputError(
            f"given records with databases of {domain.sizes[0]} to {domain.sizes[1]} tuples",
            where=str(at),
            wanted="one integer as `size`: the tuples of a multiset have no numbers",
        )
    records = domain.records(keys.take("records"), at)
    if not records:
        raise InputError("given no record", where=str(at), wanted="at least one", tip='kind = "constant" sees none')
    inner = read(keys.take("of"), replace(domain, size=len(records)), location.at("of"))
    return on_records(inner, records, domain.size)


def read_choice(keys: Keys, domain: Domain, location: Location, read: Reader) -> Mechanism:
    """Read `of` and `shown`: one of several mechanisms, chosen at random (`kind = "choice"`)."""
    at = location.at("of")
    shown = keys.take("shown", False)
    if not isinstance(shown, bool):
        raise InputError(f"given shown = {shorten(shown)}", where=str(location.at("shown")), wanted="true or false")
    inner_domain = domain.entry(1, 2) if shown else domain
    choices: dict[Label, tuple[Fraction, Mechanism]] = {}
    example = 'a choice such as { weight = "1/3", mechanism = { … } }'
    tables = list(keys.read("of", rows, "a list of choices", "choice", example))
    for number, inner in enumerate(tables, start=1):
        choice_at = inner.location
        name = inner.read("name", domain.label, default=f"#{number}")
        if name in choices:
            raise InputError(f'given the name "{cut(name.text)}" twice', where=str(choice_at), wanted="distinct names")
        weight = probability(inner.take("weight"), str(choice_at.at("weight")))
        weight = Fraction(1, len(tables)) if domain.positive else weight
        if "kind" in inner.left and not inner.has("mechanism"):
            raise InputError(
                "the mechanism of this choice stands beside its weight",
                where=choice_at.over("kind"),
                wanted="a table of its own for the mechanism",
                tip='{ weight = "2/3", mechanism = { kind = … } }',
            )
        choices[name] = weight, read(inner.take("mechanism"), inner_domain, choice_at.at("mechanism"))
        inner.done()
    if not choices:
        raise InputError("given no mechanism", where=str(at), wanted="at least one")
    Law.from_fractions({name: weight for name, (weight, _) in choices.items()}, str(at.at("weights")))
    return choice(
        [(name, weight, mechanism) for name, (weight, mechanism) in choices.items()], str(location), shown=shown
    )
