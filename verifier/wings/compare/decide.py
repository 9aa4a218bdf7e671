"""`pk.compare`: two mechanisms on the same databases; nothing is decided here that `check` or the program does not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from verifier.definitions import DEFINITIONS, Definition, Verdict, find
from verifier.definitions.answer import ALL_DIGITS
from verifier.errors import InputError, LimitError, UndecidedError, UnsupportedError
from verifier.model import Database, Model, arguments, build, check_size
from verifier.model.distribution import Theta
from verifier.model.model import need_model
from verifier.model.multisets import Multisets
from verifier.model.read import tables_of
from verifier.numbers import cut
from verifier.questions.check import check
from verifier.recheck import comparison_replayed
from verifier.tables import Law, label
from verifier.tables.law import splits
from verifier.wings.claim.answer import ClaimUndecided, ClaimViolated
from verifier.wings.claim.subject import subject_of
from verifier.wings.compare.answer import Apart, Compared
from verifier.wings.compare.order import (
    CLOSURE,
    EQUAL,
    FIRST,
    INCOMPARABLE,
    SECOND,
    UNDECIDED,
    UNSUPPORTED,
    Ordered,
    by_numbers,
    ordered,
)
from verifier.wings.compare.post_processing import PostProcessing, post_processing
from verifier.wings.implications.axioms.axioms import PROVED, derive
from verifier.wings.implications.parts import keys, named, passport_key

MOST_DATABASES, MOST_WORLDS = 1 << 14, 1 << 16
"""Most databases whose laws are compared, and most worlds by which two distributions are."""
NOT_SAME = "the two models have different {what}: {first} and {second}"
Chances = dict[str, Fraction]


def compare(
    a: Any,
    b: Any,
    definitions: Any = None,
    *,
    values: Any = None,
    size: Any = None,
    replay: bool = True,
) -> Compared:
    """Compare two mechanisms: the same law or not, is one made of the other's output, and which is more private.

    Args:
        a: a model, a model file, or a mechanism as `claim` takes it, with `values` and `size`.
        b: another one, on the same databases.
        definitions: the definitions by which they are ordered; those of an overview where left out.
        values: the values of a record, where `a` and `b` are mechanisms.
        size: how many records there are; 1 where left out.
        replay: whether the independent checker decides the answer again.

    >>> from verifier.model import build
    >>> coin = {"table": [{"database": [v], "outputs": {v: "3/4", 1 - v: "1/4"}} for v in (0, 1)]}
    >>> worse = {"table": [{"database": [v], "outputs": {v: "2/3", 1 - v: "1/3"}} for v in (0, 1)]}
    >>> found = compare(coin, worse, "dp", values=[0, 1])
    >>> found.same_law, found.second_of_first.channel["0"], found.definitions["dp"].order
    (False, {'0': Fraction(5, 6), '1': Fraction(1, 6)}, 'second')

    Raises:
        InputError: for models of different databases, and where a named definition reads what is different in them.
        RejectedError: where the independent checker rejects the answer.

    """
    models = first, second = _model(a, "a", values, size), _model(b, "b", values, size)
    _refuse_other_databases(first, second)
    chosen = _definitions(definitions, first)
    answer = _laws_compared(first, second)
    found = {}
    for definition in chosen:
        differs = _difference(definition, first, second)
        if differs and definitions is not None:
            raise InputError(f"{definition.key} compares no models with different {differs}", where="compare",
                             wanted="definitions that do not read it, such as dp")  # fmt: skip
        found[definition.key] = (
            Ordered(definition.key, UNSUPPORTED, reason=f"the models have different {differs}")
            if differs
            else by_closure(ordered(*(_answer(model, definition) for model in models)), answer)
        )
    answer = replace(answer, definitions=found, named=definitions is not None)
    if not arguments.flag(replay, "replay"):
        return replace(answer, unchecked="it was left out (--no-replay)")
    replayed, unchecked = comparison_replayed(answer.to_json(ALL_DIGITS), first, second)
    return replace(answer, replayed=replayed, unchecked=unchecked)


def by_closure(found: Ordered, answer: Compared) -> Ordered:
    """The order that follows from post-processing where the whole curve is not known, and what is known of it."""
    if found.order != UNDECIDED:
        return found
    below = [one.holds and found.definition in one.closed for one in (answer.second_of_first, answer.first_of_second)]
    word = EQUAL if all(below) else SECOND if below[0] else FIRST
    numbers = found.tight_epsilon
    if any(below) and (word == EQUAL or (None not in numbers and by_numbers(*numbers) == word)):
        return replace(found, order=word, by=CLOSURE, reason="it is closed under post-processing")
    if any(below):
        return replace(
            found, reason=f"the {word} is at least as private, since it is a post-processing; {found.reason}"
        )
    return found


def _model(given: Any, name: str, values: Any, size: Any) -> Model:
    """The model of an argument."""
    if isinstance(given, Model):
        return given
    subject = subject_of(given, values=values, size=size, databases=None, pairs=None, free=())
    if subject.model is not None:
        return need_model(subject.model)
    if subject.among is not None or subject.keyed is not None:
        raise InputError("the table has not every database", where=name, wanted="a law for each database, or a model")
    return build(**{"title": subject.name, **subject.tables})


def _definitions(given: Any, model: Model) -> list[Definition]:
    """The definitions that are asked for, or those of an overview that speak of the model's databases."""
    if given is None:
        every = DEFINITIONS.values()
        fitting = [one for one in every if one.changes_size == (model.sizes is not None) and not one.own]
        return [one for one in fitting if model.thetas or not one.needs_theta]
    several = [given] if isinstance(given, str | Definition) else arguments.several("definitions")(given, "definitions")
    return list({(one := find(key)).key: one for key in several}.values())


