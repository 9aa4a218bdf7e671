"""k-anonymity of what is published, and strongly safe recodings: LQS12, Definitions 3.6 and 3.7."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from verifier.definitions.answer import ALL_DIGITS, Valued, header
from verifier.definitions.builders.sizes import chooser_of, unsampled
from verifier.engine.sizes import databases_of
from verifier.errors import InputError, UnsupportedError
from verifier.model import Database, Mechanism, Model, database_text, need_model
from verifier.model.multisets import number_of
from verifier.model.recoding import MAPPING_AND_TABLE
from verifier.numbers import exact_text, shorten
from verifier.questions.properties.property import Property
from verifier.recheck import rechecking, word_on
from verifier.tables import Label, runs_text

NO_TUPLE = "no possible output has a tuple"
ONE_DATABASE = "nothing is compared: there is one database"
SMALLEST_CROWD = 2
"""k where neither the question nor the mechanism says it: the smallest that asks for anything."""


@dataclass(frozen=True)
class Crowd(Valued):
    """The witness against k-anonymity: a published tuple, and how often it appears in an output on a database."""

    database: tuple[Label, ...]
    output: Label
    published: str
    times: int

    def __str__(self) -> str:
        times = f"{self.times} time{'' if self.times == 1 else 's'}"
        database = runs_text(self.database)
        return f"on the database {database}, {self.published} appears {times} in the output {self.output.text}"

    def fields(self) -> dict[str, Any]:
        """The witness as it stands in an answer."""
        return {"database": self.database, "output": self.output, "tuple": self.published, "times": self.times}


@dataclass(frozen=True)
class Choices(Valued):
    """The witness against a strongly safe recoding: two databases that choose it with different probabilities."""

    databases: tuple[tuple[Label, ...], tuple[Label, ...]]
    recoding: str
    probabilities: tuple[Fraction, Fraction]

    def __str__(self) -> str:
        p, q = map(exact_text, self.probabilities)
        first, second = map(runs_text, self.databases)
        return f"{self.recoding} is chosen with probability {p} on {first}, with {q} on {second}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Anonymity(Property):
    """The answer whether a model is k-anonymous, or its recoding strongly safe.

    `k` is what was asked for k-anonymity, `largest` the largest k for which it holds (None without a tuple).
    """

    model: Model
    k: int | None = None
    largest: int | None = None
    witness: Crowd | Choices | None = None
    replayed: bool | None = None

    def __str__(self) -> str:
        k_text = "" if self.k is None else f" with k = {self.k}"
        largest = f"; largest k {self.largest}" if self.largest is not None else ""
        return f"{self.name}{k_text} {self.verdict}{largest}{'; ' if self.reason else ''}{self.reason or ''}"

    def fields(self) -> dict[str, Any]:
        """The answer as `pkdp property --json` prints it."""
        own = {"k": self.k, "largest": self.largest, "witness": self.witness, "replayed": self.replayed}
        return {**header(self.model), **super().fields(), **own}


def _answer(about: tuple[str, str], model: Model, verdict: str, reason: str | None = None, **found: Any) -> Anonymity:
    """The answer about a property, its name and source, with what is found beside the verdict as its evidence too."""
    evidence = {name: value for name, value in found.items() if value is not None}
    return Anonymity(*about, verdict, reason, evidence=evidence, model=model, **found)


def properties_of(model: Model) -> list[Anonymity]:
    """The properties that an overview lists; none where databases have one size."""
    if model.sizes is None:
        return []
    return [
        property_answer
        for property_answer in (k_anonymity(model), strongly_safe(model))
        if property_answer.verdict != "unsupported"
    ]


K_ANONYMITY = "k-anonymity", "LQS12, Definition 3.6"
STRONGLY_SAFE = "strongly-safe", "LQS12, Definition 3.7"


def k_anonymity(model: Model, k: int | None = None) -> Anonymity:
    """Whether every tuple of every possible output appears in it at least k times (LQS12, Definition 3.6).

    All attributes are quasi-identifiers, so that equal means equal as a whole. Outputs must be tables, that is lists of
    tuples: of `apply`, of `k-anonymization`, of tables and functions whose outputs are lists. `k` defaults to the
    mechanism's own, else to 2. It is a property of outputs alone, and does not say what they tell of the database.

    >>> from verifier.model import build
    >>> doubled = build(size=(0, 2), values=["t", "u"], mechanism=lambda d: sorted([*d, *d]))
    >>> print(k_anonymity(doubled))
    k-anonymity with k = 2 holds; largest k 2

    Raises:
        InputError: for a k that is no integer ≥ 1.
        LimitError: where there are too many databases.

    """
    need_model(model)
    if k is not None and (type(k) is not int or k < 1):
        raise InputError(f"k = {shorten(k)} is not a size of a crowd", where="k", wanted="an integer, at least 1")
    mechanism = unsampled(model.mechanism)
    k_wanted = k or (mechanism.recoding.k if mechanism.recoding else SMALLEST_CROWD)
    smallest: int | None = None
    witness = None
    try:
        for database, output, published, times in _published(model, mechanism.publishes):
            if smallest is None or times < smallest:
                smallest = times
            if witness is None and times < k_wanted:
                witness = Crowd(labels_of(model, database), output, published, times)
    except UnsupportedError as error:
        return _answer(K_ANONYMITY, model, "unsupported", str(error), k=k_wanted)
    if smallest is None:
        return replayed(_answer(K_ANONYMITY, model, "vacuous", NO_TUPLE, k=k_wanted))
    verdict, reason = ("fails", str(witness)) if witness else ("holds", None)
    found = {"k": k_wanted, "largest": smallest, "witness": witness}
    return replayed(_answer(K_ANONYMITY, model, verdict, reason, **found))


def labels_of(model: Model, database: Database) -> tuple[Label, ...]:
    """The values of a database as labels."""
    return tuple(model.values[v] for v in database)


def _published(model: Model, published_kind: str) -> Iterable[tuple[Database, Label, str, int]]:
    """The rows (database, possible output, tuple in it, how often the tuple appears there)."""
    if not published_kind:
        raise UnsupportedError(
            f"k-anonymity is about published tables, and the mechanism puts out none: {model.mechanism.title}",
            tip='kind = "apply" publishes generalized tuples; so can a table whose outputs are lists',
        )
    for database in _databases(model, model.mechanism):
        for output in model.mechanism.law(database).outcomes:
            table = output.entries
            if published_kind == MAPPING_AND_TABLE and table is not None:
                table = table[1].entries
            if table is None:
                raise UnsupportedError(
                    f"the output {output.text} on the database {database_text(database, model.values)} is not a table",
                    tip='an output that is a list is one: ["a", "a"], or [] for the empty table',
                )
            for published, times in Counter(row.text for row in table).items():
                yield database, output, published, times


def _databases(model: Model, mechanism: Mechanism) -> Iterable[Database]:
    """All databases that the mechanism is applied to."""
    return databases_of(model, mechanism) if model.sizes else mechanism.all_databases()


def strongly_safe(model: Model) -> Anonymity:
    """Whether the recoding is chosen alike on all databases (LQS12, Definition 3.7): A_m(D) = A_m(D′) for all D, D′.

    A_m is `choose` of a k-anonymization. A random choice is constant where its law is; the databases are those that A_m
    meets, with `sample` every smaller one too. `apply` has one recoding, and is strongly safe.

    >>> from verifier.model import build
    >>> always = {"kind": "apply", "k": 2, "generalization": {"t": "any", "u": "any"}}
    >>> print(strongly_safe(build(size=(0, 3), values=["t", "u"], mechanism=always)))
    strongly-safe holds

    Raises:
        LimitError: where there are too many databases.

    """
    need_model(model)
    try:
        chooser = chooser_of(model.mechanism)
        laws = ((database, chooser.law(database)) for database in _databases(model, chooser))
        start, law = next(laws)
        different, compared = None, 1
        for database, other_law in laws:
            compared += 1
            if other_law != law:
                different = database, other_law
                break
    except UnsupportedError as error:
        return _answer(STRONGLY_SAFE, model, "unsupported", str(error))
    if compared == 1:
        return replayed(_answer(STRONGLY_SAFE, model, "vacuous", ONE_DATABASE))
    if different is None:
        return replayed(_answer(STRONGLY_SAFE, model, "holds"))
    database, other_law = different
    name = next(
        recoding
        for recoding in (*law.outcomes, *other_law.outcomes)
        if law.probability(recoding) != other_law.probability(recoding)
    )
    databases = labels_of(model, start), labels_of(model, database)
    witness = Choices(databases, name.text, (law.probability(name), other_law.probability(name)))
    return replayed(_answer(STRONGLY_SAFE, model, "fails", str(witness), witness=witness))


MAX_WORK = 200_000
"""Largest number of pairs (database, sample of it) that is re-checked."""


@rechecking()
def replayed(answer: Anonymity) -> Anonymity:
    """The answer with `replayed` set: True once re-checked, None where there are too many databases for it.

    Raises:
        RejectedError: where the checker decides otherwise.

    """
    model = answer.model
    number, last = len(model.values), model.size
    databases = number_of(number, 0, last) if model.sizes else number**last
    if databases * (2**last if model.mechanism.sample and answer.name == K_ANONYMITY[0] else 1) > MAX_WORK:
        return answer
    word, _ = word_on(answer.to_json(ALL_DIGITS), model)
    return replace(answer, replayed=True) if word.word == "confirmed" else answer
