"""Witnesses and reasons in words: why a definition fails, or which comparison is closest to failing.

The sentences of a witness have every number, for readers who recompute them; those of a reason have few.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import nlargest
from operator import attrgetter

from verifier.definitions import Verdict, find
from verifier.definitions.centres.simulator_ddp import SimulatorWitness, Weighted
from verifier.definitions.compared_kinds import SCHEME
from verifier.definitions.registry import tail_of
from verifier.definitions.scheme import measure_title
from verifier.definitions.verdict import DATABASE, RECODING, RECORD, Compared, ComparedLaw, Share, TwoLaws, Witness
from verifier.model import NOTHING, Model, subject_of
from verifier.model import counted as big
from verifier.numbers import (
    ZERO,
    Delta,
    Enclosure,
    Epsilon,
    FieldElement,
    Value,
    element_text,
    exact_text,
    plural,
    with_decimal,
)
from verifier.questions.losses import KnowledgeLoss
from verifier.show.sheet import NOT_TESTED, Sheet
from verifier.simulators import ContextAnswer
from verifier.simulators.problem import INDEX_FREE
from verifier.tables import Label, collected, runs_text

MOST_TERMS, MOST_FIGURES = 8, 120
"""Longest sum and longest exact number that are written out in words."""
MOST_PIECES = 3
"""Most pairs of laws of one answer that are written out in words; `--json` has all."""
MOST_OUTPUTS = 12
"""Most outputs of an event that are all named; of a larger one the first stands for the others."""
MOST_SEEN = 3
"""Most outputs that the sentence of an attack names; the witness with all numbers has the others."""
MOST_TOLD, MOST_TESTS, MOST_DIGITS = 6, 6, 60
"""Most contexts, tests and characters of a number of a simulator that are written out in words; `--json` has all."""


def knowledge_text(known: Label | None) -> str:
    """Return a knowledge value as text; a long list by its runs of equal entries."""
    if known is None or known == NOTHING:
        return "nothing"
    if known.entries is None:
        return known.text
    return runs_text(known.entries, f"[{','.join(entry.text for entry in known.entries)}]")


def knowledge_title(losses: KnowledgeLoss, *, several: bool = True) -> str:
    """Return what is known, with its probability, as the title of its losses; of `several` θ the name goes first."""
    known = knowledge_text(losses.knowledge)
    chance = with_decimal(losses.probability, 24)
    words = "nothing is known" if known == "nothing" else f"B = {known}, of probability {chance}"
    return f'"{losses.distribution}": {words}' if several else words


def event_text(event: Iterable[Label]) -> str:
    """Return a set of outputs as text: `3`, or `3 or ⊥`."""
    return _one_of(event, MOST_OUTPUTS, 1)


def seen_text(event: Iterable[Label]) -> str:
    """Return a set of outputs as the sentence of an attack names it: `1, 2, 3 or one of 7 other outputs`."""
    return _one_of(event, MOST_SEEN + 1, MOST_SEEN)  # of four outputs all are named, in place of `one of 1 other`


def _one_of(event: Iterable[Label], most: int, named: int) -> str:
    """Return a set of outputs as text; of more than `most` so many are `named`."""
    texts = [output.text if len(output.text) <= MOST_FIGURES else knowledge_text(output) for output in event]
    if not texts:
        return "nothing (the empty event)"
    if len(texts) > most:
        return f"{', '.join(texts[:named])} or one of {len(texts) - named} other outputs"
    return ", ".join(texts[:-1]) + " or " + texts[-1] if len(texts) > 1 else texts[0]


def witness_words(
    witness: Witness,
    *,
    model: Model | None = None,
    holds: bool = False,
    definition: str = "",
    asked: Epsilon | None = None,
) -> str:
    """Return the comparison of a witness and its event as sentences with all numbers: P, Q and P - e^ε·Q.

    `model` is that of the witness; if it has one distribution without a name, none is written. `definition` is its
    name; `safe` compares which recoding is chosen, which is not published (LQS12, Definition 3.10). `asked` is the
    question's ε; tests of a simulator are shown at a larger one, where it has a rational e^ε.
    """
    words = _witness_words(_without_name(witness, model), holds=holds, definition=definition, asked=asked)
    return f"{words[:1].upper()}{words[1:]}" if words.startswith("given ") else words


def _without_name(witness: Witness, model: Model | None) -> Witness:
    """The witness without the name of its distribution, if its model has one without a name."""
    if model is None or isinstance(witness, SimulatorWitness) or not has_no_name(model):
        return witness
    return replace(witness, distribution=None)


def has_no_name(model: Model) -> bool:
    """Whether a model has one distribution, which its file does not name."""
    return [theta.name for theta in model.thetas] == ["#1"]


def _witness_words(witness: Witness, *, holds: bool, definition: str, asked: Epsilon | None) -> str:
    if isinstance(witness, SimulatorWitness):
        return simulator_words(witness, asked)
    if witness.kind == SCHEME:
        return scheme_words(witness, None if holds else asked)
    who = f'In "{witness.distribution}", ' if witness.distribution is not None else ""
    if witness.databases is None and witness.output is not None:
        return posterior_words(witness, who)
    start, laws = _compared(witness, definition)
    subject = subject_of(witness.record)
    if witness.number is not None:
        return _divergence_words(witness, witness.number, start, laws, None if holds else asked)
    if witness.excess is not None:
        return f"{start}, {laws[0]} against {laws[1]}: {_in_sentence(_breaking_words(witness, _sides(laws)))}"
    if witness.terms is not None:
        counting = [term for term in witness.terms if not term.delta.is_zero]
        largest = nlargest(MOST_TERMS, counting, key=contribution)
        premise = f"{subject} = {witness.a}"
        terms = "; ".join(
            f"B = {knowledge_text(term.knowledge)}{_alike(term)}, P[B | {premise}] = {amount(term.weight)}: "
            f"δ {amount(term.delta)} from seeing {event_text(term.event)}, {_chances(term, witness.measure)}"
            for term in counting
            if term in largest
        )
        if len(counting) > MOST_TERMS:
            terms += f"; and {len(counting) - MOST_TERMS} smaller ones"
        total = f"{who}{laws[0]} against {laws[1]}, on average over what the attacker knows: δ(ε) = "
        return f"{total}{amount(witness.value)} at ε = {witness.epsilon}. " + (
            f"The terms that count: {terms}." if terms else "No term counts."
        )
    if witness.probability_a is None:
        against = f"{laws[0]} against {laws[1]}"
        average = f"{who}{against}, on average over what the attacker knows"
        return f"{average}: δ(ε) is in {witness.value} at ε = {witness.epsilon}."
    p = amount(witness.probability_a)
    if witness.probability_b is None:
        return f"{start}: {laws[1]} is impossible, so that every output counts against {laws[0]}."
    q = amount(witness.probability_b)
    seen = "the recoding is" if definition and find(definition).recodes else "the attacker sees"
    words = (
        f"{start}, {seen} {event_text(witness.event or ())} with "
        f"probability P = {p} under {laws[0]} and Q = {q} under {laws[1]}"
    )
    if witness.epsilon.is_infinite:
        return f"{words}: only the first can produce it."
    if witness.measure == "tail":
        return f"{words}: the loss of each is {'at least' if holds else 'above'} ε = {witness.epsilon}."
    more = "" if holds else ", more than δ"
    return f"{words}: P - e^ε·Q = {amount(witness.value)} at ε = {witness.epsilon}{more}."


def _compared(witness: Witness, definition: str) -> tuple[str, tuple[str, str]]:
    """Return what the attacker knows, as the start of a sentence, and the names of the two laws that are compared."""
    who = f'In "{witness.distribution}", ' if witness.distribution is not None else ""
    subject = subject_of(witness.record)
    if witness.databases is not None:
        first, second = map(runs_text, witness.databases)
        start = f"On the databases {first} and {second}"
        laws = (
            (f"A_m({first})", f"A_m({second})")
            if definition and find(definition).recodes
            else (f"M({first})", f"M({second})")
        )
    elif witness.kind == "dependency":
        start = (
            f"{who}given {_knowledge_phrase(witness)}".rstrip(" ,")
            + f", {witness.direction}, {subject} = {witness.a} against {witness.b}"
        )
        laws = f"{subject} = {witness.a}", "the measure R = P·e^(-Dep)"
    elif witness.direction is not None:
        start = f"{who}given {_knowledge_phrase(witness)}{subject} = {witness.a}"
        laws = "M(D)", f"M(D with {subject} set to {witness.b})"
        if witness.direction.startswith("counter"):
            laws = laws[1], laws[0]
    else:
        start = f"{who}given {_knowledge_phrase(witness)}".rstrip(" ,")
        laws = f"{subject} = {witness.a}", f"{subject} = {witness.b}"
    return start, laws


def compared_sheet(answer: Verdict) -> Sheet | None:
    """Return the two worlds of an answer's witness as a table: each with the probability of what the attacker sees.

    Of an answer that holds they are those that come closest to failing. It is None where more is compared than the
    probabilities of one event, such as an average.
    """
    witness = answer.witness or answer.tightest
    if witness is None or isinstance(witness, SimulatorWitness):
        return None
    chances = witness.probability_a, witness.probability_b
    of_event = witness.event is not None and witness.terms is None and witness.kind not in {SCHEME, "dependency"}
    if not of_event or witness.output is not None or witness.number is not None or not isinstance(chances[0], Fraction):
        return None
    start, laws = _compared(_without_name(witness, answer.model), answer.definition)
    columns = "if", f"the probability of {event_text(witness.event or ())}"
    rows = tuple((law, "impossible" if p is None else amount(p)) for law, p in zip(laws, chances, strict=True))
    return Sheet(f"{start[:1].upper()}{start[1:]}", columns, rows)


def _divergence_words(
    witness: Witness, value: Epsilon | Enclosure, start: str, laws: tuple[str, str], asked: Epsilon | None = None
) -> str:
    """Return the two laws and their divergence, with what shows it; of an average each knowledge value's weight."""
    title = measure_title(witness.measure)
    divergence = f"the {title} of the first distribution from the second is {amount(value)}"
    if witness.parts is None:
        return f"{start}, {laws[0]} against {laws[1]}: {divergence}.{_shown_words(witness, _sides(laws), asked)}"
    premise = f"{subject_of(witness.record)} = {witness.a}"
    listed = "; ".join(
        f"B = {knowledge_text(share.knowledge)}, P[B | {premise}] = {amount(share.weight)}: {amount(share.divergence)}"
        for share in witness.parts[:MOST_TERMS]
    )
    more = f"; and {len(witness.parts) - MOST_TERMS} more" if len(witness.parts) > MOST_TERMS else ""
    where = f'In "{witness.distribution}", ' if witness.distribution is not None else ""
    average = f"{where}{laws[0]} against {laws[1]}, on average over what the attacker knows"
    return f"{average}: {divergence}. The terms: {listed}{more}."