def _answer(model: Model, definition: Definition) -> Verdict:
    """The answer about one of them, without its re-check: `compare` has its own."""
    try:
        return check(model, definition, replay=False)
    except (LimitError, UndecidedError) as error:
        return Verdict(model, definition.key, "default", None, Fraction(0), "undecided", reason=str(error))
    except UnsupportedError as error:
        return Verdict(model, definition.key, "default", None, Fraction(0), "unsupported", reason=str(error))


# --- the same databases, and what definitions read besides ------------------------------------------------------------


def _refuse_other_databases(first: Model, second: Model) -> None:
    for what in ("values", "sizes"):
        one, other = (_databases_text(model, what) for model in (first, second))
        if one != other:
            problem = NOT_SAME.format(what=what, first=one, second=other)
            raise InputError(problem, where=second.label, wanted="two models of the same databases")


def _databases_text(model: Model, what: str) -> str:
    if what == "values":
        return cut(f"[{', '.join(value.text for value in model.values)}]", 80)
    return str(model.size) if model.sizes is None else f"{model.sizes[0]} to {model.sizes[1]}"


def _difference(definition: Definition, first: Model, second: Model) -> str:
    """What a definition reads that is different in the two models; empty where nothing is."""
    reads_policy = definition.reads_policy or first.policy.neighbours != second.policy.neighbours
    if first.policy != second.policy and reads_policy:
        return "[policy]"
    if not definition.needs_theta:
        return "" if _secrets(first) == _secrets(second) else "sensitive values"
    if _secrets(first) != _secrets(second):
        return "sensitive values"
    if len(first.thetas) != len(second.thetas):
        return "distributions"
    pairs = zip(first.thetas, second.thetas, strict=True)
    return next((what for pair in pairs if (what := _theta_difference(*pair, (first, second)))), "")


def _secrets(model: Model) -> list[int | None]:
    return [secret.record for secret in model.secrets]


def _theta_difference(one: Theta, other: Theta, models: tuple[Model, Model]) -> str:
    """Whether two distributions differ, or what is known; by their worlds, where they are not written alike."""
    plain = not any(secret.record is None for model in models for secret in model.secrets)
    if plain and one.shape == other.shape and one.zeta.plain and other.zeta.plain:
        return "" if (one.zeta.kind, one.zeta.records) == (other.zeta.kind, other.zeta.records) else "knowledge"
    if max(one.count(), other.count()) > MOST_WORLDS:
        return "distributions, or too many worlds to tell"
    worlds = [_worlds(theta, model) for theta, model in zip((one, other), models, strict=True)]
    if worlds[0] == worlds[1]:
        return ""
    drawn = [_worlds(theta, model, known=False) for theta, model in zip((one, other), models, strict=True)]
    return "knowledge" if drawn[0] == drawn[1] else "distributions"


