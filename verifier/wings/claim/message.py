"""What a claim's answer says: one sentence, or where it is violated the truth, the attack, and what was compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any

from verifier.numbers import INFINITY, Delta, Enclosure, Epsilon, exact_text, plural
from verifier.programs.draws import RealDrawError
from verifier.wings.claim.amounts import epsilon_text

if TYPE_CHECKING:
    from verifier.wings.claim.answer import ClaimAnswer, ClaimPoint

WIDTH = 120
MOST_OUTPUTS = 4
"""Most outputs of an attack, and points of a curve, that are named."""
INDENT = " " * 12
_filled = TextWrapper(WIDTH, break_on_hyphens=False, break_long_words=False).fill
_indented = TextWrapper(WIDTH, subsequent_indent=INDENT, break_on_hyphens=False, break_long_words=False).fill


def message(answer: ClaimAnswer) -> str:
    """The message of an answer."""
    if answer.verdict == "violated":
        return "\n".join(map(_indented, _violated(answer)))
    if answer.claims_nothing and answer.verdict.startswith("holds"):
        return _filled(f"{head(answer)}: {truth(answer)}. Decided for {answer.scope}.")
    return _filled(_one_sentence(answer))


def head(answer: ClaimAnswer) -> str:
    """The claim: its name, the definition, and how much."""
    amounts = []
    if answer.epsilon is not None:
        amounts.append(f"{answer.noun or 'ε'} = {_claimed(answer.epsilon)}")
    if answer.delta is not None:
        amounts.append(f"δ = {_claimed(answer.delta)}")
    at = f" at {', '.join(amounts)}" if amounts else ""
    if answer.quantity:
        at = "" if answer.epsilon is None else f" at most {_claimed(answer.epsilon)}"
    times = f", {answer.runs} runs together" if answer.runs > 1 else ""
    return f"{answer.name}: {answer.quantity or answer.definition}{at}{times}" + (
        f", {answer.relation}" if answer.relation else ""
    )


def _claimed(value: Any) -> str:
    if isinstance(value, Fraction):
        return exact_text(value, 60)
    return value.text(60) if isinstance(value, Epsilon) else str(value)


def _one_sentence(answer: ClaimAnswer) -> str:
    done = f"Decided for {answer.scope}."
    match answer.verdict:
        case "holds, tight":
            return f"claim holds, tightly: {head(answer)}. {_no_smaller(answer)} {done}"
        case "holds, loose":
            return f"claim holds, loosely: {head(answer)}. {_enough(answer)} {done}"
        case "vacuous":
            return f"claim is vacuous: {head(answer)}: {answer.reason or 'nothing is compared'}. {done}"
        case "undecided" | "unsupported":
            return f"claim {answer.verdict}: {answer.name}: {answer.reason}"
    return f"claim {answer.verdict}: {head(answer)}. It may be below the truth between two of them. {done}"


def _no_smaller(answer: ClaimAnswer) -> str:
    """What is claimed is the least that holds."""
    if answer.tradeoff:
        return "No higher curve will do."
    if answer.points or isinstance(answer.delta, str):
        return f"No smaller {'ε' if answer.definition == 'rdp' else 'δ'} will do anywhere."
    return f"No smaller {answer.noun or ('δ' if answer.delta else 'ε')} will do."


def _enough(answer: ClaimAnswer) -> str:
    """What is enough in place of what is claimed."""
    if answer.points:
        loose = next((point for point in answer.points if point.claimed != point.truth), None)
        return "" if loose is None else f"{_truth_of(loose.truth)} is enough at {_claimed(loose.at)}."
    if answer.tradeoff:
        return f"The trade-off curve has the vertices {vertices(answer)}."
    if answer.value is not None:
        return f"The {answer.noun} is {_truth_of(answer.value)}."
    if isinstance(answer.delta, str):
        return "The truth is a smaller δ somewhere."
    if answer.delta and answer.tight_delta is not None:
        return f"δ = {answer.tight_delta.text(60)} is enough at this ε."
    at = "" if answer.delta is None else " at this δ"
    return f"{answer.noun or 'ε'} = {epsilon_text(answer.tight_epsilon)} is enough{at}{_unused(answer)}."


def _unused(answer: ClaimAnswer) -> str:
    """How much of a finite ε is left, in whole percent."""
    claimed, tight = answer.epsilon, answer.tight_epsilon
    if not isinstance(claimed, Epsilon) or not isinstance(tight, Epsilon) or INFINITY in {claimed, tight}:
        return ""
    share = 1 - Fraction(tight.decimal(12)) / Fraction(claimed.decimal(12)) if claimed != 0 else Fraction(0)
    return f": {round(100 * share)} % of ε is unused"


def truth(answer: ClaimAnswer) -> str:
    """The exact numbers."""
    if answer.tradeoff:
        return f"the trade-off curve has the vertices {vertices(answer)}"
    if answer.value is not None:
        if answer.epsilon is None:
            return _truth_of(answer.value)
        return f"{answer.noun} {_truth_of(answer.value)}; {_claimed(answer.epsilon)} is claimed"
    parts = []
    if answer.tight_delta is not None and answer.epsilon is not None:
        parts.append(f"smallest δ at this ε: {answer.tight_delta.text(60)}")
    if answer.tight_epsilon is not None:
        noun, tight, claimed = answer.noun or "ε", answer.tight_epsilon, answer.epsilon
        text = epsilon_text(tight)
        if text.endswith(")") and isinstance(claimed, Epsilon) and "(" in text[text.rfind(" ") :]:
            text = f"{text[:-1]}; {claimed.decimal(6)} is claimed)"
        at = f" at δ = {_claimed(answer.delta)}" if answer.claims_nothing else " at this δ"
        parts.append(f"smallest {noun}{'' if answer.delta is None else at}: {text}")
    return "; ".join(parts)


def _truth_of(value: Any) -> str:
    if isinstance(value, Epsilon | Enclosure):
        return epsilon_text(value)
    return value.text(60) if isinstance(value, Delta) else exact_text(value, 60)


def vertices(answer: ClaimAnswer) -> str:
    """The vertices of the true trade-off curve."""
    listed = [f"({exact_text(a, 20)}, {exact_text(b, 20)})" for a, b in answer.tradeoff]
    return ", ".join(listed[:MOST_OUTPUTS]) + (", …" if len(listed) > MOST_OUTPUTS else "")


def _violated(answer: ClaimAnswer) -> Iterator[str]:
    yield f"claim violated: {head(answer)}"
    if answer.points:
        yield from _points(answer)
    else:
        yield f"  truth     {truth(answer)}"
    if answer.reason:
        yield f"  where     {answer.reason}"
    yield from _attack(answer)
    if answer.advantage is not None:
        right = exact_text(Fraction(1, 2) + answer.advantage / 2, 60)
        yield (
            "  so        Of the two that are told apart best, an attacker who sees one by a fair coin names it right "
            f"with {right}."
        )
    pairs = f"{plural(answer.comparisons, 'ordered pair')}, " if answer.comparisons else ""
    yield f"  compared  {pairs}{answer.scope}; re-checked: {'yes' if answer.replayed else 'no'}"


def _points(answer: ClaimAnswer) -> Iterator[str]:
    """The points at which a curve is below the truth."""
    wrong = [point for point in answer.points if point.holds is False]
    for number, point in enumerate(wrong[:MOST_OUTPUTS]):
        yield f"  {'truth   ' if not number else ' ' * 8}  {_point(point)}"
    if len(wrong) > MOST_OUTPUTS:
        yield f"{INDENT}… and {plural(len(wrong) - MOST_OUTPUTS, 'more point')}"


def _point(point: ClaimPoint) -> str:
    return f"at {_claimed(point.at)}: {_truth_of(point.truth)}; {_truth_of(point.claimed)} is claimed"


def _attack(answer: ClaimAnswer) -> Iterator[str]:
    """The two databases, the outputs and the numbers of a witness."""
    witness = answer.witness
    if witness is None:
        return
    if witness.words:
        yield f"  attack    {witness.words}"
        return
    if witness.databases is None or witness.probabilities is None:
        if witness.databases is not None:
            two = " and ".join(map(_database, witness.databases))
            yield f"  attack    The two databases are {two}."
        return
    first, second = map(_database, witness.databases)
    named = " or ".join(witness.texts[:MOST_OUTPUTS])
    more = len(witness.texts) - MOST_OUTPUTS
    outputs = f"{named}, or one of {more} more" if more > 0 else named
    p, q = (exact_text(x, 60) for x in witness.probabilities)
    yield f'  attack    "It is {first}, not {second}" whenever the output is {outputs}.'
    one = "That output comes" if len(witness.texts) < 3 else "These outputs come"
    yield f"{INDENT}{one} with {p} from the first, {q} from the second{_sum(answer, p, q)}"


def _sum(answer: ClaimAnswer, p: str, q: str) -> str:
    """The sum that is above the claimed δ: `: 4/9 - 2·1/9 > 0.`; a full stop where no such sum is claimed."""
    epsilon, delta = answer.witness_at or (None if answer.noun else answer.epsilon, answer.delta)
    if not isinstance(epsilon, Epsilon) or not isinstance(delta, Fraction):
        return "."
    if epsilon == INFINITY:
        return f": {p} > {exact_text(delta, 60)}."
    factor = epsilon.exp
    times = f"e^({epsilon.text(60)})·" if factor is None else "" if factor == 1 else f"{exact_text(factor, 60)}·"
    return f": {p} - {times}{q} > {exact_text(delta, 60)}."


def _database(database: Any) -> str:
    """A database as it was given."""
    if isinstance(database, tuple | list):
        return f"[{', '.join(str(value) for value in database)}]"
    return str(database)


LAPLACE = re.compile(r"rng\.laplace\(([^,=()]+), ([^,=()]+)\)")
LINE = re.compile(r"\bline (\d+)")


def real_draw_text(error: RealDrawError) -> str:
    """The refusal of a draw of real numbers, with the line and the twin that may be written in its place."""
    lines = LINE.findall(error.where)
    at = f"line {lines[-1]}, " if lines else ""
    written = LAPLACE.fullmatch(error.call)
    tip = error.tip
    if written:
        tip = (
            f"write {written[1]} + rng.geometric_noise(r), its twin on the integers with r = e^(-1/{written[2]}), "
            "or give r as a parameter to ask for every ε at once"
        )
    called = error.call or error.where.rpartition(" ")[2]
    hint = f"Hint: {tip}; the answer is then about the twin"
    return f"{at}`{called}` draws real numbers. Expected a draw with rational probabilities. {hint}."
