"""A certificate as numbered tables, from which both exports are written.

Values, knowledge values, secrets and outputs become 0, 1, 2, … in the order in which they appear, so that no label can
disturb a foreign language. The labels stand in comments, in ASCII.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any, NamedTuple, TypeAlias

from verifier.checker import Beyond, Rejected
from verifier.checker.judge import READINGS
from verifier.checker.numbers import wide_ends
from verifier.definitions import DEFINITIONS, HOCKEY_STICK, ON_REQUEST, TAIL, Definition
from verifier.definitions.builders.resolve import comparing
from verifier.errors import InputError, LimitError, PkdpError, UnsupportedError
from verifier.wings.judges.numbers import Factor, factor, number

Db: TypeAlias = tuple[int, ...]
NOTHING = "\x00"
"""The knowledge value of an attacker who knows nothing."""
MOST_CELLS = 40_000
"""Largest number of pairs (world, row of the mechanism): a judge looks up each world in the table."""
Counts: TypeAlias = tuple[int, ...]
"""A multiset: how often each value appears."""
MOST_PARTS = 20_000
"""Largest number of pairs (multiset, part of it) that are written out."""


class World(NamedTuple):
    """A world of a θ, by numbers, with its probability; `secret` is -1 where records are protected."""

    database: Db
    knowledge: int
    secret: int
    probability: Fraction


@dataclass(frozen=True)
class Labels:
    """The labels by their numbers, for comments."""

    values: tuple[str, ...]
    knowledge: tuple[str, ...]
    outputs: tuple[str, ...]
    domain: tuple[str, ...]
    thetas: tuple[str, ...]


@dataclass(frozen=True)
class ClaimedAnswer:
    """The answer of a certificate, about the definition with a `key`."""

    key: str
    epsilon: Factor | None
    delta: Fraction
    verdict: str
    lower: Factor
    """The lower bound of the smallest ε, which is `tight_epsilon` where it is exact."""
    tight_epsilon: Factor
    """The smallest ε, or its upper bound where it is enclosed."""
    tight_delta: str | None

    @property
    def exact(self) -> bool:
        """Whether the smallest ε is known, and not only enclosed."""
        return self.lower == self.tight_epsilon

    @property
    def subject(self) -> str:
        """The definition in words."""
        return self.key

    def __str__(self) -> str:
        at = "some finite epsilon" if self.epsilon is None else f"epsilon = {self.epsilon.text}"
        return f"{self.subject} at {at}, delta = {self.delta}: {self.verdict}"


@dataclass(frozen=True)
class CertifiedAnswer(ClaimedAnswer):
    """The answer of a certificate with tables, about a definition in a reading."""

    definition: Definition
    reading: str

    @property
    def subject(self) -> str:
        """The definition and its reading in words."""
        return f"{self.key} ({self.reading})"

    @property
    def tail(self) -> bool:
        """Whether the definition bounds the tail P[loss > ε]."""
        return self.definition.measure is TAIL

    @property
    def simulated(self) -> bool:
        """Whether the definition asks for a simulator of laws of outputs."""
        return self.definition.kind == "simulator"

    @property
    def believed(self) -> bool:
        """Whether the definition asks for a simulator that leads to the same beliefs."""
        return asks_for_beliefs(self.definition)

    @property
    def reach(self) -> str:
        """The databases on which the mechanism matters: `possible`, after a `change` of a record, or `all`."""
        compared = comparing(self.definition)
        return compared.reach if compared is not None else "possible"

    @property
    def bounded_by_rate(self) -> bool:
        """Whether the definition asks, too, that δ is below the rate of the sample (LQS12, Definition 3)."""
        definition = self.definition
        return definition.changes_size and not definition.recodes and self.reading == "default"


@dataclass(frozen=True)
class Tables:
    """The worlds of each θ, and the mechanism, all by number. `secrets` are records; None where S is a column."""

    title: str
    question: CertifiedAnswer
    size: int
    secrets: tuple[int, ...] | None
    thetas: tuple[tuple[World, ...], ...]
    mechanism: dict[Db, dict[int, Fraction]]
    labels: Labels

    @property
    def values(self) -> range:
        """The values T, by number."""
        return range(len(self.labels.values))

    @property
    def outputs(self) -> range:
        """The outputs of the mechanism's table, by number."""
        return range(len(self.labels.outputs))

    @property
    def domain(self) -> range:
        """The values of a secret, by number: T, or the values of S."""
        return range(len(self.labels.domain))

    def knowledge_values(self, theta: int) -> list[int]:
        """The knowledge values of a θ."""
        return sorted({world.knowledge for world in self.thetas[theta]})

    def names(self) -> Iterator[str]:
        """The lines of comments that say which label each number stands for."""
        labels = self.labels
        numbered = {
            "value": labels.values,
            "sensitive value": labels.domain if self.secrets is None else (),
            "knowledge": tuple("nothing" if known == NOTHING else known for known in labels.knowledge),
            "output": labels.outputs,
            "distribution": labels.thetas,
        }
        return (f"{kind} {k}: {plain(name)}" for kind, names in numbered.items() for k, name in enumerate(names))

    def targets(self) -> Iterator[tuple[int, int | None]]:
        """Each θ with each protected record (None where S is a column), by number."""
        return product(range(len(self.thetas)), self.secrets if self.secrets is not None else (None,))


