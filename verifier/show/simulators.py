"""The evidence of a definition with a simulator as sentences that anyone can re-add."""

from __future__ import annotations

from verifier.definitions.simulated import SimulatorWitness, Weighted
from verifier.model import NOTHING
from verifier.numbers import Element, element_text
from verifier.simulators import Told

MOST_TOLD, MOST_TESTS, MOST_FIGURES = 6, 6, 60
"""How many contexts, tests and characters of a number are written out in words; `--json` has all."""


def simulator_words(found: SimulatorWitness) -> str:
    """A simulator with the tests that make its ε the smallest; or tests that no simulator passes."""
    tests = "; ".join(_test(one) for one in found.tests[:MOST_TESTS])
    if len(found.tests) > MOST_TESTS:
        tests += f"; and {len(found.tests) - MOST_TESTS} more"
    where = "" if found.epsilon.is_infinite else f" at ε = {found.epsilon}"
    if found.told is not None:
        words = f"This simulator is enough{where}, δ = {found.value}: {_told(found.told)}"
        if not tests:
            return f"{words}."
        return (
            f"{words}. No smaller ε is enough, since the sum of these tests is at least δ for every simulator: {tests}."
        )
    if found.why and not tests:
        return f"{found.why.capitalize()}."
    if found.why:
        return f"No simulator is enough at any ε: {found.why}. The tests: {tests}."
    return (
        f"No simulator passes these tests{where}: for each their sum is at least {found.value}, more than δ, "
        f"but at most δ for one that is enough: {tests}."
    )


def _told(told: tuple[Told, ...]) -> str:
    different = {one.law: one for one in reversed(told)}
    if len(different) == 1:
        return f"in every context it answers {_law(told[0])}"
    listed = "; ".join(f"{_context(one)} it answers {_law(one)}" for one in told[:MOST_TOLD])
    return listed + (f"; and {len(told) - MOST_TOLD} more contexts" if len(told) > MOST_TOLD else "")


def _context(one: Told) -> str:
    values = [v.text for v in one.others]
    words = f"told [{', '.join(values[:12])}{', …' if len(values) > 12 else ''}]"
    if one.context.record is not None:
        words += f" without record {one.context.record}"
    if one.context.distribution is not None:
        words += f', θ = "{one.context.distribution}"'
    if one.context.knowledge is not None and one.context.knowledge != NOTHING:
        words += f", B = {one.context.knowledge}"
    return words


def _law(one: Told) -> str:
    if len(one.law) == 1:
        return one.law[0][0].text
    more = f", … ({len(one.law)} outputs)" if len(one.law) > MOST_TOLD else ""
    return ", ".join(f"{o} with {_number(p)}" for o, p in one.law[:MOST_TOLD]) + more


def _test(one: Weighted) -> str:
    event = ", ".join(o.text for o in one.event[:12]) + (", …" if len(one.event) > 12 else "")
    known = "" if one.row.knowledge == NOTHING else f", B = {one.row.knowledge}"
    row = f'{{{event}}} in "{one.row.distribution}"{known}, D({one.row.record}) = {one.row.a}'
    first, second = ("M", "Sim") if one.forward else ("Sim", "M")
    return f"{_number(one.weight)} × (P[{first}] - e^ε·P[{second}]) of {row}"


def _number(value: object) -> str:
    text = value if isinstance(value, str) else element_text(value)  # type: ignore[arg-type]
    if isinstance(value, Element):
        text = f"({text}, E = e^ε)"
    if len(text) <= MOST_FIGURES:
        return text
    return f"a number of {len(text)} characters"