def posterior_words(witness: Witness, who: str) -> str:
    """Return the attacker's two posterior beliefs about a record after one output, as a sentence."""
    subject = subject_of(witness.record)
    sides = ["M(D)", f"M(D with {subject} set to {witness.b})"]
    if (witness.direction or "").startswith("counter"):
        sides.reverse()
    if isinstance(witness.value, Epsilon):
        beliefs = f"{sides[0]} = {witness.output}", f"{sides[1]} = {witness.output}"
        return _divergence_words(witness, witness.value, f"{who}given {_knowledge_phrase(witness)}{subject}", beliefs)
    p, q = (amount(value or Fraction(0)) for value in (witness.probability_a, witness.probability_b))
    words = (
        f"{who}given {_knowledge_phrase(witness)}{subject} is {event_text(witness.event or ())} with "
        f"probability P = {p} after {sides[0]} = {witness.output} and Q = {q} after {sides[1]} = {witness.output}"
    )
    if witness.epsilon.is_infinite:
        return f"{words}: only the first leaves it possible."
    return f"{words}: P - e^ε·Q = {amount(witness.value)} at ε = {witness.epsilon}."


def _chances(term: Share, measure: str) -> str:
    """Return the probabilities P and Q of a term's event, from which its δ follows."""
    p = amount(term.probability_a)
    if term.probability_b is None:
        return f"P = {p}, and the other value is impossible"
    if measure == "tail":
        return f"P = {p}"
    return f"P = {p} and Q = {amount(term.probability_b)}"


