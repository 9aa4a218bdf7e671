"""What a search looks for: statements that hold and one that does not, in the models of a scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verifier.definitions import DEFINITIONS
from verifier.model import Model
from verifier.questions.statement import And, Has, Holds, Not, Or, Statement, atoms, implies
from verifier.wings.search.batch_statement import Wanted, is_batched
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.facts import Facts
from verifier.wings.search.features import FEATURES
from verifier.wings.search.meaning import Truth, decide
from verifier.wings.search.orbits import FULL, NONE, Symmetry
from verifier.wings.search.scope import Scope

PIECE = 1 << 16
"""Most models of a shard, before those that are alike are left out, unless one θ or one mechanism has more."""
SLOW_PIECE = 1 << 11
"""The same where some models are asked one by one."""
SYMMETRIC = {"default", "all-values", "possible-values", "infinite-loss"}
"""The readings that no renaming changes."""


USUAL = Scope()
"""The scope where none is given."""


@dataclass(frozen=True)
class Question:
    """Look for values of the variables and a model of a scope where all of `satisfied` hold and `violated` does not.

    All statements share their variables: what is violated is `satisfied => violated`, at some values of them. Without
    `violated` the satisfied ones hold for all values. Without `vacuous`, models are left out that are found only
    because a definition compares nothing. With `exhaust` the whole scope is looked through.
    """

    satisfied: tuple[Statement, ...]
    violated: Statement | None = None
    scope: Scope = USUAL
    vacuous: bool = False
    exhaust: bool = False

    @property
    def claim(self) -> Statement:
        """What a wanted model breaks: all of `satisfied` imply `violated`; without `violated` what it satisfies."""
        given = self.satisfied[0] if len(self.satisfied) == 1 else And(self.satisfied)
        if self.violated is None:
            return given
        return implies(given, self.violated) if self.satisfied else self.violated

    def __str__(self) -> str:
        hold = ", ".join(map(_closed, self.satisfied))
        if self.violated is None:
            return hold
        return f"{hold} but not {_closed(self.violated)}" if hold else f"not {_closed(self.violated)}"

    @property
    def wanted(self) -> Wanted:
        """What is asked of a block of models."""
        return Wanted(self.claim, true=self.violated is None, vacuous=self.vacuous)

    @property
    def symmetry(self) -> Symmetry:
        """Which renamings change no answer: all; with a reading that asks for an order, or one's own, fewer."""
        found = FULL
        for one in atoms(self.claim):
            if not isinstance(one, Holds) or one.reading in SYMMETRIC:
                if isinstance(one, Holds) and one.definition in DEFINITIONS and DEFINITIONS[one.definition].own:
                    return NONE
            elif one.reading == "one-order":
                found = Symmetry(values=False)
            else:
                return NONE
        return found

    @property
    def piece(self) -> int:
        """How many models a shard has, before those that are alike are left out; one with more is taken apart."""
        every = atoms(self.claim)
        return (
            PIECE
            if all(one.name in FEATURES if isinstance(one, Has) else is_batched(one) for one in every)
            else SLOW_PIECE
        )

    def answers(self, truth: Truth) -> bool | None:
        """Whether a model where the claim has this truth is wanted; None where it is not decided."""
        if truth.value is None:
            return None
        return truth.value is (self.violated is None) and (self.vacuous or not truth.vacuous)

    def is_wanted(self, one: Candidate) -> bool | None:
        """The exact answer for one model, by the checkers; None where it is not decided."""
        return self.answers(decide(self.claim, one.model()))

    def answered(self, model: Model, facts: Facts | None = None) -> Truth | None:
        """How a model answers the question, or None where it does not: the values, and whether only vacuously."""
        truth = decide(self.claim, model, facts=facts)
        return truth if self.answers(truth) else None


def _closed(one: Statement) -> str:
    return f"({one})" if isinstance(one, And | Or) else str(one)


def question_of(
    satisfies: Sequence[Statement], violates: Statement | None, claim: Statement | None, scope: Scope
) -> Question:
    """A claim `a and b => c` is broken where a and b hold and c does not."""
    if claim is None:
        return Question(tuple(satisfies), violates, scope)
    given, target = list(satisfies), claim
    while isinstance(target, Or) and len(target.parts) == 2 and isinstance(target.parts[0], Not):
        premise, target = target.parts[0].of, target.parts[1]
        given += premise.parts if isinstance(premise, And) and " iff " not in str(premise) else [premise]
    return Question(tuple(given), target, scope)