def _worlds(theta: Theta, model: Model, *, known: bool = True) -> dict[tuple[Any, ...], Fraction]:
    found: dict[tuple[Any, ...], Fraction] = {}
    functions = [secret for secret in model.secrets if secret.record is None]
    for world, knowledge, chance in theta.known_worlds():
        secrets = tuple(secret.of(world).text for secret in functions)
        key = world.database, secrets, knowledge.text if known else ""
        found[key] = found.get(key, Fraction(0)) + chance
    return {key: chance for key, chance in found.items() if chance}


# --- the laws ---------------------------------------------------------------------------------------------------------


def _databases(first: Model, second: Model) -> Iterable[Database]:
    """The databases whose laws are all: of mechanisms that see only how often each value comes, one in each order."""
    size, number = first.size, len(first.values)
    if first.sizes is not None:
        return Multisets(number, *first.sizes)
    counts_alone = all(one.mechanism.statistic and one.mechanism.statistic.uniform for one in (first, second))
    if counts_alone:
        multisets = Multisets(number, size, size)
        check_size(len(multisets), MOST_DATABASES, f"there are {len(multisets):,} databases up to their order")
        return multisets
    return first.mechanism.all_databases(MOST_DATABASES)


def _laws_compared(first: Model, second: Model) -> Compared:
    """The answer about the laws, without the definitions; what is too large has its reason."""
    mechanisms = first.mechanism, second.mechanism
    undecided = PostProcessing(holds=None)
    try:
        databases = list(_databases(first, second))
        for database in databases:
            taken = [mechanism.takes(database) for mechanism in mechanisms]
            if len(set(taken)) > 1:
                which = "second" if taken[0] else "first"
                problem = f"the {which} mechanism has no law on {first.shown(database)}, and the other has"
                raise InputError(problem, where="compare", wanted="mechanisms on the same databases")
        databases = [database for database in databases if mechanisms[0].takes(database)]
        laws = [[mechanism.law(database) for database in databases] for mechanism in mechanisms]
    except LimitError as error:
        reason = str(error)
        gone = replace(undecided, reason=reason)
        return Compared(first, second, None, gone, gone, {}, reason=reason)
    chances = [[_chances(law) for law in of_one] for of_one in laws]
    apart = next((k for k, two in enumerate(zip(*chances, strict=True)) if two[0] != two[1]), None)
    if apart is not None:
        same, reason = _same(chances, [one.tails for one in mechanisms])
    elif any(one.tails for one in mechanisms) and len({_noise(model) for model in (first, second)}) > 1:
        same, reason = None, "the tails of their noise are lumped, and the noise is not written alike"
    else:
        same, reason = True, ""
    rows = list({(one, other): k for k, (one, other) in reversed(list(enumerate(zip(*laws, strict=True))))}.values())
    shown = [first.shown(databases[k]) for k in rows]
    kept = [[of_one[k] for k in rows] for of_one in chances]
    return Compared(
        first, second, same, _one_way(kept[0], kept[1], shown), _one_way(kept[1], kept[0], shown), {}, len(databases),
        None if apart is None else Apart(first.shown(databases[apart]), *(of_one[apart] for of_one in chances)), reason,
    )  # fmt: skip


def _chances(law: Law) -> Chances:
    return {output.text: chance for output, chance in law.chances()}


def _same(chances: Sequence[Sequence[Chances]], tails: Sequence[Collection[str]]) -> tuple[bool | None, str]:
    """Whether laws whose tables differ are different: tails of noise may be lumped from other numbers on.

    They are, where an output has another probability than a single output of the other law, or than none, or more than
    the lumped one that it is a part of.
    """
    (first, second), (own, other) = chances, tails
    for laws, lumped, others, their_lumped in ((first, own, second, other), (second, other, first, own)):
        for law, against in zip(laws, others, strict=True):
            for output, chance in law.items():
                named = label(output)
                holding = [
                    o for o in against if splits(label(o), named, their_lumped) or splits(named, label(o), lumped)
                ]
                most = sum((against[o] for o in holding), against.get(output, Fraction(0)))
                if chance > most or (not holding and chance != most):
                    return False, ""
    return None, "the tails of noise are lumped from different numbers on"