def contribution(term: Share) -> Delta:
    """Return the share of one knowledge value in an average: its weight times its δ."""
    return Delta(term.weight * term.delta.a, term.weight * term.delta.b, term.delta.epsilon)


def _alike(term: Share) -> str:
    return f" (and {big(term.members - 1)} more alike)" if term.members > 1 else ""


def amount(value: Fraction | Value) -> str:
    """Return a number with its decimal; a long one as its decimal alone, since `--json` has it exactly."""
    return with_decimal(value, most=MOST_FIGURES)


def _knowledge_phrase(witness: Witness) -> str:
    known = knowledge_text(witness.knowledge)
    return "no knowledge, " if known == "nothing" else f"the knowledge B = {known}, "


def scheme_words(witness: Witness, asked: Epsilon | None) -> str:
    """Return sentences that name the two laws, then their number, or the event that separates them, and what shows it.

    `asked` is the ε of a question that fails; without it the number that is attained is shown.
    """
    compared = witness.compared or Compared(f"{witness.direction or 'The two distributions'}:")
    laws = compared.sentence
    if witness.excess is not None:
        return f"{laws} {_breaking_words(witness, compared.sides)}"
    if witness.number is not None:
        start = f"{laws} The {measure_title(witness.measure)} of the first from the second is {amount(witness.number)}."
        return f"{start}{_shown_words(witness, compared.sides, asked)}"
    if witness.terms is not None:
        return f"{laws} Here δ(ε) = {amount(witness.value)} at ε = {witness.epsilon}.{_terms_words(witness)}"
    if witness.event is None:
        return f"{laws} Here δ(ε) = {amount(witness.value)} at ε = {witness.epsilon}."
    start = f"{laws} {_chances_words(witness, compared.sides)}"
    if witness.pieces and witness.pieces[0].left_out is not None:
        left_out = next(piece.left_out for piece in witness.pieces if piece.event == witness.event)
        if left_out:
            start = f"{laws} Without {event_text(left_out)}, {_in_sentence(_chances_words(witness, compared.sides))}"
    if witness.epsilon.is_infinite:
        return f"{start}: only the first can produce it."
    if witness.measure == "tail":
        return f"{start}: the loss of each output is at least ε = {witness.epsilon}."
    return f"{start}: P - e^ε·Q = {amount(witness.value)} at ε = {witness.epsilon}."


