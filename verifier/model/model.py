"""What is modelled: Θ, the mechanism, what the attacker knows, and what is protected.

The definitions of the texts speak of every record of the database. A model that protects some records, or a function of
the database, decides another notion: what holds of record 3 may fail of record 0. Every answer names its `Restriction`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, overload

from verifier.errors import InputError, UnsupportedError, printable
from verifier.model.distribution import UNAWARE, Theta, Zeta
from verifier.model.mechanism import Database, Mechanism, World
from verifier.model.policy import NO_POLICY, Policy
from verifier.numbers import cut, plural, shorten
from verifier.tables import Label, Law

if TYPE_CHECKING:
    from verifier.model.student_question import StudentQuestion

FEW = 12
"""Most records that are named one by one."""
ROWS: Literal["rows"] = "rows"
"""The value of `Restriction.only` where a function of the world is protected, by `[sensitive] rows` or a column."""


@dataclass(frozen=True)
class Restriction:
    """The records that alone are protected, or `rows` for a function; `only` is None where every record is.

    >>> [Restriction(only).text for only in ([3], [0, 2], [0, 1, 2], None)]
    ['restricted to record 3', 'restricted to records 0, 2', 'restricted to records 0 to 2', '']
    >>> Restriction(range(500)).json, Restriction([1, 3]).json, Restriction(None).json
    ({'restricted_to': {'from': 0, 'to': 499}}, {'restricted_to': [1, 3]}, {})
    """

    only: Sequence[int] | Literal["rows"] | None

    def __bool__(self) -> bool:
        """Whether the model protects less than every record."""
        return self.only is not None

    @property
    def protected(self) -> str:
        """The text `record 3`, `records 0, 2` or `the sensitive function`; empty where every record is protected."""
        if self.only is None:
            return ""
        if isinstance(self.only, str):
            return "the sensitive function"
        if len(self.only) > 2 and self._is_run:
            return f"records {self.only[0]} to {self.only[-1]}"
        more = f", … ({len(self.only):,} records)" if len(self.only) > FEW else ""
        return f"record{'' if len(self.only) == 1 else 's'} {', '.join(map(str, self.only[:FEW]))}{more}"

    @property
    def text(self) -> str:
        """The text beside a verdict, such as `restricted to record 3`; empty where every record is protected."""
        return f"restricted to {self.protected}" if self else ""

    def beside(self, text: str) -> str:
        """A text with the restriction behind it: `holds, restricted to record 3`."""
        return f"{text}, {self.text}" if self else text

    @property
    def json(self) -> dict[str, Any]:
        """The key `restricted_to` of an answer: records as a model file lists them, or `rows`; without one, no key."""
        if self.only is None:
            return {}
        if isinstance(self.only, str):
            return {"restricted_to": self.only}
        run = len(self.only) > FEW and self._is_run
        return {"restricted_to": {"from": self.only[0], "to": self.only[-1]} if run else list(self.only)}

    @property
    def _is_run(self) -> bool:
        if self.only is None or isinstance(self.only, str):
            return False
        return isinstance(self.only, range) or all(right == left + 1 for left, right in pairwise(self.only))


def seen_by(text: str, observer: str) -> str:
    """A text with who sees the outputs, where an observer is named.

    >>> seen_by("holds", "insider"), seen_by("holds", "")
    ('holds, seen by insider', 'holds')
    """
    return f"{text}, seen by {printable(observer)}" if observer else text


def restriction_in(raw: Mapping[str, Any]) -> Restriction:
    """The restriction of a model file from its parsed tables, as a family has them."""
    sensitive = raw.get("sensitive")
    if sensitive is None:
        thetas = raw.get("distribution", ())
        tables = [theta.get("table") or [{}] for theta in ([thetas] if isinstance(thetas, Mapping) else thetas)]
        return Restriction(ROWS if any("sensitive" in table[0] for table in tables) else None)
    if "records" not in sensitive:
        return Restriction(ROWS)
    records = sensitive["records"]
    only = range(records["from"], records["to"] + 1) if isinstance(records, Mapping) else list(records)
    return Restriction(None if len(only) == raw["size"] else only)


def subject_of(record: int | None) -> str:
    """The name of a protected value: `D(i)` of a record, else `S`."""
    return "S" if record is None else f"D({record})"


@dataclass(frozen=True)
class Secret:
    """One protected value S: the value of a record, a function of the database, or a column of the table.

    `record` is None unless S is the value of a record.
    """

    record: int | None
    domain: tuple[Label, ...]
    function: Mapping[Database, Label] | None = None
    ordered: bool = True
    """Whether the order of `domain` is one that the file names; else it is that in which the values first stand."""

    def of(self, world: World) -> Label:
        """The value S(ω) in a world ω.

        Raises:
            InputError: where the function has no row for the world's database, or the table no column `sensitive`.

        """
        if self.record is not None:
            return self.domain[world.database[self.record]]
        if self.function is not None:
            value = self.function.get(world.database)
            if value is None:
                raise InputError(
                    f"[sensitive] has no row for the database {list(world.database)}",
                    wanted="a row for every possible database",
                )
            return value
        if world.sensitive is None:
            raise InputError("the table has no column `sensitive`")
        return world.sensitive


@dataclass(frozen=True)
class RecordSecrets(Sequence[Secret]):
    """The values of some records as protected values, one `Secret` each, made when it is looked at."""

    records: Sequence[int]
    domain: tuple[Label, ...]

    def __len__(self) -> int:
        return len(self.records)

    @overload
    def __getitem__(self, at: int) -> Secret: ...

    @overload
    def __getitem__(self, at: slice) -> RecordSecrets: ...

    def __getitem__(self, at: int | slice) -> Secret | RecordSecrets:
        if isinstance(at, slice):
            return RecordSecrets(self.records[at], self.domain)
        return Secret(self.records[at], self.domain)

    def only(self, record: object) -> RecordSecrets:
        """The value of one record alone, as a sequence; an empty one where the record is not among these."""
        return RecordSecrets([i for i in [record] if isinstance(i, int) and i in self.records], self.domain)


@dataclass(frozen=True)
class RandomParameter:
    """One of the independent random parameters φ of a normalization (DMKB20, Definition 7)."""

    name: str
    law: Law


@dataclass(frozen=True)
class Generated:
    """One row of the table of a normalization: the world that some values of the parameters generate."""

    when: tuple[Label, ...]
    database: Database
    knowledge: Label | None
    sensitive: Label | None


@dataclass(frozen=True)
class Normalization:
    """A normalization that the file gives, to be checked (DMKB20, Definition 7).

    φ₀ is the first of the parameters; `knowledge` names the φ_I, which determine what the attacker knows.
    """

    distribution: str
    record: int | None
    parameters: tuple[RandomParameter, ...]
    table: tuple[Generated, ...]
    knowledge: tuple[str, ...]


@dataclass(frozen=True)
class Expectation:
    """One `[[expect]]` of a model file: a question and the answer that the file promises."""

    definition: str
    question: Mapping[str, Any]
    answer: Mapping[str, Any]


@dataclass(frozen=True)
class Model:
    """A finite model: everything that a verdict may depend on, and nothing else.

    `thetas` are the pairs (θ, ζ) of Θ and Z, θ by θ, each with the name of both where Z has several functions.

    Make one with `verifier.build(...)` or `verifier.read(...)`.
    """

    title: str
    source: str
    size: int
    values: tuple[Label, ...]
    thetas: tuple[Theta, ...]
    mechanism: Mechanism
    secrets: Sequence[Secret]
    normalizations: tuple[Normalization, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    notes: str = ""
    path: str = ""
    sha256: str = ""
    text: str = field(default="", repr=False, compare=False)
    """The text of its file; empty where it came from no file, or is not what the file says."""
    tables: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    """The keys that it was made of, where these are not the text: in Python, or with values for the parameters."""
    sizes: tuple[int, int] | None = None
    """`[from, to]` where databases are multisets of several sizes; `size` is then the largest."""
    policy: Policy = NO_POLICY
    """The parameters of DP22's definitions."""
    files: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """The files of tables that its file points to; their rows stand in `text`, which `sha256` is the hash of."""
    observer: str = ""
    """Who sees some draws of the program beside its output: the outputs of the mechanism are then lists of both."""
    asked: StudentQuestion | None = field(default=None, compare=False)
    """What `[question]` of its file asks a student; no verdict depends on it."""

    def changed(self, **parts: Any) -> Model:
        """The model with other parts: it is no longer what a file says, or the keys in Python."""
        return replace(self, sha256="", text="", tables=None, files=(), **parts)

    def __repr__(self) -> str:
        sizes = f"{self.sizes[0]} to " if self.sizes else ""
        records = f"{sizes}{plural(self.size, 'record')} in {{{', '.join(v.text for v in self.values[:8])}"
        more = "}" if len(self.values) <= 8 else ", …}"
        thetas = plural(len(self.distributions), "distribution")
        known = " | ".join(zeta.channel.title if zeta.channel else zeta.kind for zeta in self.zetas) or UNAWARE.kind
        return cut(
            f'<Model "{self.title}": {records}{more}, {thetas}, mechanism: {self.mechanism.title}, knowledge: {known}>',
            200,
        )

    @property
    def zetas(self) -> tuple[Zeta, ...]:
        """The family Z, by first appearance."""
        return tuple({theta.zeta.name: theta.zeta for theta in reversed(self.thetas)}.values())[::-1]

    @property
    def distributions(self) -> tuple[Theta, ...]:
        """Θ alone: each θ once, by its own name, for definitions in which what is known plays no part."""
        return tuple({theta.alone.name: theta.alone for theta in self.thetas}.values())

    @property
    def absent(self) -> Label | None:
        """The value of a record that is not there; None where the file names none, or has databases of several sizes.

        A database of several sizes leaves a record out that is not there, so that no value says so.
        """
        named = self.policy.absent if self.sizes is None else None
        return None if named is None else self.values[named]

    @property
    def present(self) -> tuple[int, ...]:
        """The positions in T of the values between which a record can change: all but `absent`."""
        return tuple(v for v, value in enumerate(self.values) if value != self.absent)

    @property
    def protects_records(self) -> bool:
        """Whether S is the value of a record, which CDP and DP need."""
        return bool(self.secrets) and self.secrets[0].record is not None

    @property
    def protected_records(self) -> list[int]:
        """The records whose values are protected."""
        return [secret.record for secret in self.secrets if secret.record is not None]

    @property
    def restriction(self) -> Restriction:
        """The records, or the function, to which `[sensitive]` restricts what is protected."""
        if self.secrets and not self.protects_records:
            return Restriction(ROWS)
        if len(self.secrets) in {0, self.size}:
            return Restriction(None)
        if isinstance(self.secrets, RecordSecrets):
            return Restriction(self.secrets.records)
        return Restriction(self.protected_records)

    def seen(self, text: str) -> str:
        """A text with who sees the outputs, where an observer was named: `holds, seen by insider`."""
        return seen_by(text, self.observer)

    @property
    def observed_json(self) -> dict[str, str]:
        """The key `observer` of an answer; without an observer, no key."""
        return {"observer": self.observer} if self.observer else {}

    @property
    def label(self) -> str:
        """The name of the model in answers: the path of its file, else its title."""
        return self.path or self.title

    def shown(self, database: Database) -> list[Any]:
        """The values of a database, as the file spells them."""
        return [self.values[v].shown for v in database]

    if TYPE_CHECKING:  # `verifier.show.on_demand` gives it, since this room comes before that one

        def worlds(
            self, *, distribution: str | None = ..., record: int | None = ..., knowledge: str | None = ...
        ) -> Any:
            """Draw the worlds, with `.save(path)`."""

    def support(self) -> Iterator[Database]:
        """Every database that some θ can produce, by first appearance."""
        produced: set[Database] = set()
        for theta in self.thetas:
            for world in theta.worlds():
                if world.database not in produced:
                    produced.add(world.database)
                    yield world.database


