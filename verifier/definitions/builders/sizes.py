"""Definitions over databases of several sizes: neighbours are D and D ∪ {t} (LQS12, section 2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.definitions.compared_kinds import ADDED_TUPLE, NEIGHBOURS, RECODING, About, Comparisons
from verifier.definitions.comparison import AnyPair, Comparison, ComparisonSet, Term, pair_of
from verifier.definitions.verdict import RECODING as ABOUT_RECODING
from verifier.definitions.verdict import TwoLaws
from verifier.engine import Engine
from verifier.engine.sizes import Resized, databases_of, resized
from verifier.errors import UnsupportedError
from verifier.model import Database, Mechanism, Model
from verifier.model.neighbours import ADD_REMOVE, NamedRelation
from verifier.model.recoding import always
from verifier.numbers import exact_text

if TYPE_CHECKING:
    from verifier.definitions.definition import Definition
    from verifier.definitions.verdict import Question, Verdict

NO_NEIGHBOURS = "nothing is compared: all databases have one size, so that none is another without a tuple"


@dataclass(frozen=True)
class OneTupleApart(Comparisons):
    """A^β(D) against A^β(D′) for all databases with D = D′ ∪ {t}, in both orders (LQS12, Definition 3).

    (β, ε, δ)-DPS asks that β > δ and that the sampled mechanism is (ε, δ)-DP: for all databases D = D′ ∪ {t} of the
    model's sizes, t in T, and all sets O of outputs (ε in nats)

        P[A^β(D) ∈ O] ≤ e^ε·P[A^β(D′) ∈ O] + δ,   and the same with D and D′ exchanged.

    β is the `sample` of the mechanism; without one β = 1, and this is (ε, δ)-DP of LQS12, Definition 2, for δ < 1.
    Where δ ≥ β the verdict is `fails` with that reason and no witness: the inequality then holds for every mechanism.
    The reading `any-delta` asks for the inequality alone. It is vacuous where all databases have one size.
    The smallest ε and δ are of the inequality alone in both: for δ ≥ β that ε is 0, and at a smallest δ of β DPS fails.

    The paper leaves open how many tuples a database may have; here the file says it (`size = [from, to]`), and the
    answer is about these sizes. Databases are multisets: equal tuples may appear (section 3.2) in no order.

    >>> from verifier import build, check
    >>> count = build(size=(0, 2), values=["t", "u"], mechanism={"kind": "count", "value": "t", "sample": "1/10"})
    >>> print(check(count, "dps", epsilon="ln(2)", delta="1/20"))
    dps fails at ε = ln(2), δ = 1/20; smallest δ 1/10 (0.1); smallest ε inf
    """

    kind = NEIGHBOURS
    about = About(ADDED_TUPLE)

    def relation(self, model: Model) -> NamedRelation | None:  # noqa: ARG002
        """One record is added or removed."""
        return ADD_REMOVE

    def fits(self, definition: Definition, model: Model) -> None:
        """Refuse a model whose databases all have one size.

        Raises:
            UnsupportedError: with what the definition speaks of.

        """
        if model.sizes is None:
            raise UnsupportedError(
                f"{definition.key} adds and removes records, but all databases of this model have {model.size} records",
                tip=f"size = [0, {model.size}] has databases of 0 to {model.size} records, and no distribution",
            )

    def __call__(self, engine: Engine, reading: str) -> Iterator[ComparisonSet]:  # noqa: ARG002
        """List the comparisons of all databases D = D′ ∪ {t}, in both orders."""
        yield _family(engine, self.mechanism(engine.model))

    def mechanism(self, model: Model) -> Mechanism:
        """The mechanism whose laws are compared, which may be sampled."""
        return model.mechanism

    def qualified(self, question: Question, verdict: Verdict) -> Verdict:
        """The verdict about all pairs of neighbours; `dps` also fails where β ≤ δ (LQS12, Definition 3)."""
        model, delta = question.engine.model, question.delta
        rate = rate_of(model.mechanism)
        verdict = noted(verdict, f"over {databases_of(model, model.mechanism)}, sampled at rate β = {exact_text(rate)}")
        if verdict.verdict in {"undecided", "vacuous"} or question.reading == "any-delta" or rate > delta:
            return verdict
        return replace(
            verdict,
            verdict="fails",
            reason=f"β = {exact_text(rate)} is not above δ = {exact_text(delta)}, which LQS12, Definition 3 asks for; "
            "sampling alone gives this δ at ε = 0 (the reading any-delta asks without that condition)",
        )


@dataclass(frozen=True)
class ChosenRecodings(OneTupleApart):
    """A_m(D) against A_m(D′) for all databases with D = D′ ∪ {t}, in both orders (LQS12, Definition 3.10).

    A k-anonymization is ε-safe if the choice A_m of its recoding is ε-DP: for all sets G of recodings, ε in nats
    (δ is ours), P[A_m(D) ∈ G] ≤ e^ε·P[A_m(D′) ∈ G] + δ, and the same with D and D′ exchanged.

    A_m is `choose` of a k-anonymization, without the sample that may precede it; it meets every sample, hence with
    `sample` also all smaller sizes. With one recoding (`apply`) it holds at ε = 0. Other mechanisms are unsupported.

    >>> from verifier import build, check
    >>> always = {"kind": "apply", "k": 2, "generalization": {"t": "any", "u": "any"}}
    >>> print(check(build(size=(0, 3), values=["t", "u"], mechanism=always), "safe", epsilon=0))
    safe holds at ε = 0, δ = 0; smallest δ 0; smallest ε 0
    """

    about = About(RECODING)

    def laws(self, model: Model, compared: Comparison, pair: AnyPair | None = None) -> TwoLaws | None:
        """The laws of which recoding is chosen on each of two databases."""
        laws = super().laws(model, compared, pair)
        return laws and (replace(laws[0], about=ABOUT_RECODING), replace(laws[1], about=ABOUT_RECODING))

    def mechanism(self, model: Model) -> Mechanism:
        """The mechanism that chooses the recoding."""
        return chooser_of(model.mechanism)

    def qualified(self, question: Question, verdict: Verdict) -> Verdict:
        """The verdict about all pairs of neighbours, with the sizes of these."""
        model = question.engine.model
        return noted(verdict, f"over {databases_of(model, unsampled(model.mechanism))}, unsampled")


def rate_of(mechanism: Mechanism) -> Fraction:
    """The probability β with which a record is kept; 1 without sampling."""
    return mechanism.sample.rate if mechanism.sample else Fraction(1)


def noted(verdict: Verdict, note: str) -> Verdict:
    """The verdict with the note which databases it is about; where nothing is compared, also why."""
    if verdict.verdict == "undecided":
        return verdict
    return replace(verdict, note=note, reason=NO_NEIGHBOURS if verdict.verdict == "vacuous" else verdict.reason)


def _family(engine: Engine, mechanism: Mechanism) -> ComparisonSet:
    values = engine.model.values
    comparisons = []
    for pair in resized(engine.model, mechanism, engine.max_rows):

        def databases(pair: Resized = pair) -> tuple[Database, Database]:
            return (pair.larger, pair.smaller) if pair.removed else (pair.smaller, pair.larger)

        a, b = (values[pair.value], None) if pair.removed else (None, values[pair.value])
        term = Term(1, pair_of(None, pair.first, pair.second))
        comparisons.append(Comparison(None, None, a, b, (term,), pair.multiplicity, databases))
    return ComparisonSet(None, None, tuple(comparisons))


def unsampled(mechanism: Mechanism) -> Mechanism:
    """The mechanism A of a sampled mechanism A^β; a mechanism without sampling itself."""
    return mechanism.sample.of if mechanism.sample else mechanism


def chooser_of(mechanism: Mechanism) -> Mechanism:
    """A_m: the mechanism that chooses the recoding; a constant where it is always the same.

    Raises:
        UnsupportedError: for a mechanism that is no k-anonymization.

    """
    plain = unsampled(mechanism)
    if plain.recoding is None:
        raise UnsupportedError(
            "this is about the choice of a recoding, and the mechanism is none of apply and k-anonymization",
            tip='kind = "k-anonymization" says how the recoding is chosen; steps behind it hide that',
        )
    if plain.recoding.chooser is not None:
        return plain.recoding.chooser
    return always(plain)
