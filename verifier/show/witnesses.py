"""The evidence of an answer as sentences that anyone can re-add."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nlargest
from itertools import groupby

from verifier.definitions import Verdict, Witness, find
from verifier.definitions.divergence import measure_title
from verifier.definitions.notions import tail_of
from verifier.definitions.simulated import SimulatorWitness
from verifier.definitions.verdict import Share, both
from verifier.model import NOTHING, subject_of
from verifier.model import counted as big
from verifier.numbers import Delta, Enclosure, Epsilon, decimal_of, exact_text
from verifier.show.simulators import simulator_words
from verifier.tables import Label

MOST_SPOKEN = 24
"""Longest exact number in a sentence that is to be read, and not added up."""
MOST_ENTRIES, MOST_TERMS, MOST_FIGURES = 24, 8, 120
"""Longest list, longest sum and longest exact number that are written out in words."""


def knowledge_text(known: Label | None) -> str:
    """A knowledge value as text; a long list by its runs."""
    if known is None or known == NOTHING:
        return "nothing"
    return runs([one.text for one in known.parts]) if known.parts is not None else known.text


def runs(texts: Sequence[str]) -> str:
    """A list; one of more than 24 entries by its runs.

    >>> runs(["0", "1"]), runs(["0"] * 30 + ["1"])
    ('[0,1]', '[30 × 0, 1]')
    """
    if len(texts) <= MOST_ENTRIES:
        return "[" + ",".join(texts) + "]"
    parts = []
    for text, alike in groupby(texts):
        times = len(list(alike))
        parts.append(f"{times} × {text}" if times > 1 else text)
    shown = parts if len(parts) <= MOST_ENTRIES else [*parts[:MOST_ENTRIES], "…"]
    return "[" + ", ".join(shown) + "]"


def event_text(event: Iterable[Label]) -> str:
    """A set of outputs: `3`, or `3 or ⊥`."""
    texts = [one.text if len(one.text) <= MOST_FIGURES else knowledge_text(one) for one in event]
    if not texts:
        return "nothing (the empty event)"
    if len(texts) > 12:
        texts = [*texts[:12], f"… ({len(texts)} outputs)"]
    return ", ".join(texts[:-1]) + " or " + texts[-1] if len(texts) > 1 else texts[0]


def exact_and_decimal(value: Delta | Enclosure | Epsilon | None, max_digits: int = 200, digits: int = 12) -> str:
    """`3/64 (0.046875)`."""
    if value is None:
        return "–"
    exact, decimal = value.text(max_digits), value.decimal(digits)
    return exact if exact == decimal else f"{exact} ({decimal})"


def witness_words(found: Witness, *, holds: bool = False, of: str = "") -> str:
    """The comparison and its event as sentences that anyone can re-add.

    `of` is the definition; `safe` compares which recoding is chosen, which is not published (LQS12, Definition 3.10).
    """
    if isinstance(found, SimulatorWitness):
        return simulator_words(found)
    who = f'In "{found.distribution}", ' if found.distribution is not None else ""
    subject = subject_of(found.record)
    if found.databases is not None:
        first, second = (runs([v.text for v in database]) for database in found.databases)
        if len(found.databases[0]) <= MOST_ENTRIES:
            first, second = (one.replace(",", ", ") for one in (first, second))
        start = f"On the databases {first} and {second}"
        laws = (f"A_m({first})", f"A_m({second})") if of and find(of).recodes else (f"M({first})", f"M({second})")
    elif found.output is not None:
        return posterior_words(found, who)
    elif found.kind == "dependency":
        start = (
            f"{who}given {_given(found)}".rstrip(" ,") + f", {found.direction}, {subject} = {found.a} against {found.b}"
        )
        laws = f"{subject} = {found.a}", "the measure R = P·e^(-Dep)"
    elif found.direction is not None:
        start = f"{who}given {_given(found)}{subject} = {found.a}"
        laws = "M(D)", f"M(D with {subject} set to {found.b})"
        if found.direction.startswith("counter"):
            laws = laws[1], laws[0]
    else:
        start = f"{who}given {_given(found)}".rstrip(" ,")
        laws = f"{subject} = {found.a}", f"{subject} = {found.b}"
    if isinstance(found.value, Epsilon):
        return _divergence_words(found, found.value, start, laws)
    if found.terms is not None:
        counting = [term for term in found.terms if not term.delta.is_zero]
        largest = nlargest(MOST_TERMS, counting, key=_contribution)
        given = f"{subject} = {found.a}"
        listed = "; ".join(
            f"B = {knowledge_text(term.knowledge)}{_alike(term)}, P[B | {given}] = {probability(term.weight)}: "
            f"δ {amount(term.delta)} from seeing {event_text(term.event)}, {_chances(term, found.measure)}"
            for term in counting
            if term in largest
        )
        if len(counting) > MOST_TERMS:
            listed += f"; and {len(counting) - MOST_TERMS} smaller ones"
        who = who or "In the distribution, "
        total = f"{who}{laws[0]} against {laws[1]}, on average over what the attacker knows: δ(ε) = "
        return f"{total}{amount(found.value)} at ε = {found.epsilon}. " + (
            f"The terms that count: {listed}." if listed else "No term counts."
        )
    if found.probability_a is None:
        against = f"{laws[0]} against {laws[1]}"
        return (
            f"{who}{against}, on average over what the attacker knows: δ(ε) is in {found.value} at ε = {found.epsilon}."
        )
    p = probability(found.probability_a)
    if found.probability_b is None:
        return f"{start}: {laws[1]} is impossible, so that every output counts against {laws[0]}."
    q = probability(found.probability_b)
    seen = "the recoding is" if of and find(of).recodes else "the attacker sees"
    words = (
        f"{start}, {seen} {event_text(found.event or ())} with "
        f"probability P = {p} under {laws[0]} and Q = {q} under {laws[1]}"
    )
    if found.epsilon.is_infinite:
        return f"{words}: only the first can produce it."
    if found.measure == "tail":
        return f"{words}: the loss of each is {'at least' if holds else 'above'} ε = {found.epsilon}."
    more = "" if holds else ", more than δ"
    return f"{words}: P - e^ε·Q = {amount(found.value)} at ε = {found.epsilon}{more}."


def _divergence_words(found: Witness, value: Epsilon, start: str, laws: tuple[str, str]) -> str:
    """The two laws and how far they are apart; of an average the knowledge values with their weights."""
    title = measure_title(found.measure)
    said = f"the {title} of the first law from the second is {amount(value)}"
    if found.parts is None:
        return f"{start}, {laws[0]} against {laws[1]}: {said}."
    given = f"{subject_of(found.record)} = {found.a}"
    listed = "; ".join(
        f"B = {knowledge_text(part.knowledge)}, P[B | {given}] = {probability(part.weight)}: {amount(part.divergence)}"
        for part in found.parts[:MOST_TERMS]
    )
    more = f"; and {len(found.parts) - MOST_TERMS} more" if len(found.parts) > MOST_TERMS else ""
    where = f'In "{found.distribution}", ' if found.distribution is not None else ""
    average = f"{where}{laws[0]} against {laws[1]}, on average over what the attacker knows"
    return f"{average}: {said}. The terms: {listed}{more}."


def posterior_words(found: Witness, who: str) -> str:
    """Two beliefs about a record after one output, as a sentence."""
    subject = subject_of(found.record)
    sides = ["M(D)", f"M(D with {subject} set to {found.b})"]
    if (found.direction or "").startswith("counter"):
        sides.reverse()
    if isinstance(found.value, Epsilon):
        beliefs = f"{sides[0]} = {found.output}", f"{sides[1]} = {found.output}"
        return _divergence_words(found, found.value, f"{who}given {_given(found)}{subject}", beliefs)
    p, q = (probability(value or Fraction(0)) for value in (found.probability_a, found.probability_b))
    words = (
        f"{who}given {_given(found)}{subject} is {event_text(found.event or ())} with probability P = {p} after "
        f"{sides[0]} = {found.output} and Q = {q} after {sides[1]} = {found.output}"
    )
    if found.epsilon.is_infinite:
        return f"{words}: only the first leaves it possible."
    return f"{words}: P - e^ε·Q = {amount(found.value)} at ε = {found.epsilon}."


def _chances(term: Share, measure: str) -> str:
    """The probabilities of an event, so that its δ can be added up."""
    p = probability(term.probability_a)
    if term.probability_b is None:
        return f"P = {p}, and the other value is impossible"
    if measure == "tail":
        return f"P = {p}"
    return f"P = {p} and Q = {probability(term.probability_b)}"


def _contribution(term: Share) -> Delta:
    return Delta(term.weight * term.delta.a, term.weight * term.delta.b, term.delta.epsilon)


def _alike(term: Share) -> str:
    return f" (and {big(term.members - 1)} more alike)" if term.members > 1 else ""


def probability(value: Fraction | Enclosure) -> str:
    """A probability with its decimal; a long one as a decimal alone."""
    return amount(value) if isinstance(value, Enclosure) or len(exact_text(value)) > MOST_FIGURES else both(value)


def amount(value: Delta | Enclosure | Epsilon | Fraction) -> str:
    """A number with its decimal; a long one as a decimal alone, since `--json` has it exactly."""
    if isinstance(value, Fraction):
        return decimal_of(value)
    return value.decimal() if len(value.text()) > MOST_FIGURES else exact_and_decimal(value)


def _given(found: Witness) -> str:
    known = knowledge_text(found.knowledge)
    return "no knowledge, " if known == "nothing" else f"the knowledge B = {known}, "


def in_words(answer: Verdict) -> str:
    """Where the answer is `fails`, its counterexample as one sentence: if the attacker knows …, and sees …, then ….

    Empty where there is no witness. The numbers are those of the witness; the odds follow from them by Bayes' rule:
    P[a | B̂, S]/P[b | B̂, S] = P[S | B̂, a]/P[S | B̂, b]·P[a | B̂]/P[b | B̂].
    """
    found = answer.witness
    if found is None:
        return ""
    subject = subject_of(found.record)
    where = f'in "{found.distribution}", ' if len(answer.model.thetas) > 1 and found.distribution is not None else ""
    if isinstance(found, SimulatorWitness):
        allowed = "any finite ε" if found.epsilon.is_infinite else f"ε = {found.epsilon}"
        return (
            "If a mechanism that is not told the record answers in the place of M, then, whatever it answers, some "
            f"attacker tells the two apart by more than {allowed} and δ = {exact_text(answer.delta)} allow."
        )
    if isinstance(found.value, Epsilon):
        return witness_words(found, of=answer.definition)
    if found.terms is not None:
        return f"If {where}{_on_average(found, subject)}"
    named = found.databases is not None or found.b is not None
    if found.kind == "dependency" or not found.event or not named:
        return witness_words(found)
    seen = event_text(found.event)
    if found.databases is not None:
        first, second = (runs([v.text for v in one]).replace(",", ", ") for one in found.databases)
        start = f"If the attacker knows that the database is {first} or {second}, and "
        then = _told_apart(found, f"it is {first}", f"it is {second}", f"it is not {second}")
        if find(answer.definition).recodes:
            return (
                f"{start}is told that the recoding is {seen}, then {then.replace('She sees that', 'She is told that')}"
            )
        return f"{start}sees {seen}, then {then}"
    start = f"If {where}the attacker knows {_known(found)}"
    if found.output is not None:
        ways = ["M(D)", f"M(D with {subject} set to {found.b})"]
        if (found.direction or "").startswith("counter"):
            ways.reverse()
        p, q = (_plainly(value or Fraction(0)) for value in (found.probability_a, found.probability_b))
        believes = f"then she believes that {subject} is {seen} with probability {p} where that is {ways[0]}"
        return f"{start}, and sees {found.output}, {believes}, and with {q} where it is {ways[1]}."
    if found.direction is not None:
        ways = ["M was run on the database as it is", f"M was run with {subject} set to {found.b}"]
        if found.direction.startswith("counter"):
            ways.reverse()
        no = ways[1].replace("was run", "was not run")
        known = f"{start} and" if _known(found) != "nothing" else f"If {where}the attacker knows"
        return f"{known} {subject} = {found.a}, and sees {seen}, then {_told_apart(found, ways[0], ways[1], no)}"
    a, b = f"{subject} = {found.a}", f"{subject} = {found.b}"
    return f"{start}, and sees {seen}, then {_told_apart(found, a, b, f'{subject} is not {found.b}')}"


def _told_apart(found: Witness, a: str, b: str, no: str) -> str:
    """What the event says: that the second is impossible, or by which factor the odds change."""
    p, q = found.probability_a, found.probability_b
    if q == 0 and p is not None:
        return f"{no}. She sees that with probability {_plainly(p)} if {a}, and never if {b}."
    if not isinstance(p, Fraction) or not isinstance(q, Fraction):
        ends = ("–" if value is None else _plainly(value) for value in (p, q))
        return f"she sees that with probability {next(ends)} if {a}, and {next(ends)} if {b}."
    return (
        f"the odds that {a} rather than that {b} become {_plainly(p / q)} times as high. "
        f"She sees that with probability {_plainly(p)} if {a}, and {_plainly(q)} if {b}."
    )


def _on_average(found: Witness, subject: str) -> str:
    """The knowledge value that counts most, and what all of them count together."""
    given = f"{subject} = {found.a}"
    at = definite(found.epsilon)
    counting = [term for term in found.terms or () if not term.delta.is_zero]
    if not counting:
        return witness_words(found)
    one = max(counting, key=_contribution)
    first = f"the attacker happens to know {_heard(one.knowledge)} (probability {_plainly(one.weight)} if {given})"
    whole = f"all that she may know counts {_plainly(found.value)} together, {at}"
    then = (
        f"then {subject} is not {found.b}"
        if found.epsilon.is_infinite
        else f"then that speaks for {given} against {subject} = {found.b}"
    )
    if one.knowledge is None or one.knowledge == NOTHING:
        first, whole = "the attacker knows nothing", f"that counts {_plainly(found.value)}, {at}"
    return f"{first}, and sees {event_text(one.event)}, {then}; {whole}."


def definite(epsilon: Epsilon) -> str:
    """`at ε = ln(2)`; infinite is at every ε, where only impossible outputs count."""
    return "at every finite ε" if epsilon.is_infinite else f"at ε = {epsilon}"


def _known(found: Witness) -> str:
    return _heard(found.knowledge)


def _heard(known: Label | None) -> str:
    text = knowledge_text(known)
    return "nothing" if text == "nothing" else f"B = {text}"


def _plainly(value: Fraction | Delta | Enclosure | Epsilon) -> str:
    """A number for a sentence: one that is long only as its decimal, since the numbers stand below it in full."""
    if isinstance(value, Enclosure):
        return value.text()
    if isinstance(value, Fraction):
        exact, decimal = exact_text(value), decimal_of(value)
    else:
        exact, decimal = value.text(), value.decimal()
    if exact == decimal:
        return exact
    return f"{exact} ({decimal})" if len(exact) <= MOST_SPOKEN else f"about {decimal}"


@dataclass(frozen=True)
class Refuted:
    """Definitions that one witness refutes, the witness as one sentence, and with its numbers to be added up again."""

    names: tuple[str, ...]
    sentence: str
    words: str

    @property
    def said(self) -> str:
        """Which definitions fail, as a sentence."""
        return f"{' and '.join(self.names)} {'fail' if len(self.names) > 1 else 'fails'}."


def refutations(answers: Sequence[Verdict]) -> list[Refuted]:
    """Each different witness once, with the definitions that it refutes; tail forms only alone."""
    found: dict[str, list[Verdict]] = {}
    failed = [find(answer.definition) for answer in answers if answer.verdict == "fails"]
    for answer in answers:
        told = any(tail_of(find(answer.definition), other) for other in failed)
        if answer.witness is not None and not told:
            found.setdefault(witness_words(answer.witness, of=answer.definition), []).append(answer)
    return [Refuted(tuple(one.definition for one in same), in_words(same[0]), w) for w, same in found.items()]


def grouped_witnesses(answers: Sequence[Verdict]) -> list[str]:
    """One sentence for each different witness, naming the definitions that it refutes."""
    return [f"{one.said} {one.words}" for one in refutations(answers)]