def _noise(model: Model) -> str:
    """What says how the mass of a lumped tail is spread: its steps of noise; of a program its text."""
    raw = model.tables if model.tables is not None else tables_of(model.text)

    def steps(spec: Any) -> Iterator[Any]:
        if isinstance(spec, Mapping):
            if spec.get("kind") == "geometric-noise" or "program" in spec:
                yield sorted((str(name), str(value)) for name, value in spec.items() if name != "then")
            spec = list(spec.values())
        for part in spec if isinstance(spec, list | tuple) else ():
            yield from steps(part)

    return repr(list(steps(raw["mechanism"]))) if model.text or model.tables else model.title


def _one_way(source: Sequence[Chances], image: Sequence[Chances], databases: Sequence[list[Any]]) -> PostProcessing:
    try:
        found = post_processing(source, image, databases)
    except LimitError as error:
        return PostProcessing(holds=None, reason=str(error))
    if not found.holds:
        return found
    verdicts = {key: derive(named(key), "post-processing") for key in map(passport_key, keys())}
    proved = {key: ", ".join(one.where) for key, one in verdicts.items() if one.verdict == PROVED}
    where: Mapping[str, str] = {key: condition for key, condition in proved.items() if condition}
    return replace(found, closed=tuple(key for key in proved if key not in where), where=where)


# --- claims -----------------------------------------------------------------------------------------------------------


def claim_same(a: Any, b: Any, *, values: Any = None, size: Any = None, raises: bool = True) -> Compared:
    """Claim that two mechanisms have the same output distribution on every database, as a test says it.

    Args:
        a: a mechanism, as `compare` takes it.
        b: another one.
        values: the values of a record, where `a` and `b` are mechanisms.
        size: how many records there are.
        raises: whether a claim that is violated or undecided raises.

    Raises:
        ClaimViolated: an AssertionError, with a database on which they differ.
        ClaimUndecided: where it is undecided.

    """
    __tracebackhide__ = True  # pytest shows the line of the test
    answer = compare(a, b, (), values=values, size=size)
    if not arguments.flag(raises, "raises"):
        return answer
    if answer.same_law is None:
        raise ClaimUndecided(answer.reason)
    if not answer.same_law and answer.apart is not None:
        laws = " and ".join("{" + ", ".join(f"{o}: {p}" for o, p in law.items()) + "}" for law in answer.apart[1:])
        claimed = f"{answer.first.title} and {answer.second.title} have the same law"
        raise ClaimViolated(answer, f"claim violated: {claimed}\n  apart     on {answer.apart.database}: {laws}")
    return answer


def claim_order(
    a: Any, b: Any, definition: Any, *, values: Any = None, size: Any = None, raises: bool = True
) -> Compared:
    """Claim that the first mechanism is at least as private as the second by a definition, for all ε.

    Args:
        a: a mechanism, as `compare` takes it: the one that is to be the more private.
        b: another one.
        definition: the definition.
        values: the values of a record, where `a` and `b` are mechanisms.
        size: how many records there are.
        raises: whether a claim that is violated or undecided raises.

    Raises:
        ClaimViolated: an AssertionError, with where the curves cross.
        ClaimUndecided: where it is undecided.

    """
    __tracebackhide__ = True
    answer = compare(a, b, [definition], values=values, size=size)
    (found,) = answer.definitions.values()
    if found.order in {EQUAL, FIRST} or not arguments.flag(raises, "raises"):
        return answer
    claimed = f"{answer.first.title} is at least as private as {answer.second.title} by {found.definition}"
    if found.order not in {SECOND, INCOMPARABLE}:
        raise ClaimUndecided(f"{claimed}: {found.order}: {found.reason}")
    crossed = f", crossing at ε = {', '.join(e.text(60) for e in found.crossings)}" if found.crossings else ""
    raise ClaimViolated(answer, f"claim violated: {claimed}\n  truth     {found.order}{crossed}")
