"""Reading mechanisms: a table, a Python function, or a kind; then steps; before them a sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from verifier.errors import InputError
from verifier.model import kinds, read_composition, recoding
from verifier.model.explicit import from_function, from_rows
from verifier.model.mechanism import Mechanism
from verifier.model.multisets import on_multisets, sampled
from verifier.model.place import Keys, Place, integer, listed, many, meant, string
from verifier.model.read_composition import Composer
from verifier.model.read_steps import STEPS, follow, otherwise_law, row_law
from verifier.model.scope import Scope
from verifier.numbers import cut, rational, shorten
from verifier.tables import NO_ANSWER, Label, Law, label

Builder = Callable[[Keys, Scope, Place], Mechanism]
COMPONENT = "component"
"""A kind of knowledge only: which part of a mixture was drawn."""


def read_mechanism(given: object, scope: Scope, place: Place, what: str = "mechanism") -> Mechanism:
    """Read a mechanism: `kind = …` or a table of rows (or, from Python, a function of the database)."""
    if isinstance(given, Mechanism):
        unordered = given.domain is not None and not isinstance(given.domain, tuple)
        if (given.size, given.values) != (scope.size, scope.values) or (unordered and not scope.sizes):
            raise InputError(
                f"given {given.title}, a mechanism of {many(given.size, 'record')} in "
                f"{{{cut(', '.join(v.text for v in given.values))}}}",
                where=str(place),
                wanted=f"one of {many(scope.size, 'record')} in {{{cut(', '.join(v.text for v in scope.values))}}}",
            )
        return on_multisets(given, scope.sizes, str(place)) if scope.sizes else given
    if callable(given):

        def read(answer: object, database: str) -> Law:
            return _answer_law(answer, scope, place.at(f"the function on {database}"))

        told = from_function(given, scope.size, scope.values, read, str(place))
        return on_multisets(told, scope.sizes, str(place), function=True) if scope.sizes else told
    keys = Keys(given, place, f"a table with `kind` or `table` for the {what}")
    spelled = dict(keys.left)
    if what == "knowledge" and not keys.left.keys() & {"kind", "table", "rows"}:
        if not keys.has("records"):
            keys.one_of(("records", "kind", "table", "rows"), "`records = [0]` means that D(0) is known")
        keys.left["kind"] = "records"
    which = keys.one_of(("kind", "table", "rows"), "name a kind, or list the rows")
    whole = scope
    if "sample" in keys.left:
        scope = scope.smaller()
    if which != "kind":
        read_so_far = _rows(keys, which, scope, place, what)
    else:
        kind = string(keys.take("kind"), place.at("kind"), "the name of a kind")
        if kind not in KINDS:
            known = [*KINDS, *([COMPONENT] if what == "knowledge" else [])]
            tip = "this is a step: put it into `then`" if kind in STEPS else meant(kind, known)
            if what == "knowledge" and not tip:
                tip = f"{COMPONENT} = the latent choice of a mixture"
            raise InputError(
                f'given kind = "{cut(kind)}"',
                where=str(place.at("kind")),
                wanted=f"one of {', '.join(known)}",
                tip=tip,
            )
        read_so_far = KINDS[kind](keys, scope, place)
    if scope.sizes:
        read_so_far = on_multisets(read_so_far, scope.sizes, str(place))
    rate = None
    if keys.has("sample"):
        at = place.at("sample")
        rate = scope.chance(keys.take("sample"), at)
        if not scope.sizes:
            read_so_far = read_so_far.sampled(rate, str(at))
    steps = listed(keys.take("then", []), place.at("then"), "a list of steps")
    keys.done()

    def up_to(number: int) -> Mechanism:
        """The mechanism before a step, with every probability positive; of several sizes, the sample is taken later."""
        later = {"then", "sample"} if scope.sizes else {"then"}
        kept = {key: one for key, one in spelled.items() if key not in later}
        return read_mechanism({**kept, "then": steps[: number - 1]}, replace(scope, positive=True), place, what)

    followed = follow(read_so_far, steps, scope, place, up_to, KINDS)
    # the sample comes first, so that the steps belong to what is applied to it
    return sampled(followed, rate, whole.sizes) if whole.sizes and rate is not None else followed


def _answer_law(answer: object, scope: Scope, place: Place) -> Law:
    """What a Python function returned: a label, or a table of probabilities."""
    to_python = getattr(answer, "tolist", None)  # a number or an array of numpy
    if callable(to_python):
        answer = to_python()
    if not isinstance(answer, Mapping):
        return Law.point(scope.label(answer, place))
    table = {scope.label(key, place): weight for key, weight in answer.items()}
    if len(table) < len(answer):
        raise InputError("given an output twice", where=str(place), wanted='distinct outputs (0 and "0" are one)')
    return Law.of(table, str(place))


def _rows(keys: Keys, which: str, scope: Scope, place: Place, what: str) -> Mechanism:
    at = place.at(which)
    rows: dict[tuple[int, ...], Law] = {}
    spelled: dict[tuple[int, ...], object] = {}
    for number, row in enumerate(listed(keys.take(which), at, "a list of rows"), start=1):
        here = at.at(f"row {number}", number - 1)
        inner = Keys(row, here, 'a row such as { database = [0, 1], output = "odd" }')
        given = inner.take("database")
        database = scope.database(given, here.at("database"))
        if database in rows:
            raise _twice(spelled[database], given, scope, here)
        spelled[database] = given
        rows[database] = row_law(inner, scope, here)
        inner.done()
    otherwise = otherwise_law(keys, scope, place)
    if not rows and otherwise is None:
        raise InputError("given an empty table", where=str(at), wanted="rows, or `otherwise`")
    return from_rows(f"{what} table", scope.size, scope.values, rows, otherwise)


def _twice(first: object, second: object, scope: Scope, place: Place) -> InputError:
    if scope.sizes is None:
        return InputError("given the same database twice", where=str(place), wanted="one row a database")
    return InputError(
        f"given one multiset twice, as {shorten(first)} and as {shorten(second)}",
        where=str(place),
        wanted="one row a multiset",
        tip="with `size = [from, to]` a database has no order, so that no output may depend on it",
    )


def _counted(keys: Keys, scope: Scope, place: Place) -> frozenset[Label]:
    which = keys.one_of(("value", "values"), "`value = 1` or `values = [1, 2]`")
    given = keys.take(which)
    chosen = [given] if which == "value" else listed(given, place.at(which), "a list of values")
    found = [scope.values[scope.value(one, place.at(which))] for one in chosen]
    if len(set(found)) != len(found) or not found:
        raise InputError(f"given {shorten(given)}", where=str(place.at(which)), wanted="distinct values, at least one")
    return frozenset(found)


def _shown(keys: Keys, scope: Scope, place: Place) -> tuple[Label, ...]:
    if not keys.has("values"):
        return scope.values
    at = place.at("values")
    found = tuple(scope.values[scope.value(v, at)] for v in listed(keys.take("values"), at, "a list of values"))
    if len(set(found)) != len(found) or not found:
        raise InputError("given a value twice, or none", where=str(at), wanted="distinct values")
    return found


def _constant(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    return kinds.constant(scope.setting(place), scope.label(keys.take("output"), place.at("output")))


def _identity(_keys: Keys, scope: Scope, place: Place) -> Mechanism:
    return kinds.records(scope.setting(place), range(scope.size), "the whole database")


def _records(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    indices = scope.records(keys.take("records"), place.at("records"))
    if isinstance(indices, range):
        title = f"records {indices[0]} to {indices[-1]}"
    else:
        title = "records " + ", ".join(str(i) for i in indices) if indices else "no records"
    return kinds.records(scope.setting(place), indices, title)


def _count(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    return kinds.count(scope.setting(place), _counted(keys, scope, place), None, label(NO_ANSWER))


def _threshold(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    counted = _counted(keys, scope, place)
    above = integer(keys.take("above"), place.at("above"), "the threshold")
    otherwise = scope.label(keys.take("otherwise", NO_ANSWER), place.at("otherwise"))
    return kinds.count(scope.setting(place), counted, above, otherwise)


def _parity(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    return kinds.parity(scope.setting(place), _counted(keys, scope, place))


def _sum(_keys: Keys, scope: Scope, place: Place) -> Mechanism:
    return kinds.linear(scope.setting(place), None, "sum of the records")


def _linear(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    at = place.at("weights")
    weights = listed(keys.take("weights"), at, f"a list of {scope.size} weights")
    if len(weights) != scope.size:
        raise InputError(f"given {many(len(weights), 'weight')}", where=str(at), wanted=f"{scope.size}, one a record")
    numbers = tuple(rational(one, str(at.at(f"weight {i}", i)), "a weight") for i, one in enumerate(weights))
    return kinds.linear(scope.setting(place), numbers, "linear query")


def _mean(kind: str) -> Builder:
    return lambda _keys, scope, place: kinds.mean(scope.setting(place), kind)


def _extreme(kind: str) -> Builder:
    return lambda _keys, scope, place: kinds.extreme(scope.setting(place), kind)


def _mode(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    ties = keys.take("ties", "first")
    if ties != "first":
        raise InputError(f"given ties = {shorten(ties)}", where=str(place.at("ties")), wanted='"first"')
    return kinds.mode(scope.setting(place))


def _histogram(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    return kinds.histogram(scope.setting(place), _shown(keys, scope, place), 0, "histogram")


def _k_anonymous(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    k = integer(keys.take("k"), place.at("k"), "k", 1)
    keep = keys.take("keep", ">=")
    if keep not in (">=", ">"):
        raise InputError(f"given keep = {shorten(keep)}", where=str(place.at("keep")), wanted='">=" or ">"')
    smallest = k if keep == ">=" else k + 1
    shown = _shown(keys, scope, place)
    title = f"histogram, counts below {smallest} suppressed"
    return kinds.histogram(scope.setting(place), shown, smallest, title)


def _apply(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    k = integer(keys.take("k"), place.at("k"), "k", 1)
    classes = recoding.read_generalization(keys.take("generalization"), scope, place.at("generalization"))
    return recoding.apply(scope.setting(place), classes, k)


def _k_anonymization(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    k = integer(keys.take("k"), place.at("k"), "k", 1)
    at = place.at("generalizations")
    given = Keys(keys.take("generalizations"), at, "a table from names to generalizations").left
    if not given:
        raise InputError("given no generalization", where=str(at), wanted="at least one")
    found = {
        scope.label(name, at): recoding.read_generalization(one, scope, at.at(name)) for name, one in given.items()
    }
    shows = keys.take("shows-mapping", False)
    if not isinstance(shows, bool):
        raise InputError(f"given {shorten(shows)}", where=str(place.at("shows-mapping")), wanted="true or false")
    at = place.at("choose")
    chooser = read_mechanism(keys.take("choose"), scope, at)
    # where there are too many databases now, an unknown name is refused when it is reached
    recoding.check_names(chooser.listed_outputs or (), list(found), at)
    return recoding.anonymization(scope.setting(place), chooser, found, k, shows=shows)


def _response(keys: Keys, scope: Scope, place: Place) -> Mechanism:
    keep = scope.chance(keys.take("keep"), place.at("keep"))
    indices: Sequence[int] = range(scope.size)
    if keys.has("records"):
        indices = scope.records(keys.take("records"), place.at("records"))
    return kinds.randomized_response(scope.setting(place), keep, indices)


def _composed(build: Composer) -> Builder:
    return lambda keys, scope, place: build(keys, scope, place, read_mechanism)


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
