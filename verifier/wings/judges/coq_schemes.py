"""Definitions of DP22 in Coq: rows of listed laws, and `close` of `proofs/coq/PartialKnowledge.v` on each of them.

A row has the number of its multiple c of ε, and a bound says how close two laws are for each number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from verifier.errors import UnsupportedError
from verifier.wings.judges.coq_text import bracket, listed, preamble, rational, theorem
from verifier.wings.judges.numbers import BELOW, Factor, amount, factor
from verifier.wings.judges.scheme_rows import Question, ScaledEpsilon, question_of_scheme
from verifier.wings.judges.tables import plain, title_of

CLOSE = {"ratio": "Within", "hockey-stick": "Within", "tail": "Tail"}
DECLARED = """
Definition bound (closenesses : list closeness) (k : nat) : closeness := nth k closenesses nothing.
(* What the definition asks: the two laws of each row are as close as the bound of its multiple of epsilon says. *)
Definition scheme (c : nat -> closeness) : Prop :=
  forall r, In r rows -> close Nat.eq_dec (c (fst (fst r))) (snd (fst r)) (snd r).
Definition scheme_dec (c : nat -> closeness) : bool :=
  forallb (fun r => close_dec Nat.eq_dec (c (fst (fst r))) (snd (fst r)) (snd r)) rows.
