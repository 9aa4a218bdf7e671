"""The question of a search: statements that hold and one that does not, in the models of a scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verifier.definitions import DEFINITIONS
from verifier.machine.extras import has_numpy
from verifier.model import Model, build
from verifier.questions.statement import And, Has, Holds, Not, Or, Statement, atoms, implies
from verifier.wings.search.atom_verdicts import Facts
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.orbits import FULL, NONE, Symmetry
from verifier.wings.search.policies import admit_policy, names_nothing, policy_keys, policy_text
from verifier.wings.search.scope import Scope
from verifier.wings.search.statement_truth import Truth, decide
from verifier.wings.search.theta_properties import FEATURES

PIECE = 1 << 16
"""Largest number of pairs of a θ, up to renaming, and a mechanism in a shard."""
SLOW_PIECE = 1 << 11
"""The same number where some models are asked one by one."""
SYMMETRIC = {"default", "all-values", "possible-values", "infinite-loss"}
"""The readings that no renaming changes."""
USUAL = Scope()
"""The default scope."""


@dataclass(frozen=True)
class SearchQuestion:
    """The question for values of variables and a model of a scope in which `satisfied` hold and `violated` does not.

    All statements share their variables: a wanted model violates `satisfied => violated`, at some values of them.
    Without `violated`, it satisfies `satisfied` for all values. Without `vacuous`, models are left out that answer only
    because a definition compares nothing. With `exhaust` the whole scope is looked through.
    """

    satisfied: tuple[Statement, ...]
    violated: Statement | None = None
    scope: Scope = USUAL
    vacuous: bool = False
    exhaust: bool = False
    policy: str = ""
    """The lines of `[policy]` of every model, which definitions of DP22 read."""

    @property
    def claim(self) -> Statement:
        """The statement `satisfied => violated`, which a wanted model breaks; or `satisfied`, which it satisfies."""
        premise = self.satisfied[0] if len(self.satisfied) == 1 else And(self.satisfied)
        if self.violated is None:
            return premise
        return implies(premise, self.violated) if self.satisfied else self.violated

    def __str__(self) -> str:
        hold = ", ".join(map(_closed, self.satisfied))
        if self.violated is None:
            return hold
        return f"{hold} but not {_closed(self.violated)}" if hold else f"not {_closed(self.violated)}"

    @property
    def symmetry(self) -> Symmetry:
        """The renamings that change no answer; with some readings, own definitions and policies not all of them."""
        symmetry = FULL
        if not names_nothing(self.policy):
            return NONE
        for atom in atoms(self.claim):
            if not isinstance(atom, Holds) or atom.reading in SYMMETRIC:
                if isinstance(atom, Holds) and atom.definition in DEFINITIONS and DEFINITIONS[atom.definition].own:
                    return NONE
            elif atom.reading == "one-order":
                symmetry = Symmetry(values=False)
            else:
                return NONE
        return symmetry

    @property
    def piece(self) -> int:
        """The largest number of pairs of a θ, up to renaming, and a mechanism in a shard of this question."""
        if not has_numpy():
            return SLOW_PIECE
        from verifier.wings.search.batch.statement import is_batched

        every = atoms(self.claim)
        batched = all(atom.name in FEATURES if isinstance(atom, Has) else is_batched(atom) for atom in every)
        return PIECE if batched else SLOW_PIECE

    def answers(self, truth: Truth) -> bool | None:
        """Whether a model where the claim has this truth is wanted; None where it is not decided."""
        if truth.value is None:
            return None
        return truth.value is (self.violated is None) and (self.vacuous or not truth.vacuous)

    def is_wanted(self, candidate: Candidate) -> bool | None:
        """The exact answer for one model, by the checkers; None where it is not decided."""
        return self.answers(decide(self.claim, self.model(candidate)))

    def model(self, candidate: Candidate) -> Model:
        """The model of a candidate, with the policy of the search."""
        return build(**candidate.keys(), **policy_keys(self.policy)) if self.policy else candidate.model()

    def answered(self, model: Model, facts: Facts | None = None) -> Truth | None:
        """The truth of the claim in a model that is wanted, with values of the variables; None for another model."""
        truth = decide(self.claim, model, facts=facts)
        return truth if self.answers(truth) else None


def _closed(statement: Statement) -> str:
    return f"({statement})" if isinstance(statement, And | Or) else str(statement)


def question_of(
    satisfies: Sequence[Statement],
    violates: Statement | None,
    claim: Statement | None,
    scope: Scope,
    policy: object = None,
) -> SearchQuestion:
    """The question of a search; for a claim `a and b => c`, the models in which a and b hold and c does not.

    Raises:
        InputError: for an invalid policy.
        UnsupportedError: for a definition of DP22 that no model of the scope decides.

    """
    text = policy_text(policy)
    admit_policy(text, scope, [statement for statement in (*satisfies, violates, claim) if statement is not None])
    if claim is None:
        return SearchQuestion(tuple(satisfies), violates, scope, policy=text)
    premises, target = list(satisfies), claim
    while isinstance(target, Or) and len(target.operands) == 2 and isinstance(target.operands[0], Not):
        premise, target = target.operands[0].of, target.operands[1]
        premises += premise.operands if isinstance(premise, And) and " iff " not in str(premise) else [premise]
    return SearchQuestion(tuple(premises), target, scope, policy=text)