def need_distributions(model: Model, question: str) -> None:
    """Refuse a model without a distribution where the question is about one.

    Raises:
        UnsupportedError: for databases of several sizes, and for a file without `[[distribution]]`.

    """
    if model.sizes is None and not model.thetas:
        raise UnsupportedError(
            f"{question} is about distributions, but the model has none",
            tip="add a [[distribution]] of the databases, or use dp, which needs none",
        )
    if model.sizes is not None:
        raise UnsupportedError(
            f"{question} is about distributions, but this model has none: its databases are all multisets of "
            f"{model.sizes[0]} to {model.sizes[1]} tuples",
            tip="dps, safe and definitions that compare any two multisets apply, such as dp-any; "
            "one integer as `size` has distributions",
        )


def need_model(model: object) -> Model:
    """Return a model as it is.

    Raises:
        InputError: for anything else, with a tip how to make a model of it.

    """
    if isinstance(model, Model):
        return model
    if isinstance(model, str | PathLike):
        file = str(model) if len(str(model)) < 80 else "mine.toml"
        raise InputError(
            f"{shorten(str(model))} is not a model", where="model", wanted="a Model", tip=f'pk.read("{file}")'
        )
    tip = 'pk.read("mine.toml") or pk.build(…) makes one'
    if isinstance(model, dict):
        tip = "pk.build(**keys) makes one"
    elif isinstance(getattr(model, "model", None), Model):
        tip = "it is about a model: give its `model`, such as pk.check(pair.model, …) for a pair of laws"
    elif callable(model):
        name = str(getattr(model, "__name__", None) or getattr(model, "name", "f"))
        called = "f" if name == "<lambda>" else name
        tip = f"pk.build(size=1, values=[0, 1], mechanism={called}) makes one, with the records that {called} is given"
    raise InputError(f"{shorten(model)} is not a model", where="model", wanted="a Model", tip=tip)