def _sides(laws: tuple[str, str]) -> tuple[str, str]:
    return f"under {laws[0]}", f"under {laws[1]}"


def _in_sentence(words: str) -> str:
    """A sentence as a part of another."""
    return words[0].lower() + words[1:]


def _chances_words(witness: Witness, sides: tuple[str, str]) -> str:
    """Return the event of a witness with its probabilities P and Q, as a clause."""
    about = witness.laws[0].about if witness.laws else None
    noun = {RECORD: "value", DATABASE: "database", RECODING: "recoding"}.get(about or "", "output")
    event, compared = event_text(witness.event or ()), witness.compared
    subject = compared.subject if compared and compared.subject else f"The {noun} {event} has"
    p, q = (amount(share or Fraction(0)) for share in (witness.probability_a, witness.probability_b))
    return f"{subject} the probability P = {p} {sides[0]} and Q = {q} {sides[1]}"


def _power(witness: Witness) -> str:
    """Return e^ε, or the power that the comparison is allowed."""
    return "e^ε" if witness.scale in {None, 1} else f"e^({exact_text(witness.scale or Fraction(0))}·ε)"


def _shown_words(witness: Witness, sides: tuple[str, str], asked: Epsilon | None) -> str:
    """Return what shows a number, as a sentence after a space: an event, several of them, or outputs; else nothing."""
    if witness.pieces:
        return f" {_pieces_words(witness)}"
    if witness.parts:
        counting = [part for part in witness.parts if part.divergence != ZERO]
        listed = "; ".join(
            f"{_laws_words(part.laws)}, of the weight {amount(part.weight)}: {amount(part.divergence)}"
            for part in nlargest(MOST_PIECES, counting, key=attrgetter("weight"))
        )
        more = f"; and {len(counting) - MOST_PIECES} more" if len(counting) > MOST_PIECES else ""
        return f" The terms that count: {listed}{more}." if counting else ""
    if witness.event is not None:
        words = f" {_chances_words(witness, sides)}"
        if witness.epsilon.is_infinite and not witness.probability_b:
            return f"{words}: only the first can produce it."
        if witness.measure == "total-variation":
            return f"{words}: the distance is P - Q."
        if witness.measure == "gaussian":
            return f"{words}: the number is Φ⁻¹(Q) - Φ⁻¹(P)."
        more = f"P > {_power(witness)}·Q at ε = {asked}" if asked is not None else f"P = {_power(witness)}·Q at this ε"
        return f"{words}: {more}." if witness.measure == "ratio" else f"{words}."
    if not witness.chances:
        return ""
    listed = "; ".join(
        f"{event_text((each.output,))} with P = {amount(each.probability_a)} and "
        f"Q = {amount(each.probability_b or Fraction(0))}"
        for each in witness.chances[:MOST_TERMS]
    )
    more = f"; and {len(witness.chances) - MOST_TERMS} more" if len(witness.chances) > MOST_TERMS else ""
    if witness.measure == "spread":
        return f" The outputs with the largest and the smallest P/Q: {listed}."
    return f" The outputs from which it is computed: {listed}{more}."


def _pieces_words(witness: Witness) -> str:
    """Return several events that fail the bound together: of pairs with their shares, or of two databases."""
    pieces = witness.pieces or ()
    listed = "; ".join(
        f"{_laws_words(piece.laws)}{'' if piece.weight is None else f', of the share {amount(piece.weight)}'}: "
        f"{event_text(piece.event)} with P = {amount(piece.probability_a)} and Q = {amount(piece.probability_b)}"
        for piece in pieces[:MOST_PIECES]
    )
    more = f"; and {len(pieces) - MOST_PIECES} more" if len(pieces) > MOST_PIECES else ""
    if witness.share is None:
        return f"It is the largest on these two databases: {listed}{more}."
    together = sum((piece.weight or Fraction(0) for piece in pieces), Fraction(0))
    pairs = f"{plural(len(pieces), 'pair')}, which have the share {amount(together)}, more than γ"
    return f"{pairs}, need this: {listed}{more}."