Lemma scheme_reflect c : reflect (scheme c) (scheme_dec c).
Proof. apply all_reflect. intros r. apply close_reflect. Qed.
Lemma scheme_limit E d : scheme (fun k => Within (E k) d) -> scheme (fun _ => Limit d).
Proof. unfold scheme. intros H r I. eapply within_limit, H, I. Qed.
""".strip().split("\n")


def coq_scheme(certificate: dict[str, Any]) -> str:
    """The Coq file of a certificate about a definition of DP22.

    Raises:
        UnsupportedError, LimitError: for a certificate without a Coq export, with the reason.

    """
    question = question_of_scheme(certificate)
    if question.measure not in CLOSE or question.share is not None or question.averages:
        raise UnsupportedError(f"{question.key} has no Coq export", tip="export it to smt")
    if question.left_out is not None or any(not row.scale for group in question.groups for row in group):
        raise UnsupportedError(f"{question.key} has no Coq export: outputs that are left out, or a multiple of 0")
    if question.above is not None:
        raise UnsupportedError(f"{question.key} has no Coq export: its smallest ε is enclosed", tip="export it to smt")
    lines = [
        *preamble(title_of(certificate, question.title), "`close` is"),
        *(f"(* output {o}: {plain(name)} *)" for o, name in enumerate(question.outputs)),
        *(f"(* multiple {k} of epsilon: {scale} *)" for k, scale in enumerate(question.scales)),
    ]
    for k, law in enumerate(question.laws):
        lines.append(f"Definition law_{k} : measure nat := {listed(f'({o}, {rational(p)})' for o, p in law.items())}.")
    rows = [
        f"({question.scales.index(row.scale)}, law_{row.p}, law_{row.q})" for group in question.groups for row in group
    ]
    lines += [f"Definition rows : list (nat * measure nat * measure nat) := {listed(rows)}.", *DECLARED]
    return "\n".join([*lines, *_Theorems(question).lines(), ""])


class _Theorems:
    """A theorem for each part of the answer."""

    def __init__(self, question: Question) -> None:
        self.question = question

    def lines(self) -> list[str]:
        """The lines of the theorems: the tables are laws, the verdict, the smallest δ and ε."""
        question, delta = self.question, self._delta()
        laws = listed(f"law_{k}" for k in range(len(question.laws)))
        parts = "forallb (fun xp => Qle_bool 0 (snd xp)) mu && Qle_bool (sum (map snd mu)) 1"
        statement = f"forallb (fun mu : measure nat => ({parts})%bool) {laws} = true"
        lines = theorem("numbers_of_laws", "no law has more than 1 in total", statement, "vm_compute. reflexivity.")
        nothing = "(fun _ => nothing)"
        if question.verdict == "vacuous":
            return lines + self._claim("verdict", "nothing is compared", nothing, holds=True)
        lines += self._claim("something_is_compared", "the verdict is not vacuous", nothing, holds=False)
        holds, tight = question.verdict == "holds", question.tight
        comment = f"{question.key} {question.verdict}"
        if question.epsilon is None:
            lines += self._some_finite(comment) if holds else self._never("verdict", comment)
        elif question.epsilon.text == "inf":
            lines += self._claim("verdict", comment, self._limit(delta), holds=holds)
        else:
            factors = self._factors(question.epsilon)
            ends = [end.low if holds else end.high for end in factors]
            for k, (end, e) in enumerate(zip(factors, ends, strict=True)):
                lines += [
                    line.replace("Theorem it_is_", f"Theorem it_is_{k}_") for line in bracket(end, e, holds=holds)
                ]
            lines += self._claim("verdict", comment, self._bound(ends, delta), holds=holds)
            lines += self._smallest_delta(factors)
        if tight.text == "inf":
            return lines + ([] if question.epsilon is None else self._never("no_finite_epsilon", "no finite epsilon"))
        return lines + self._smallest_epsilon()

    def _delta(self) -> Fraction:
        """δ; a ratio has none."""
        return Fraction(0) if self.question.measure == "ratio" else self.question.delta

    def _factors(self, epsilon: ScaledEpsilon) -> list[Factor]:
        return [factor(epsilon.times(scale)) for scale in self.question.scales]

    def _bound(self, ends: Iterable[Fraction], delta: Fraction) -> str:
        word = CLOSE[self.question.measure]
        return f"(bound {listed(f'{word} {rational(e)} {rational(delta)}' for e in ends)})"

    def _limit(self, delta: Fraction) -> str:
        return f"(fun _ => Limit {rational(delta)})"

    def _claim(self, name: str, comment: str, bound: str, *, holds: bool) -> list[str]:
        statement = f"scheme {bound}"
        proof = f"apply ({'yes' if holds else 'no'} _ _ (scheme_reflect _)). vm_compute. reflexivity."
        return theorem(name, comment, statement if holds else f"~ {statement}", proof)

    def _some_finite(self, comment: str) -> list[str]:
        ends = [end.high for end in self._factors(self.question.tight)]
        words = f"{comment}: some finite epsilon is enough"
        return self._claim("verdict", words, self._bound(ends, self._delta()), holds=True)

    def _never(self, name: str, comment: str) -> list[str]:
        """The theorem that no finite ε is enough: outputs that the second law cannot produce have more than δ."""
        if self.question.measure == "tail":
            return self._claim(name, f"{comment}: in the limit", self._limit(self._delta()), holds=False)
        statement = f"forall E, ~ scheme (fun k => Within (E k) {rational(self._delta())})"
        proof = (
            "intros E H. apply scheme_limit in H. revert H. apply (no _ _ (scheme_reflect _)). vm_compute. reflexivity."
        )
        return theorem(name, f"{comment}: no finite epsilon is enough", statement, proof)

    def _smallest_delta(self, factors: Sequence[Factor]) -> list[str]:
        """The theorems that the smallest δ is enough, and one part in 2^20 less is not; only where e^ε is rational."""
        question, exact = self.question, all(end.kind == "rational" for end in factors)
        if question.epsilon is None or question.tight_delta is None or not exact:
            return []
        least = amount(question.tight_delta, question.epsilon.text)
        if least is None or least.b:
            return []
        ends = [end.low for end in factors]
        lines = self._claim("smallest_delta_is_enough", "the smallest delta", self._bound(ends, least.a), holds=True)
        if least.a:
            bound = self._bound(ends, least.a * BELOW)
            lines += self._claim("less_delta_is_not", "one part in 2^20 less", bound, holds=False)
        return lines

    def _smallest_epsilon(self) -> list[str]:
        """The theorems that the smallest e^(c·ε), if rational, are enough, and that one part in 2^20 less is not."""
        factors = self._factors(self.question.tight)
        if any(end.kind != "rational" for end in factors):
            return []
        ends, delta = [end.low for end in factors], self._delta()
        lines = self._claim("smallest_epsilon_is_enough", "the smallest epsilon", self._bound(ends, delta), holds=True)
        if self.question.tight.text != "0":
            less = self._bound((max(Fraction(1), e * BELOW) for e in ends), delta)
            lines += self._claim("less_epsilon_is_not", "each e^epsilon less by one part in 2^20", less, holds=False)
        return lines