def plain(text: str) -> str:
    r"""A label for a comment: printable ASCII without quotes, backslashes, bars, semicolons, and Coq's comment signs.

    >>> print(plain('"⊥" (* a'), plain("#1 at 1/2*ln(2)"))
    _22__22a5__22_ (_2a_ a #1 at 1/2*ln(2)
    """
    kept = "".join(c if c.isascii() and (c.isalnum() or c in " .,:=+-/[]()_*#") else f"_{ord(c):x}_" for c in text)
    return kept.replace("(*", "(_2a_").replace("*)", "_2a_)")


def exported(definition: Definition) -> bool:
    """Whether a definition outside DP22 has an export: it compares laws, or asks for a simulator or a dependency."""
    if definition.own or definition.measure not in {HOCKEY_STICK, TAIL}:
        return False
    return (
        comparing(definition) is not None
        or definition.changes_size
        or asks_for_beliefs(definition)
        or definition.kind in {"simulator", "dependency"}
    )


def asks_for_beliefs(definition: Definition) -> bool:
    """Whether a definition asks for a simulator that leads to the same beliefs, and lists no comparisons of laws."""
    return definition.kind == "posterior" and comparing(definition) is None


@contextmanager
def undamaged() -> Iterator[None]:
    """A context that turns errors by missing keys and wrong types of a certificate into an InputError."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, PkdpError):
            raise
        raise InputError(
            f"it is damaged: {error!r}", where="the certificate", wanted="a certificate of a verdict"
        ) from None


@contextmanager
def listed_by_the_replay() -> Iterator[None]:
    """A context in which the checker's copy of a definition lists rows: its refusals become those of an export."""
    try:
        yield
    except Beyond as error:
        raise LimitError(str(error), wanted="a smaller model") from None
    except Rejected as error:
        raise InputError(str(error), where="the certificate", wanted="one that the checker accepts") from None


def refuse_open(verdict: object) -> None:
    """Refuse a verdict of which there is nothing to claim.

    Raises:
        UnsupportedError: with the verdict.

    """
    if verdict not in {"holds", "fails", "vacuous"}:
        raise UnsupportedError(f"the verdict is {verdict}, which says nothing")