def _terms_words(witness: Witness) -> str:
    """Return the terms of an average over pairs of laws that count, as a sentence after a space."""
    counting = [term for term in witness.terms or () if not term.delta.is_zero]
    listed = "; ".join(
        f"{_laws_words(term.laws)}, of the weight {amount(term.weight)}: "
        f"{event_text(term.event)}, {_chances(term, witness.measure)}"
        for term in nlargest(MOST_PIECES, counting, key=contribution)
    )
    more = f"; and {len(counting) - MOST_PIECES} smaller ones" if len(counting) > MOST_PIECES else ""
    return f" The terms that count: {listed}{more}." if listed else ""


def _laws_words(laws: TwoLaws | None) -> str:
    """Return two laws of databases in words; of another kind their numbers alone are told."""
    return " against ".join(_law_words(law) for law in laws) if laws else "two laws"


def _law_words(law: ComparedLaw) -> str:
    if law.databases is None or len(law.databases) > 1:
        return "M(D)"
    database = runs_text(law.databases[0].database)
    return f"M({database})" if law.set_to is None else f"M({database} with record {law.record} set to {law.set_to})"


def _breaking_words(witness: Witness, sides: tuple[str, str]) -> str:
    """Return the event that breaks a condition, and by how much, as a sentence."""
    words, excess = _chances_words(witness, sides), amount(witness.excess or Fraction(0))
    match witness.measure:
        case "tradeoff":
            return f"{words}: 1 - Q is below f(P) by {excess}."
        case "privacy-predicate":
            return f"{words}: Q is above M(P) by {excess}."
    return f"{words}: a·P + b·Q is above c by {excess}."


def beyond(epsilon: Epsilon, asked: Epsilon | None) -> str:
    """Return `at ε = ln(2)`, or where tests are shown at a larger ε than the asked one, that they are.

    >>> from verifier.numbers import epsilon
    >>> beyond(epsilon("ln(5/3)"), epsilon("1/2")), beyond(epsilon("1/2"), epsilon("1/2"))
    ('even at the larger ε = ln(5/3)', 'at ε = 1/2')
    """
    if epsilon.is_infinite:
        return "at every finite ε"
    is_larger = asked is not None and asked < epsilon
    return f"even at the larger ε = {epsilon}" if is_larger else f"at ε = {epsilon}"


def simulator_words(witness: SimulatorWitness, asked: Epsilon | None = None) -> str:
    """Return a simulator and the tests that prove its ε to be the smallest, or tests that no simulator passes.

    `asked` is the question's ε: tests at a larger one say so.
    """
    tests = "; ".join(_test(test) for test in witness.tests[:MOST_TESTS])
    if len(witness.tests) > MOST_TESTS:
        tests += f"; and {len(witness.tests) - MOST_TESTS} more"
    where = "" if witness.epsilon.is_infinite else f" at ε = {witness.epsilon}"
    if witness.simulator is not None:
        words = f"This simulator is enough{where}, δ = {witness.value}: {contexts_text(witness.simulator)}"
        if not tests:
            return f"{words}."
        return (
            f"{words}. No smaller ε is enough, since the sum of these tests is at least δ for every simulator: {tests}."
        )
    if witness.why and not tests:
        return f"{witness.why.capitalize()}."
    if witness.why:
        return f"No simulator is enough at any ε: {witness.why}. The tests: {tests}."
    where = "" if witness.epsilon.is_infinite else f" {beyond(witness.epsilon, asked)}"
    return (
        f"No simulator passes these tests{where}: for every simulator their sum is at least {witness.value}, which is "
        f"more than δ, and a simulator that is enough has at most δ. The tests: {tests}."
    )


def contexts_text(answers: tuple[ContextAnswer, ...], *, alike: bool = True) -> str:
    """Return what a simulator answers in each context, as a clause; `alike` lets it say `in every context`."""
    if alike and all_alike(answers):
        return f"in every context it answers {_law(answers[0])}"
    listed = "; ".join(f"{_context(answer)} it answers {_law(answer)}" for answer in answers[:MOST_TOLD])
    return listed + (f"; and {len(answers) - MOST_TOLD} more contexts" if len(answers) > MOST_TOLD else "")


def all_alike(answers: tuple[ContextAnswer, ...]) -> bool:
    """Whether a simulator answers the same in every context; it stops at the first other law, and hashes none."""
    return all(answer.law == answers[0].law for answer in answers)


