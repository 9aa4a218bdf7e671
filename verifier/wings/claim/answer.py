"""The answer to a claim: its word, the exact truth, a witness; and what is raised where a claim is violated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verifier.definitions import Verdict
from verifier.definitions.answer import Answer, Decimal, Valued, Whole
from verifier.definitions.verdict import Witness
from verifier.errors import PkdpError, UnsupportedError
from verifier.model import arguments
from verifier.numbers import Delta, Enclosure, Epsilon
from verifier.version import VERSION
from verifier.wings.claim.message import message

TIGHT, LOOSE, VIOLATED = "holds, tight", "holds, loose", "violated"
VACUOUS, UNDECIDED, UNSUPPORTED = "vacuous", "undecided", "unsupported"
WORDS = (TIGHT, LOOSE, VIOLATED, VACUOUS, UNDECIDED, UNSUPPORTED)
STATUSES = {VIOLATED: 1, UNDECIDED: 3, UNSUPPORTED: 3}
"""The exit statuses of answers that are no 0."""
Number = Fraction | Delta | Epsilon | Enclosure


@dataclass(frozen=True)
class ClaimWitness(Valued):
    """Two databases and outputs that anyone can add up again: their probabilities from the first, and the second."""

    databases: tuple[Any, Any] | None
    """As they were given; None where the two laws are of no single databases: `words` says which they are."""
    event: tuple[Any, ...]
    probabilities: tuple[Fraction, Fraction] | None
    words: str = ""
    texts: tuple[str, ...] = ()
    """The outputs of the event as texts."""

    def fields(self) -> dict[str, Any]:
        """The witness in JSON; no probability is cut."""
        both = None if self.probabilities is None else [Whole(p) for p in self.probabilities]
        databases = None if self.databases is None else [_plain(database) for database in self.databases]
        return {"databases": databases, "event": self.texts, "probabilities": both, "words": self.words or None}


def _plain(database: Any) -> Any:
    return list(database) if isinstance(database, tuple | list) else database


def witness_of(witness: Witness, keyed: Mapping[str, Any] | None, words: str) -> ClaimWitness | None:
    """The witness of an answer, in the user's own databases; None where no outputs show it."""
    if witness.event is None and witness.databases is None:
        return ClaimWitness(None, (), None, words)
    databases = None
    if witness.databases is not None:
        shown = [[value.shown for value in database] for database in witness.databases]
        databases = tuple(shown if keyed is None else [keyed[one[0].text] for one in witness.databases])
    event = witness.event or ()
    p, q = witness.probability_a, witness.probability_b
    both = (p, q) if isinstance(p, Fraction) and isinstance(q, Fraction) and event else None
    return ClaimWitness(
        None if databases is None else (databases[0], databases[1]),
        tuple(output.shown for output in event),
        both,
        words,
        tuple(output.text for output in event),
    )


@dataclass(frozen=True)
class ClaimPoint(Valued):
    """One point of a claim that is a curve: where, what is claimed there, and the smallest that holds."""

    at: Any
    claimed: Any
    truth: Any
    holds: bool | None
    """None where it is undecided."""