def survey_question(certificate: dict[str, Any], known: Container[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The question and the answer of a certificate about one of the `known` definitions of DP22, as they are written.

    Raises:
        UnsupportedError: for another definition, a reading, or a verdict without an export.

    """
    question, answer = certificate["question"], certificate["answer"]
    key = question["definition"]
    if key not in known or question["reading"] not in READINGS.get(key, ("default",)):
        raise UnsupportedError(f"{question['definition']} in the reading {question['reading']} has no export")
    refuse_open(answer["verdict"])
    return question, answer


def question_of(certificate: dict[str, Any]) -> CertifiedAnswer:
    """The question and the answer of a certificate.

    Raises:
        UnsupportedError: for a definition, a reading, a verdict or an engine without an export.

    """
    if certificate.get("kind", "verdict") != "verdict":
        raise UnsupportedError(f"a certificate of the kind {certificate['kind']} has no export")
    question, answer = certificate["question"], certificate["answer"]
    key, reading, verdict = question["definition"], question["reading"], answer["verdict"]
    definition = {**DEFINITIONS, **ON_REQUEST}.get(key)
    if certificate.get("engine", "table") not in {"table", "sizes"}:
        raise UnsupportedError(f"the certificate has no table of worlds, but the engine {certificate['engine']}")
    if definition is None or not exported(definition) or reading not in list(definition.readings):
        raise UnsupportedError(f"{key} in the reading {reading} has no export")
    refuse_open(verdict)
    epsilon = None if question["epsilon"] is None else factor(question["epsilon"])
    if asks_for_beliefs(definition):
        lower, tight = enclosed(answer["tight_epsilon"])
    else:
        lower = tight = factor(answer["tight_epsilon"])
    delta = number(question["delta"])
    return CertifiedAnswer(key, epsilon, delta, verdict, lower, tight, answer["tight_delta"], definition, reading)


def enclosed(tight: str | None) -> tuple[Factor, Factor]:
    """The bounds of a certificate's smallest ε: twice itself, its two decimal bounds, or 0 and ∞ where there is none.

    >>> [end.text for end in enclosed("[0.25, 0.5]")], [end.text for end in enclosed("ln(2)")]
    (['1/4', '1/2'], ['ln(2)', 'ln(2)'])
    """
    if tight is None:
        return factor("0"), factor("inf")
    if not tight.startswith("["):
        return factor(tight), factor(tight)
    try:
        lower, upper = wide_ends(tight)
    except Rejected as error:
        raise InputError(str(error), where="the certificate", wanted="an enclosure [l, u]") from None
    return factor(str(lower)), factor(str(upper))


def read(certificate: dict[str, Any]) -> Tables:
    """The tables of a certificate; its other keys, such as a model's name or a hash, are ignored.

    Raises:
        InputError: for a damaged certificate.
        UnsupportedError, LimitError: for a certificate that cannot be exported.

    """
    question = question_of(certificate)
    if question.definition.changes_size:
        raise UnsupportedError("databases of several sizes have tables of their own")
    size, secrets = certificate["size"], certificate["secrets"]
    values, domain = _names(certificate["values"]), _names(certificate["domain"])
    if type(size) is not int or size < 1:
        raise InputError(
            f"the size {size!r} is not a number of records", where="the certificate", wanted="a positive integer"
        )
    by_column = secrets == ["S"]
    records = list(dict.fromkeys(secrets))
    if not by_column and (records != secrets or not secrets or any(i not in range(size) for i in records)):
        raise InputError(f"the secrets {secrets!r} are unknown", where="the certificate", wanted="records, or S")
    replaces = question.definition.replaces_a_record or question.simulated
    if replaces and certificate.get("absent") is not None:
        raise UnsupportedError(f"{question.definition.key} leaves out records that are absent: that has no export")
    if by_column and replaces:
        raise UnsupportedError(f"{question.definition.key} replaces or leaves out a record, but S is a column")
    outputs: dict[str, int] = {}
    knowledge: dict[str, int] = {}

    def database(texts: list[str]) -> Db:
        if len(texts) != size:
            raise InputError(
                f"the database {texts!r} has another size", where="the certificate", wanted=f"{size} records"
            )
        return tuple(values[text] for text in texts)

    mechanism: dict[Db, dict[int, Fraction]] = {}
    for texts, law in certificate["mechanism"]:
        if database(texts) in mechanism:
            raise InputError(f"{texts!r} has two laws", where="the certificate")
        mechanism[database(texts)] = {outputs.setdefault(o, len(outputs)): number(p) for o, p in law.items()}
    thetas = tuple(
        tuple(
            World(
                database(texts),
                knowledge.setdefault(known, len(knowledge)),
                domain[secret] if by_column else -1,
                number(p),
            )
            for texts, known, secret, p in rows
        )
        for rows in certificate["worlds"].values()
    )
    if not mechanism or (not thetas and question.reach != "all"):
        raise InputError("a table is empty", where="the certificate", wanted="worlds, and a mechanism")
    labels = Labels(
        tuple(values),
        tuple(knowledge),
        tuple(outputs),
        tuple(domain),
        tuple(certificate["worlds"]),
    )
    rows = len(mechanism) if question.reach == "all" else sum(map(len, thetas))
    if rows * len(mechanism) > MOST_CELLS:
        raise LimitError(
            f"{rows * len(mechanism):,} pairs of a world and a row of the mechanism",
            wanted=f"at most {MOST_CELLS:,}: an external prover looks each of them up",
        )
    kept = None if by_column else tuple(records)
    return Tables(title_of(certificate, question), question, size, kept, thetas, mechanism, labels)


def title_of(certificate: Mapping[str, Any], question: object) -> str:
    """The title of an export: the model, if the certificate names it, and the question in words."""
    model = certificate.get("model")
    return plain(f"{model}: {question}" if isinstance(model, str) else str(question))


def _names(texts: list[str]) -> dict[str, int]:
    numbers = {text: k for k, text in enumerate(texts)}
    if len(numbers) != len(texts) or not texts or not all(isinstance(text, str) for text in texts):
        raise InputError(f"the labels {texts!r} repeat a text", where="the certificate", wanted="distinct texts")
    return numbers


# --- databases of several sizes ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sized:
    """The law of the mechanism, without its sample, on each multiset of the certificate.

    Databases have `first` to `last` tuples; each tuple is sampled with probability `rate`.
    """

    values: tuple[str, ...]
    outputs: tuple[str, ...]
    first: int
    last: int
    rate: Fraction
    laws: dict[Counts, dict[int, Fraction]]

    def databases(self, first: int | None = None) -> list[Counts]:
        """All multisets of the databases' sizes, or from the smaller size `first` on."""
        return list(_multisets(len(self.values), self.first if first is None else first, self.last))


def _multisets(values: int, first: int, last: int) -> Iterator[Counts]:
    for size in range(first, last + 1):
        for chosen in combinations_with_replacement(range(values), size):
            yield tuple(chosen.count(v) for v in range(values))


def read_sized(certificate: dict[str, Any]) -> Sized:
    """Read the laws on multisets and the rate of a certificate about databases of several sizes.

    Raises:
        InputError: for a damaged certificate.
        LimitError: for too many parts of multisets.

    """
    values, (first, last), rate = tuple(certificate["values"]), certificate["sizes"], number(certificate["rate"])
    count = comb(last + 2 * len(values), last)
    if count > MOST_PARTS:
        raise LimitError(f"{count:,} parts of multisets", wanted=f"at most {MOST_PARTS:,}")
    outputs: dict[str, int] = {}
    laws: dict[Counts, dict[int, Fraction]] = {}
    for texts, law in certificate["mechanism"]:
        at = tuple(texts.count(v) for v in values)
        if sum(at) != len(texts) or at in laws:
            raise InputError(f"{texts!r} is not a multiset, or is there twice", where="the certificate")
        laws[at] = {outputs.setdefault(o, len(outputs)): number(p) for o, p in law.items()}
    return Sized(values, tuple(outputs), first, last, rate, laws)