def _context(answer: ContextAnswer) -> str:
    values = [value.text for value in answer.others]
    words = f"told [{', '.join(values[:12])}{', …' if len(values) > 12 else ''}]"
    if answer.context.record is None:
        words += " in some order"
    if answer.context.record is not None:
        words += f" without record {answer.context.record}"
    if answer.context.distribution is not None:
        words += f', θ = "{answer.context.distribution}"'
    if answer.context.knowledge is not None and answer.context.knowledge != NOTHING:
        words += f", B = {answer.context.knowledge}"
    return words


def _law(answer: ContextAnswer) -> str:
    if len(answer.law) == 1:
        return answer.law[0][0].text
    more = f", … ({len(answer.law)} outputs)" if len(answer.law) > MOST_TOLD else ""
    return ", ".join(f"{output} with {_number(probability)}" for output, probability in answer.law[:MOST_TOLD]) + more


def _test(test: Weighted) -> str:
    event = ", ".join(output.text for output in test.event[:12]) + (", …" if len(test.event) > 12 else "")
    known = "" if test.row.knowledge == NOTHING else f", B = {test.row.knowledge}"
    row = f'{{{event}}} in "{test.row.distribution}"{known}, D({test.row.record}) = {test.row.a}'
    first, second = ("M", "Sim") if test.forward else ("Sim", "M")
    return f"{_number(test.weight)} × (P[{first}] - e^ε·P[{second}]) of {row}"


def _number(value: object) -> str:
    text = value if isinstance(value, str) else element_text(value)  # type: ignore[arg-type]
    if isinstance(value, FieldElement):
        text = f"({text}, E = e^ε)"
    if len(text) <= MOST_DIGITS:
        return text
    return f"a number of {len(text)} characters"


MOST_TESTS_IN_WORDS = 3
"""Most laws that a sentence names, of those that no simulator can imitate at once."""
MOST_SPOKEN = 24
"""Most characters of an exact number in such a sentence; a longer number is a decimal."""
NO_TERM = " No term counts."
"""The last sentence of an average without any excess, which says nothing beside a verdict `holds`."""


def why(answer: Verdict) -> str:
    """Return why a verdict is given: its counterexample, or the comparison closest to failing; empty without either."""
    return NOT_TESTED if answer.verdict == "vacuous" else in_words(answer) or closest(answer)


def closest(answer: Verdict) -> str:
    """Return why a definition holds: that no comparison exceeds the bound, and what the closest one teaches.

    Empty where the verdict is another, or has no closest comparison.
    """
    witness = answer.tightest
    if answer.verdict != "holds" or witness is None:
        return ""
    if answer.tight_epsilon == ZERO and answer.delta == 0 and find(answer.definition).compares_named_laws:
        return "What is compared does not differ at all: ε = 0 and δ = 0 are enough."
    if isinstance(witness, SimulatorWitness):
        return _simulator(witness, answer)
    lesson = _lesson(witness, answer, holds=True).removesuffix(NO_TERM)
    start = f"No comparison exceeds {_bound(answer)}. Closest to failing:"
    return f"{start} {lesson[0].lower()}{lesson[1:]}" if lesson.startswith("If") else f"{start} {lesson}"


def _bound(answer: Verdict) -> str:
    """Return what a definition allows, at the question's ε, else at the smallest one; `the bound` for another measure.

    Most definitions of DP22 bound other divergences than δ(ε).
    """
    epsilon, witness = answer.epsilon or answer.tight_epsilon, answer.tightest
    of_curve = witness is not None and witness.number is None and witness.excess is None
    shows_event = witness is not None and of_curve and witness.kind != SCHEME and witness.event is not None
    if not isinstance(epsilon, Epsilon) or (find(answer.definition).reads_policy and not shows_event):
        return "the bound"
    if len(str(epsilon)) > MOST_SPOKEN:
        return "the bound"
    return f"δ = {exact_text(answer.delta)} {definite(epsilon)}"


def in_words(answer: Verdict) -> str:
    """Return the counterexample of a verdict `fails` as a sentence: if the attacker knows …, and sees …, then ….

    Empty where there is no witness. The numbers are those of the witness; the odds follow from them by Bayes' rule:
    P[a | B̂, S]/P[b | B̂, S] = P[S | B̂, a]/P[S | B̂, b]·P[a | B̂]/P[b | B̂].
    """
    return "" if answer.witness is None else _lesson(answer.witness, answer)


