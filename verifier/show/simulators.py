"""The evidence of a definition with a simulator as sentences with all numbers, so that readers can recompute them."""

from __future__ import annotations

from verifier.definitions.simulated import SimulatorWitness, Weighted
from verifier.model import NOTHING
from verifier.numbers import Epsilon, FieldElement, element_text
from verifier.simulators import ContextAnswer

MOST_TOLD, MOST_TESTS, MOST_FIGURES = 6, 6, 60
"""Most contexts, tests and characters of a number that are written out in words; `--json` has all."""


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
    different = {answer.law: answer for answer in reversed(answers)}
    if len(different) == 1 and alike:
        return f"in every context it answers {_law(answers[0])}"
    listed = "; ".join(f"{_context(answer)} it answers {_law(answer)}" for answer in answers[:MOST_TOLD])
    return listed + (f"; and {len(answers) - MOST_TOLD} more contexts" if len(answers) > MOST_TOLD else "")


def _context(answer: ContextAnswer) -> str:
    values = [value.text for value in answer.others]
    words = f"told [{', '.join(values[:12])}{', …' if len(values) > 12 else ''}]"
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
    if len(text) <= MOST_FIGURES:
        return text
    return f"a number of {len(text)} characters"
