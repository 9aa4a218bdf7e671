"""Reading mechanisms: a table, a Python function, or a kind; then steps; before them a sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from verifier.errors import InputError, one_of
from verifier.model import kinds, read_composition, recoding
from verifier.model.domain import Domain
from verifier.model.explicit import from_function, from_rows
from verifier.model.keys import Keys, Location, integer, listed, meant, rows, string
from verifier.model.mechanism import Mechanism
from verifier.model.multisets import on_multisets, sampled
from verifier.model.read_composition import Composer
from verifier.model.read_steps import STEPS, follow, otherwise_law, row_law
from verifier.numbers import cut, plural, rational, shorten
from verifier.tables import NO_ANSWER, Label, Law, label

Builder = Callable[[Keys, Domain, Location], Mechanism]
COMPONENT = "component"
"""A kind of knowledge only: which part of a mixture was drawn."""
NAMED_OTHERWISE = {"average": "mean", "max": "maximum", "min": "minimum", "total": "sum", "xor": "parity"}
"""Other names of kinds, whose letters are too far from theirs."""
CHANCE = frozenset(("bernoulli", "biased-coin", "coin", "dice", "die", "flip", "noise", "random", "uniform"))
"""Names that no kind has, for a mechanism that draws its output."""
DRAWN = 'leave `kind` out; list the laws: rows = [{ database = […], outputs = { yes = "3/4", no = "1/4" } }, …]'


def read_mechanism(raw: object, domain: Domain, location: Location, noun: str = "mechanism") -> Mechanism:
    """Read a mechanism: `kind = …` or a table of rows; from Python also a function of the database, or a `Mechanism`.

    `noun` is `mechanism`, or `knowledge` for a function ζ.

    Raises:
        InputError: for anything that is no mechanism on databases of this domain, with its location.
        LimitError: where it is too large.

    """
    if isinstance(raw, Mechanism):
        unordered = raw.domain is not None and not isinstance(raw.domain, tuple)
        if (raw.size, raw.values) != (domain.size, domain.values) or (unordered and not domain.sizes):
            raise InputError(
                f"given {raw.title}, a mechanism of {plural(raw.size, 'record')} in "
                f"{{{cut(', '.join(v.text for v in raw.values))}}}",
                where=str(location),
                wanted=f"one of {plural(domain.size, 'record')} in {{{cut(', '.join(v.text for v in domain.values))}}}",
            )
        return on_multisets(raw, domain.sizes, str(location)) if domain.sizes else raw
    if callable(raw):

        def read(answer: object, database: str) -> Law:
            return _answer_law(answer, domain, location.at(f"the function on {database}"))

        mechanism = from_function(raw, domain.size, domain.values, read, str(location))
        return on_multisets(mechanism, domain.sizes, str(location), function=True) if domain.sizes else mechanism
    keys = Keys(raw, location, f"a table with `kind` or `table` for the {noun}")
    spelled = dict(keys.left)
    if noun == "knowledge" and not keys.left.keys() & {"kind", "table", "rows"}:
        if not keys.has("records"):
            keys.one_of(("records", "kind", "table", "rows"), "`records = [0]` means that D(0) is known")
        keys.left["kind"] = "records"
    which = keys.one_of(("kind", "table", "rows"), "name a kind, or list the rows")
    full_domain = domain
    if "sample" in keys.left:
        domain = domain.smaller()
    if which != "kind":
        read_so_far = _rows(keys, which, domain, noun)
    else:
        kind = keys.read("kind", string, "the name of a kind")
        if kind not in KINDS:
            known = [*KINDS, *([COMPONENT] if noun == "knowledge" else [])]
            tip = "this is a step: put it into `then`" if kind in STEPS else meant(kind, known)
            if noun == "knowledge" and not tip:
                tip = f"{COMPONENT} = the latent choice of a mixture"
            if kind in NAMED_OTHERWISE or kind in CHANCE:
                tip = DRAWN if kind in CHANCE else f"is `{NAMED_OTHERWISE[kind]}` meant?"
            if kind in {"table", "rows"}:
                tip = f"leave `kind` out, and list the rows: {kind} = [{{ database = […], output = … }}, …]"
            tip = tip or "help(pk.build) says what each does; `table` can be any mechanism"
            raise InputError(
                f'given kind = "{cut(kind)}"',
                where=str(location.at("kind")),
                wanted=one_of(known, kind),
                tip=tip,
            )
        read_so_far = KINDS[kind](keys, replace(domain, named=()) if keys.left.get("then") else domain, location)
    if domain.sizes:
        read_so_far = on_multisets(read_so_far, domain.sizes, str(location))
    rate = None
    if keys.has("sample"):
        rate = keys.read("sample", domain.chance)
        if not domain.sizes:
            read_so_far = read_so_far.sampled(rate, str(location.at("sample")))
    steps = keys.read("then", listed, "a list of steps", default=[])
    keys.done()

    def up_to(number: int) -> Mechanism:
        """The mechanism before a step, with every probability positive; of several sizes, the sample is taken later."""
        later = {"then", "sample"} if domain.sizes else {"then"}
        kept = {key: spelling for key, spelling in spelled.items() if key not in later}
        earlier = replace(domain, positive=True, named=())
        return read_mechanism({**kept, "then": steps[: number - 1]}, earlier, location, noun)

    followed = follow(read_so_far, steps, domain, location, up_to, KINDS)
    # the sample comes first, so that the steps belong to what is applied to it
    return sampled(followed, rate, full_domain.sizes) if full_domain.sizes and rate is not None else followed


def _answer_law(answer: object, domain: Domain, location: Location) -> Law:
    """What a Python function returned: a label, or a table of probabilities."""
    to_python = getattr(answer, "tolist", None)  # a number or an array of numpy
    if callable(to_python):
        answer = to_python()
    if not isinstance(answer, Mapping):
        return Law.point(domain.label(answer, location))
    table = {domain.label(key, location): weight for key, weight in answer.items()}
    if len(table) < len(answer):
        raise InputError("given an output twice", where=str(location), wanted='distinct outputs (0 and "0" are one)')
    return Law.of(table, str(location))


def _rows(keys: Keys, which: str, domain: Domain, noun: str) -> Mechanism:
    laws: dict[tuple[int, ...], Law] = {}
    spelled: dict[tuple[int, ...], object] = {}
    example = 'a row such as { database = [0, 1], output = "odd" }'
    for inner in keys.read(which, rows, "a list of rows", "row", example):
        raw = inner.take("database")
        database = domain.database(raw, inner.location.at("database"))
        if database in laws:
            raise _twice(spelled[database], raw, domain, inner.location)
        spelled[database] = raw
        laws[database] = row_law(inner, domain)
        inner.done()
    otherwise = otherwise_law(keys, domain)
    if not laws and otherwise is None:
        raise InputError("given an empty table", where=str(keys.location.at(which)), wanted="rows, or `otherwise`")
    return from_rows(f"{noun} table", domain.size, domain.values, laws, otherwise)


def _twice(first: object, second: object, domain: Domain, location: Location) -> InputError:
    if domain.sizes is None:
        return InputError("given the same database twice", where=str(location), wanted="one row a database")
    return InputError(
        f"given one multiset twice, as {shorten(first)} and as {shorten(second)}",
        where=str(location),
        wanted="one row a multiset",
        tip="with `size = [from, to]` a database has no order, so that no output may depend on it",
    )


def _counted(keys: Keys, domain: Domain, location: Location) -> frozenset[Label]:
    which = keys.one_of(("value", "values"), "`value = 1` or `values = [1, 2]`")
    raw = keys.take(which)
    chosen = [raw] if which == "value" else listed(raw, location.at(which), "a list of values")
    values = [domain.values[domain.value(value, location.at(which))] for value in chosen]
    if len(set(values)) != len(values) or not values:
        raise InputError(f"given {shorten(raw)}", where=str(location.at(which)), wanted="distinct values, at least one")
    return frozenset(values)


def _shown(keys: Keys, domain: Domain, location: Location) -> tuple[Label, ...]:
    if not keys.has("values"):
        return domain.values
    at = location.at("values")
    values = tuple(domain.values[domain.value(v, at)] for v in keys.read("values", listed, "a list of values"))
    if len(set(values)) != len(values) or not values:
        raise InputError("given a value twice, or none", where=str(at), wanted="distinct values")
    return values


def _constant(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    return kinds.constant(domain.setting(location), keys.read("output", domain.label))


def _identity(_keys: Keys, domain: Domain, location: Location) -> Mechanism:
    return kinds.records(domain.setting(location), range(domain.size), "the whole database")


def _records(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    indices = keys.read("records", domain.records)
    if isinstance(indices, range):
        title = f"records {indices[0]} to {indices[-1]}"
    else:
        title = "records " + ", ".join(str(i) for i in indices) if indices else "no records"
    return kinds.records(domain.setting(location), indices, title)


def _count(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    return kinds.count(domain.setting(location), _counted(keys, domain, location), None, label(NO_ANSWER))


def _threshold(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    counted = _counted(keys, domain, location)
    above = keys.read("above", integer, "the threshold")
    otherwise = keys.read("otherwise", domain.label, default=NO_ANSWER)
    return kinds.count(domain.setting(location), counted, above, otherwise)


def _parity(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    return kinds.parity(domain.setting(location), _counted(keys, domain, location))


def _sum(_keys: Keys, domain: Domain, location: Location) -> Mechanism:
    return kinds.linear(domain.setting(location), None, "sum of the records")


def _linear(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    at = location.at("weights")
    weights = keys.read("weights", listed, f"a list of {domain.size} weights")
    if len(weights) != domain.size:
        raise InputError(
            f"given {plural(len(weights), 'weight')}", where=str(at), wanted=f"{domain.size}, one a record"
        )
    numbers = tuple(rational(weight, str(at.at(f"weight {i}", i)), "a weight") for i, weight in enumerate(weights))
    return kinds.linear(domain.setting(location), numbers, "linear query")


def _mean(kind: str) -> Builder:
    return lambda _keys, domain, location: kinds.mean(domain.setting(location), kind)


def _extreme(kind: str) -> Builder:
    return lambda _keys, domain, location: kinds.extreme(domain.setting(location), kind)


def _mode(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    ties = keys.take("ties", "first")
    if ties != "first":
        raise InputError(f"given ties = {shorten(ties)}", where=str(location.at("ties")), wanted='"first"')
    return kinds.mode(domain.setting(location))


def _histogram(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    return kinds.histogram(domain.setting(location), _shown(keys, domain, location), 0, "histogram")


def _k_anonymous(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    k = keys.read("k", integer, "k", 1)
    keep = keys.take("keep", ">=")
    if keep not in (">=", ">"):
        raise InputError(f"given keep = {shorten(keep)}", where=str(location.at("keep")), wanted='">=" or ">"')
    smallest = k if keep == ">=" else k + 1
    values = _shown(keys, domain, location)
    title = f"histogram, counts below {smallest} suppressed"
    return kinds.histogram(domain.setting(location), values, smallest, title)


def _apply(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    k = keys.read("k", integer, "k", 1)
    classes = keys.read("generalization", recoding.read_generalization, domain)
    return recoding.apply(domain.setting(location), classes, k)


def _k_anonymization(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    k = keys.read("k", integer, "k", 1)
    tables = keys.read("generalizations", Keys, "a table from names to generalizations")
    at = tables.location
    if not tables.left:
        raise InputError("given no generalization", where=str(at), wanted="at least one")
    generalizations = {
        domain.label(name, at): recoding.read_generalization(table, at.at(name), domain)
        for name, table in tables.left.items()
    }
    shows = keys.take("shows-mapping", False)
    if not isinstance(shows, bool):
        raise InputError(f"given {shorten(shows)}", where=str(location.at("shows-mapping")), wanted="true or false")
    at = location.at("choose")
    chooser = read_mechanism(keys.take("choose"), domain, at)
    # where there are too many databases now, an unknown name is refused when it is reached
    recoding.check_names(chooser.listed_outputs or (), list(generalizations), at)
    return recoding.anonymization(domain.setting(location), chooser, generalizations, k, shows=shows)


def _response(keys: Keys, domain: Domain, location: Location) -> Mechanism:
    keep = keys.read("keep", domain.chance)
    indices: Sequence[int] = range(domain.size)
    if keys.has("records"):
        indices = keys.read("records", domain.records)
    return kinds.randomized_response(domain.setting(location), keep, indices)


def _composed(build: Composer) -> Builder:
    return lambda keys, domain, location: build(keys, domain, location, read_mechanism)


KINDS: dict[str, Builder] = {
    "constant": _constant,
    "identity": _identity,
    "records": _records,
    "count": _count,
    "threshold-count": _threshold,
    "sum": _sum,
    "mean": _mean("mean"),
    "geometric-mean": _mean("geometric-mean"),
    "harmonic-mean": _mean("harmonic-mean"),
    "quadratic-mean": _mean("quadratic-mean"),
    "linear": _linear,
    "parity": _parity,
    "maximum": _extreme("maximum"),
    "minimum": _extreme("minimum"),
    "mode": _mode,
    "histogram": _histogram,
    "k-anonymous-histogram": _k_anonymous,
    "apply": _apply,
    "k-anonymization": _k_anonymization,
    "randomized-response": _response,
    "adaptive": _composed(read_composition.read_adaptive),
    "part": _composed(read_composition.read_part),
    "choice": _composed(read_composition.read_choice),
    "all": _composed(read_composition.read_all),
}