def _lesson(witness: Witness, answer: Verdict, *, holds: bool = False) -> str:
    """Return what a comparison teaches the attacker, as a sentence; `holds` says that it is within the bound."""
    subject = subject_of(witness.record)
    named_theta = len(answer.model.thetas) > 1 and witness.distribution is not None
    start = f'If, in "{witness.distribution}", the attacker' if named_theta else "If the attacker"
    if isinstance(witness, SimulatorWitness):
        return _no_simulator(witness, answer)
    no_term_counts = witness.terms is not None and all(term.delta.is_zero for term in witness.terms)
    if witness.number is not None or witness.excess is not None or witness.kind == SCHEME or no_term_counts:
        return witness_words(
            witness, model=answer.model, holds=holds, definition=answer.definition, asked=answer.epsilon
        )
    if witness.terms is not None:
        return _on_average(witness, start, subject)
    named = witness.databases is not None or witness.b is not None
    if witness.kind == "dependency" or not witness.event or not named:
        return witness_words(witness, model=answer.model, holds=holds)
    event = seen_text(witness.event)
    if witness.databases is not None:
        first, second = map(runs_text, witness.databases)
        start = f"{start} knows that the database is {first} or {second}, and "
        then = _comparison_text(witness, f"it is {first}", f"it is {second}", f"it is not {second}")
        if find(answer.definition).recodes:
            return (
                f"{start}is told that the recoding is {event}, then {then.replace('She sees that', 'She is told that')}"
            )
        return f"{start}sees {event}, then {then}"
    start = f"{start} knows {_knowledge_words(witness.knowledge)}"
    if witness.output is not None:
        return _beliefs_compared(witness, start, subject)
    if witness.direction is not None:
        return _intervention(witness, start, subject)
    a, b = f"{subject} = {witness.a}", f"{subject} = {witness.b}"
    return f"{start}, and sees {event}, then {_comparison_text(witness, a, b, f'{subject} is not {witness.b}')}"


def _comparison_text(witness: Witness | Share, a: str, b: str, no: str) -> str:
    """Return what the event shows: that the second possibility is excluded, or the factor P/Q of the odds."""
    p, q = witness.probability_a, witness.probability_b
    if q == 0 and p is not None:
        return f"{no}. She sees that with probability {_plainly(p)} if {a}, and never if {b}."
    if not isinstance(p, Fraction) or not isinstance(q, Fraction):
        ends = map(_plainly, (p, q))
        return f"she sees that with probability {next(ends)} if {a}, and {next(ends)} if {b}."
    return (
        f"the odds that {a} rather than that {b} become {_plainly(p / q)} times as high. "
        f"She sees that with probability {_plainly(p)} if {a}, and {_plainly(q)} if {b}."
    )


def _intervention(witness: Witness, start: str, subject: str) -> str:
    """Return what an output tells of databases as they are, against the same with a record set to b (CDP)."""
    left, put = f"{subject} is left at {witness.a}", f"{subject} is set to {witness.b}"
    ways, no = (left, put), f"{subject} was not set to {witness.b}"
    if (witness.direction or "").startswith("counter"):
        ways, no = (put, left), f"{subject} was not left at {witness.a}"
    return (
        f"Databases with {subject} = {witness.a} are compared with the same databases after {put}. "
        f"{start}, and sees {seen_text(witness.event or ())}, then {_comparison_text(witness, *ways, no)}"
    )


def _beliefs_compared(witness: Witness, start: str, subject: str) -> str:
    """Return what the attacker believes of a record after an output, by what the output came from (IBCDP)."""
    sources = ["came from the database as it is", f"came from the database after {subject} was set to {witness.b}"]
    if (witness.direction or "").startswith("counter"):
        sources.reverse()
    p, q = (_plainly(value or Fraction(0)) for value in (witness.probability_a, witness.probability_b))
    return (
        f"{start}, and sees {witness.output}, then her belief that {subject} is {event_text(witness.event or ())} is "
        f"{p} if {witness.output} {sources[0]}, and {q} if it {sources[1]}."
    )


def _on_average(witness: Witness, start: str, subject: str) -> str:
    """Return the knowledge value with the largest share of δ(ε), and the sum of all shares, as sentences."""
    a, b = f"{subject} = {witness.a}", f"{subject} = {witness.b}"
    term = max((term for term in witness.terms or () if not term.delta.is_zero), key=contribution)
    certain = not witness.epsilon.is_infinite or witness.value == 1
    least = "" if certain else "at least "  # a smaller ε adds outputs that are only less likely
    average = f"δ is {least}{_plainly(witness.value)} {definite(witness.epsilon)}"
    if term.knowledge is None or term.knowledge == NOTHING:
        knows, total = "knows nothing", f"Her {average}."
    else:
        knowledge = _knowledge_words(term.knowledge)
        knows = f"happens to know {knowledge} (probability {_plainly(term.weight)} if {a})"
        total = f"On average over all that she may know, {average}."
    if term.probability_b is None:
        then = f"{subject} is not {witness.b}, which that knowledge excludes."
    else:
        then = _comparison_text(term, a, b, f"{subject} is not {witness.b}")
    return f"{start} {knows}, and sees {seen_text(term.event)}, then {then} {total}"