@dataclass(frozen=True)
class ClaimAnswer(Answer):
    """The answer to a claim; `str` is its message, and it is true where the claim holds.

    `verdict` is `holds, tight`, `holds, loose`, `violated`, `vacuous`, `undecided` or `unsupported`; of a δ(ε) that is
    a Python function, and that no point refutes, `checked at N points`, which is not true.
    """

    name: str
    definition: str
    """As the claim says it."""
    verdict: str
    epsilon: Any = None
    """The claimed ε, or what stands in its place (ρ, μ); None where none is claimed."""
    delta: Any = None
    tight_epsilon: Epsilon | Enclosure | str | None = None
    """The smallest ε at the claimed δ; for every value of a parameter a formula."""
    tight_delta: Delta | Enclosure | None = None
    """The smallest δ at the claimed ε."""
    value: Number | None = None
    """The quantity that a claim of another kind bounds: an advantage, a posterior, ρ, μ."""
    advantage: Fraction | None = None
    """The total variation distance of the two laws that are told apart best."""
    witness: ClaimWitness | None = None
    scope: str = ""
    relation: str = ""
    """How two databases differ, in words."""
    comparisons: int = 0
    reason: str = ""
    replayed: bool | None = None
    points: tuple[ClaimPoint, ...] = ()
    tradeoff: tuple[tuple[Fraction, Fraction], ...] = ()
    """The vertices of the true trade-off curve, where one is claimed."""
    noun: str = ""
    """What the bounded number is called, where it is no ε: ρ, μ, posterior."""
    quantity: str = ""
    """What an attacker gains, where that is claimed: `tpr at 1/100 false positives`."""
    runs: int = 1
    claims_nothing: bool = False
    witness_at: tuple[Epsilon | None, Fraction] | None = None
    """The ε and the δ that the witness breaks, where they are not those of the claim."""
    answer: Verdict | None = field(default=None, repr=False, compare=False)
    """The answer of `pk.check` from which the numbers are, where there is one."""
    again: Callable[..., ClaimAnswer] | None = field(default=None, repr=False, compare=False)
    """Asks the same with other words."""

    def __bool__(self) -> bool:
        """Whether the claim holds; an answer that is vacuous, undecided or unsupported does not."""
        return self.verdict in {TIGHT, LOOSE}

    def __str__(self) -> str:
        return message(self)

    def __repr__(self) -> str:
        return f"<ClaimAnswer {self.name}: {self.definition} {self.verdict}>"

    @property
    def exit_status(self) -> int:
        """The exit status of the command line."""
        return STATUSES.get(self.verdict, 0)

    def delta_at(self, epsilon: object) -> Delta | Enclosure:
        """The smallest δ at an ε.

        Raises:
            UnsupportedError: for a claim whose numbers are of no single definition with a δ.

        """
        return self._decided.delta_at(epsilon)

    def epsilon_at(self, delta: object) -> Epsilon:
        """The smallest ε at a δ; errors as `delta_at`."""
        return self._decided.epsilon_at(delta)

    @property
    def _decided(self) -> Verdict:
        if self.answer is None:
            raise UnsupportedError(f"{self.definition} of {self.name} has no δ(ε)", tip=self.reason)
        return self.answer

    def map(self, distance: object) -> Epsilon | Enclosure | str | None:
        """The smallest ε, at the claimed δ, of databases that so many steps of the relation lead apart."""
        return self._at(distance, None).tight_epsilon

    def check(self, distance: object, epsilon: object) -> bool:
        """Whether ε is enough, at the claimed δ, for databases that so many steps lead apart."""
        return bool(self._at(distance, epsilon))

    def _at(self, distance: object, epsilon: object) -> ClaimAnswer:
        if self.again is None:
            raise UnsupportedError(f"{self.definition} of {self.name} has no distance", tip=self.reason)
        answer = self.again(distance=arguments.number(1)(distance, "distance"), epsilon=epsilon)
        if answer.verdict in {UNDECIDED, UNSUPPORTED}:
            raise ClaimUndecided(answer.reason, answer=answer)
        return answer

    def fields(self) -> dict[str, Any]:
        """One object of `pkdp check --claims --json`."""
        return {
            "schema": 1,
            "version": VERSION,
            "name": self.name,
            "definition": self.definition,
            "relation": self.relation or None,
            "verdict": self.verdict,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "tight_epsilon": self.tight_epsilon,
            "tight_epsilon_decimal": None if isinstance(self.tight_epsilon, str) else Decimal(self.tight_epsilon),
            "tight_delta": self.tight_delta,
            "tight_delta_decimal": Decimal(self.tight_delta),
            "value": self.value,
            "advantage": self.advantage,
            "witness": self.witness,
            "points": self.points,
            "trade_off": [{"alpha": alpha, "beta": beta} for alpha, beta in self.tradeoff],
            "comparisons": self.comparisons,
            "scope": self.scope,
            "reason": self.reason or None,
            "replayed": self.replayed,
        }


class ClaimViolated(AssertionError):  # noqa: N818 - a test reads as it is said
    """A claim is violated, or with `tight=True` not tight; the message has the truth and the attack."""

    __module__ = "pkdp"  # as it is named where pytest shows it

    def __init__(self, answer: Any, message: str = "") -> None:
        """Keep the answer, whose text is the message where there is no other."""
        self.answer = answer
        super().__init__(message or str(answer))


class ClaimUndecided(PkdpError):  # noqa: N818 - as above; no AssertionError, since nothing is refuted
    """Nothing was decided: the question is undecided, unsupported or too large (exit status 3)."""

    __module__ = "pkdp"
    exit_status = 3

    def __init__(
        self, reason: str, *, where: str = "", wanted: str = "", tip: str = "", answer: ClaimAnswer | None = None
    ) -> None:
        """Keep the answer, whose message is that of the error."""
        self.answer = answer
        super().__init__(reason, where=where, wanted=wanted, tip=tip)

    def __str__(self) -> str:
        return super().__str__() if self.answer is None else str(self.answer)
