"""The laws that definitions are claimed to obey (post-processing, convexity, composition), tested on one model.

A law that is kept on a model is no proof; one that is broken on a model is refuted. Every function takes the question
as `check` does. Without ε the law is tested at every ε at once, on the whole privacy profiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from verifier.definitions import Definition, Verdict, find
from verifier.definitions.answer import Answer
from verifier.definitions.measures.divergence import Condition, Divergence
from verifier.engine import MAX_ROWS
from verifier.errors import InputError, LimitError
from verifier.model import Model, Theta, arguments, check_size, counted, database_text, need_model
from verifier.model.arguments import takes
from verifier.model.compose import choose, compose, on_records, post_process, with_mechanism
from verifier.numbers import Delta, Enclosure, Epsilon, probability, shorten
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.epsilon import log_epsilon
from verifier.numbers.reals import log_sum
from verifier.profile import Profile, Steps
from verifier.questions.check import check
from verifier.tables import gathered, grouped

Amount = Delta | Epsilon | Profile | Steps


@dataclass(frozen=True)
class LawTest(Answer):
    """One law on one model: the amount that the premises allow, the measured amount, and whether measured ≤ allowed.

    `kept` is None where the law says nothing, and `reason` says why: nothing is compared, a premise does not hold, or
    a side has no exact value. `allowed` and `measured` are smallest δs at the asked ε, smallest ε, or whole profiles.
    """

    law: str
    source: str
    claim: str
    premises: tuple[Verdict, ...]
    conclusion: Verdict
    allowed: Amount | None
    measured: Amount | None
    kept: bool | None
    reason: str | None = None

    @property
    def verdict(self) -> str:
        """`kept`, `broken` or `says nothing`."""
        return {True: "kept", False: "broken", None: "says nothing"}[self.kept]

    @property
    def exit_status(self) -> int:
        """The exit status of the command line: 0 kept, 1 broken, 3 where the law says nothing."""
        return {True: 0, False: 1, None: 3}[self.kept]

    def fields(self) -> dict[str, Any]:
        """The test as `relations --axioms --json` prints it; amounts are null where whole profiles are compared."""
        measured, allowed = (
            amount if isinstance(amount, Delta | Epsilon) else None for amount in (self.measured, self.allowed)
        )
        return {
            "law": self.law,
            "source": self.source,
            "claim": self.claim,
            "kept": self.kept,
            "reason": self.reason,
            "found": measured,
            "allowed": allowed,
            "premises": self.premises,
            "conclusion": self.conclusion,
        }

    def __str__(self) -> str:
        return f"{self.law} {self.verdict}{self._sides()}{f' ({self.reason})' if self.reason else ''}"

    def _sides(self) -> str:
        """The measured and the allowed amount, in words."""
        if self.measured is None or self.allowed is None:
            return ""
        if isinstance(self.measured, Profile | Steps) or isinstance(self.allowed, Profile | Steps):
            return " at every ε"
        return f": found {self.measured.text(40)}, allowed {self.allowed.text(40)}"


@takes(reading=arguments.text)
def keeps_post_processing(
    model: Model, definition: Definition | str, *steps: Any, epsilon: object = None, reading: str = "default"
) -> LawTest:
    """Whether a step after the mechanism loses no privacy: δ of f(M(D)) ≤ δ of M(D), at the same ε.

    Claimed of PPKDP and APKDP (DMKB20, Proposition 5), and as an axiom of every definition (DP22, Definition 3). A step
    is what `then = [ … ]` takes.

    >>> from verifier.model import build
    >>> vote = build(size=2, values=[0, 1], distribution={"iid": {0: "3/4", 1: "1/4"}}, mechanism={"kind": "sum"})
    >>> some = {"rows": [{"input": 0, "output": "none"}], "otherwise": "some"}
    >>> print(keeps_post_processing(vote, "apkdp", some, epsilon="ln(2)"))
    post-processing kept: found 3/4, allowed 3/4

    Raises:
        InputError: without a step, for an unknown definition or reading, and for an ε that cannot be read.

    """
    need_model(model)
    if not steps:
        raise InputError("there is no step", where="steps", wanted="what `then` takes", tip='{"rows": […]}')
    after = with_mechanism(model, post_process(model.mechanism, *steps))
    claim = "if M satisfies the definition with (ε, δ), so does every function of its output"
    sides = _Sides(find(definition), reading, epsilon)
    return sides.test("post-processing", "DMKB20, Proposition 5", claim, [model], after)


@takes(reading=arguments.text)
def keeps_convexity(
    model: Model,
    definition: Definition | str,
    other: Any,
    *,
    weight: object = "1/2",
    epsilon: object = None,
    reading: str = "default",
) -> LawTest:
    """Whether a random choice between two mechanisms is as private as the worse: δ ≤ max(δ₁, δ₂), at the same ε.

    The choice takes the model's mechanism with probability `weight`, else `other`, and does not say which. Claimed of
    PPKDP and APKDP (DMKB20, Proposition 5), and as an axiom of every definition (DP22, Definition 3).

    >>> from verifier.model import build
    >>> vote = build(size=2, values=[0, 1], distribution={"iid": {0: "3/4", 1: "1/4"}}, mechanism={"kind": "sum"})
    >>> print(keeps_convexity(vote, "apkdp", {"kind": "parity", "value": 1}, epsilon="ln(2)"))
    convexity kept: found 1/2, allowed 3/4

    Raises:
        InputError: for a weight that is no probability, an unknown definition or reading, or an ε that cannot be read.

    """
    second, p = with_mechanism(model, other), probability(weight, "weight")
    mixed = with_mechanism(model, choose((p, model.mechanism), (1 - p, second.mechanism)))
    claim = "if M₁ and M₂ satisfy the definition with (ε, δ), so does a random choice between them"
    sides = _Sides(find(definition), reading, epsilon)
    return sides.test("convexity", "DMKB20, Proposition 5", claim, [model, second], mixed)


@takes(epsilons=arguments.optional(arguments.pair("ε")), reading=arguments.text)
def keeps_sequential(
    model: Model,
    definition: Definition | str,
    other: Any,
    *,
    epsilons: tuple[object, object] | None = None,
    reading: str = "default",
) -> LawTest:
    """Whether two mechanisms on one database compose: δ(ε₁ + ε₂) ≤ δ₁(ε₁) + δ₂(ε₂).

    Without `epsilons`, at δ = 0: the smallest ε of both together is at most the sum of both smallest ε. A theorem for
    DP; it fails for definitions that count on the attacker's uncertainty (DMKB20, Example 8; LQS12, section 2).

    >>> from verifier.model import build
    >>> shared = {"size": 2, "values": [0, 1], "sensitive": {"records": [0]}}
    >>> bits = build(**shared, distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "parity", "value": 1})
    >>> print(keeps_sequential(bits, "np", {"kind": "records", "records": [1]}))
    sequential composition broken: found inf, allowed 0

    Raises:
        InputError: for ε₁ and ε₂ whose sum has no exact form, or for a measure without a δ; for an unknown definition.

    """
    second = with_mechanism(model, other)
    composed = with_mechanism(model, compose(model.mechanism, second.mechanism))
    claim = "if M₁ satisfies the definition with (ε₁, δ₁) and M₂ with (ε₂, δ₂), both do with (ε₁ + ε₂, δ₁ + δ₂)"
    bounds = (None, None) if epsilons is None else (read_epsilon(epsilons[0]), read_epsilon(epsilons[1]))
    if isinstance(find(definition).measure, Divergence | Condition) and epsilons is not None:
        raise InputError(
            "ε₁ and ε₂ are for measures with a δ", where="epsilons", wanted="none: the smallest ε are compared"
        )
    together = None if bounds[0] is None or bounds[1] is None else _sum_of_epsilons(bounds[0], bounds[1])
    question = find(definition)
    premises = [
        check(premise_model, question, epsilon=e, reading=reading)
        for premise_model, e in zip((model, second), bounds, strict=True)
    ]
    conclusion = check(composed, question, epsilon=together, reading=reading)
    test = ("sequential composition", "DMKB20, section 5.1", claim, tuple(premises), conclusion)
    if reason := _silent([*premises, conclusion]):
        return LawTest(*test, None, None, None, reason)
    if together is not None:
        first, last = (premise.tight_delta for premise in premises)
        measured, allowed = conclusion.tight_delta, _sum_of_deltas(first, last)
        if not isinstance(measured, Delta) or allowed is None:
            return LawTest(*test, None, None, None, "the sum of the two δ has no exact form here")
        return LawTest(*test, allowed, measured, measured <= allowed)
    smallest = [answer.tight_epsilon for answer in (*premises, conclusion)]
    if any(not isinstance(tight_epsilon, Epsilon) for tight_epsilon in smallest):
        return LawTest(*test, None, None, None, "a side is only enclosed")
    x, y, composed_epsilon = (read_epsilon(tight_epsilon) for tight_epsilon in smallest)
    limit = _sum_of_epsilons(x, y)
    return LawTest(*test, limit, composed_epsilon, composed_epsilon <= limit)


@takes(parts=arguments.several("pairs (records, mechanism)"), reading=arguments.text)
def keeps_parallel(
    model: Model,
    definition: Definition | str,
    parts: Sequence[tuple[Sequence[int], Any]],
    *,
    epsilon: object = None,
    reading: str = "default",
) -> LawTest:
    """Whether mechanisms on disjoint parts of the records compose at no cost: δ ≤ maxₖ δₖ, at the same ε.

    `parts` are pairs (records, mechanism on them). The law speaks of parts that are independent given B, in every pair
    (θ, ζ), and that hold all protected records: independence under θ alone, as in DMKB20's Proposition 9, is not enough
    (`models/composition/`). For DP the parts need only be disjoint.

    >>> from verifier.model import build
    >>> bits = build(size=2, values=[0, 1], distribution={"iid": {0: "3/4", 1: "1/4"}}, mechanism={"kind": "sum"})
    >>> noisy = {"kind": "randomized-response", "keep": "1/2"}
    >>> print(keeps_parallel(bits, "apkdp", [([0], noisy), ([1], noisy)], epsilon="ln(2)"))
    parallel composition kept: found 1/4, allowed 1/4

    Raises:
        InputError: without parts, for a part without records, and for an unknown definition or reading.

    """
    need_model(model)
    question = find(definition)
    if not parts:
        raise InputError("there are no parts", where="parts", wanted="pairs (records, mechanism)")
    parts = [arguments.pair("entries, (records, mechanism)")(part, f"part {k}") for k, part in enumerate(parts, 1)]
    for records, _ in parts:
        if not isinstance(records, list | tuple | range) or not records:
            raise InputError(f"{shorten(records)} are not records", where="parts", wanted="a list of records")
    models = [with_mechanism(model, on_records(records, mechanism)) for records, mechanism in parts]
    composed = with_mechanism(model, compose(*(part_model.mechanism for part_model in models)))
    claim = (
        "on disjoint parts that are independent given B, both mechanisms satisfy the definition with the worse (ε, δ)"
    )
    why = _overlap(model, [list(records) for records, _ in parts])
    if not why and question.needs_theta:
        why = next((why for theta in model.thetas if (why := dependence(model, theta, [r for r, _ in parts]))), "")
    sides = _Sides(question, reading, epsilon)
    return sides.test("parallel composition", "DMKB20, section 5.1", claim, models, composed, why)


def dependence(model: Model, theta: Theta, parts: Sequence[Sequence[int]]) -> str:
    """The reason why the parts of the database, lists of records, are not independent given B; empty where they are.

    >>> from verifier.model import build
    >>> bits = {
    ...     "size": 2,
    ...     "values": [0, 1],
    ...     "distribution": {"iid": {0: "1/2", 1: "1/2"}},
    ...     "mechanism": {"kind": "sum"},
    ... }
    >>> model = build(**bits, knowledge={"kind": "parity", "value": 1})
    >>> print(dependence(model, model.thetas[0], [[0], [1]]))
    given B = 0, the parts [0] and [0] have the probability 1/2, but each alone 1/2 and 1/2
    """
    check_size(theta.count(), MAX_ROWS, f'"{theta.name}" has {counted(theta.count())} worlds', fixed="worlds")
    laws = grouped(
        (knowledge, tuple(tuple(world.database[i] for i in records) for records in parts), p)
        for world, knowledge, p in theta.known_worlds()
    )
    for knowledge, cell in laws.items():
        total = sum(cell.values(), Fraction(0))
        alone = [gathered((parts_values[k], p / total) for parts_values, p in cell.items()) for k in range(len(parts))]
        for parts_values, p in cell.items():
            factors = [law[values] for law, values in zip(alone, parts_values, strict=True)]
            if p / total != prod(factors, start=Fraction(1)):
                names = " and ".join(database_text(values, model.values) for values in parts_values)
                chances = " and ".join(map(str, factors))
                together = f"given B = {knowledge}, the parts {names} have the probability {p / total}"
                return f"{together}, but each alone {chances}"
    return ""


@dataclass(frozen=True)
class _Sides:
    """One question that is asked of the premises' models and of the conclusion's model of a law."""

    definition: Definition
    reading: str
    epsilon: object

    def test(self, law: str, source: str, claim: str, before: Sequence[Model], after: Model, why: str = "") -> LawTest:
        """Test δ(after) ≤ max δ(before), at the asked ε, or at every ε where none is asked."""
        answers = [
            check(tested, self.definition, epsilon=self.epsilon, reading=self.reading) for tested in (*before, after)
        ]
        premises, conclusion = tuple(answers[:-1]), answers[-1]
        test = (law, source, claim, premises, conclusion)
        if reason := why or _silent(answers):
            return LawTest(*test, None, None, None, reason)
        measure = self.definition.measure
        if self.epsilon is not None and not isinstance(measure, Divergence | Condition):
            deltas = [answer.tight_delta for answer in answers]
            exact = [tight_delta for tight_delta in deltas if isinstance(tight_delta, Delta)]
            if len(exact) < len(deltas):
                return LawTest(*test, None, None, None, "a side is only enclosed")
            return LawTest(*test, max(exact[:-1]), exact[-1], exact[-1] <= max(exact[:-1]))
        smallest = [answer.tight_epsilon for answer in answers if isinstance(answer.tight_epsilon, Epsilon)]
        if len(smallest) < len(answers):
            return LawTest(*test, None, None, None, "a side is only enclosed")
        if isinstance(measure, Divergence | Condition):
            return LawTest(*test, max(smallest[:-1]), smallest[-1], smallest[-1] <= max(smallest[:-1]))
        curve, highest = conclusion.profile, measure.worst(premise.profile for premise in premises)
        return LawTest(*test, highest, curve, measure.worst([highest, curve]) == highest)


def _silent(answers: Sequence[Verdict]) -> str:
    """The reason why a law says nothing: the first answer that is unsupported, undecided or vacuous."""
    for answer in answers:
        if answer.verdict in {"unsupported", "undecided", "vacuous"}:
            return f"{answer.definition} is {answer.verdict}: {answer.reason}"
    return ""


def _overlap(model: Model, parts: Sequence[Sequence[int]]) -> str:
    every = [record for records in parts for record in records]
    if len(set(every)) < len(every):
        return "the parts are not disjoint"
    missing = next((secret.record for secret in model.secrets if secret.record not in every), -1)
    return "" if missing == -1 else f"{'S' if missing is None else f'D({missing})'} is protected, but in no part"


def _sum_of_epsilons(x: Epsilon, y: Epsilon) -> Epsilon:
    """ε₁ + ε₂, where it has a canonical form: both logarithms, or both rational."""
    for summand, second_summand in ((x, y), (y, x)):
        if summand.is_infinite:
            return summand
        if summand.kind == "rational" and summand.coefficient == 0:
            return second_summand
    if x.kind == y.kind == "rational":
        return read_epsilon(x.coefficient + y.coefficient)
    if not x.kind == y.kind == "log":
        raise InputError(f"ε₁ = {x} and ε₂ = {y} have no exact sum", wanted="two logarithms, or two rationals")
    if x.argument == y.argument:
        return log_epsilon(x.argument, x.coefficient + y.coefficient)
    total = log_sum((summand.coefficient, summand.argument) for summand in (x, y))
    if not isinstance(total, Epsilon):
        raise LimitError(f"the sum of ε₁ = {x} and ε₂ = {y} is too long")
    return total


def _sum_of_deltas(x: Delta | Enclosure | None, y: Delta | Enclosure | None) -> Delta | None:
    """δ₁ + δ₂, where it is exact at one ε."""
    if not isinstance(x, Delta) or not isinstance(y, Delta):
        return None
    if x.b and y.b and x.epsilon != y.epsilon:
        return None
    return Delta(x.a + y.a, x.b + y.b, x.epsilon if x.b else y.epsilon)