def definite(epsilon: Epsilon) -> str:
    """Return `at ε = ln(2)`; for ε = ∞ `at every finite ε`, since then only impossible outputs count."""
    return "at every finite ε" if epsilon.is_infinite else f"at ε = {epsilon}"


def _knowledge_words(known: Label | None) -> str:
    text = knowledge_text(known)
    return "nothing" if text == "nothing" else f"B = {text}"


def _simulator(witness: SimulatorWitness, answer: Verdict) -> str:
    """Return what a simulator that is close enough to the mechanism answers, in every context or in the first one."""
    if witness.simulator is None:
        return simulator_words(witness)
    alike = all_alike(witness.simulator)
    answers = contexts_text(witness.simulator if alike else witness.simulator[:1], alike=alike)
    told = "" if alike else "for instance, "
    return f"{_imitation(witness, answer)}. This simulator comes close enough to M: {told}{answers}."


def _no_simulator(witness: SimulatorWitness, answer: Verdict) -> str:
    """Return why no simulator exists, as sentences: laws of the mechanism that no simulator can imitate at once."""
    first = next((test for test in witness.tests if test.forward), None)
    start = f"{_imitation(witness, answer)}."
    if witness.epsilon.is_infinite and first is not None:
        return (
            f"{start} Where the attacker knows {_knowledge_words(first.row.knowledge)}, and {_record(first)}, M "
            f"answers {seen_text(first.event)} with probability {_plainly(_probability(first))}. The simulator may "
            "never answer that: all that it is told also fits a case in which M never does."
        )
    allowed = "any finite ε" if witness.epsilon.is_infinite else f"ε = {witness.epsilon}"
    if not witness.tests:
        return f"{start} Every simulator is further from M than {allowed} and δ = {exact_text(answer.delta)} allow."
    laws = "; ".join(
        f"where the attacker knows {_knowledge_words(test.row.knowledge)}, and {_record(test)}, M answers "
        f"{seen_text(test.event)} with probability {_plainly(_probability(test))}"
        for test in witness.tests[:MOST_TESTS_IN_WORDS]
    )
    more = f"; and {len(witness.tests) - MOST_TESTS_IN_WORDS} more" if len(witness.tests) > MOST_TESTS_IN_WORDS else ""
    return (
        f"{start} No simulator is close to all of these output distributions: {laws}{more}. Whatever the simulator "
        f"answers, it needs a δ of {_plainly(witness.value)} or more {beyond(witness.epsilon, answer.epsilon)}."
    )


def _imitation(witness: SimulatorWitness, answer: Verdict) -> str:
    """Return what is compared, as a clause: the mechanism with a simulator, and what this is not told."""
    if answer.reading == INDEX_FREE:
        return "The mechanism M is compared with a simulator, which is told the multiset of all records but one"
    records = {subject_of(test.row.record) for test in witness.tests}
    hidden = records.pop() if len(records) == 1 else "one record"
    return f"The mechanism M is compared with a simulator, which is told every record but {hidden}"


def _record(test: Weighted) -> str:
    return f"{subject_of(test.row.record)} = {test.row.a}"


def _probability(test: Weighted) -> Fraction:
    """Return the probability of a test's event under the law of the mechanism."""
    return sum((test.row.law.get(output, Fraction(0)) for output in test.event), Fraction(0))


def _plainly(value: Fraction | Value | None) -> str:
    """Return a number for a sentence: exact with its decimal, or the decimal alone where the exact form is long."""
    return with_decimal(value, most=MOST_SPOKEN, longer="about {decimal}")


@dataclass(frozen=True)
class Refuted:
    """Definitions that one witness refutes, the witness as a sentence to read, and in `words` with all numbers."""

    names: tuple[str, ...]
    sentence: str
    words: str

    @property
    def headline(self) -> str:
        """The sentence that names the definitions that fail."""
        return f"{' and '.join(self.names)} {'fail' if len(self.names) > 1 else 'fails'}."


def refutations(answers: Sequence[Verdict]) -> list[Refuted]:
    """Return each witness once with all definitions that it refutes; a tail form is left out beside its definition."""
    failed = [find(answer.definition) for answer in answers if answer.verdict == "fails"]
    by_witness = collected(
        (
            witness_words(answer.witness, model=answer.model, definition=answer.definition, asked=answer.epsilon),
            answer,
        )
        for answer in answers
        if answer.witness is not None and not any(tail_of(find(answer.definition), definition) for definition in failed)
    )
    return [
        Refuted(tuple(answer.definition for answer in group), in_words(group[0]), words)
        for words, group in by_witness.items()
    ]
