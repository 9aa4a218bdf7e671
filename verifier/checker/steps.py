"""Steps behind a mechanism: channels on outputs. `STEPS` is the table of their kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from . import rules
from .numbers import BeyondLimits, Label, Law, Wrong, afford, distinct, entries, found, is_list, label
from .program_laws import ProgramLaws
from .programs import Program
from .responses import RESPONSE_KEYS, growth_of, response_step

if TYPE_CHECKING:  # a mechanism makes its steps
    from .mechanisms import Mechanism, Spec


class Step:
    """A channel on outputs, behind a mechanism."""

    def __init__(self, spec: Spec, mechanism: Mechanism) -> None:
        self.spec, self.mechanism, self.home = spec, mechanism, mechanism.home
        name = "program" if "program" in spec else str(spec.get("kind", "rows"))
        if name not in STEPS:
            raise Wrong(f"the kind of step {name!r} is unknown")
        self.channel, keys = STEPS[name]
        if unknown := set(spec) - keys - {"kind"}:
            raise Wrong(f"a step of kind {name!r} has no key {min(unknown)!r}")
        self.cache: dict[Label, Law] = {}

    def law(self, output: Label) -> Law:
        """The law of what becomes of an output."""
        if output not in self.cache:
            self.cache[output] = self.channel(self, output)
        return self.cache[output]


def _renamed(step: Step, output: Label) -> Law:
    def read() -> dict[Label, Law]:
        rows = step.spec.get("rows", step.spec.get("table", []))
        return distinct((label(row["input"]), step.home.answer(row)) for row in rows)

    rows = step.mechanism.once(f"rows of {id(step)}", read)
    law: Law | None = found(rows, output)
    if law is None:
        if "otherwise" not in step.spec:
            raise Wrong(f"a step has no row for the output {output}")
        law = step.home.outcome(step.spec["otherwise"])
    return law


def _noise(step: Step, count: int) -> Law:
    """DMKB20, Definition 19: P[X = k] = (1 - p)/(1 + p)·p^|k|; a window of integers, and one tail on each side.

    All integers that can come lie in the window, so that the laws of all databases are proportional on a tail.
    """
    low, high = step.mechanism.span()
    low, high = min([low, *step.home.apart]), max([high, *step.home.apart])
    afford(high - low, "the window of noise")
    if not low <= count <= high:
        raise BeyondLimits(f"noise on {count}, outside of {low} to {high}")
    p = 1 / growth_of(step.spec["epsilon"]) if "epsilon" in step.spec else step.home.chance(step.spec["p"])
    if not 0 <= p < 1:
        raise Wrong(f"the p of geometric noise is {p}")
    # Over the denominator (a + b)·b^most of p = a/b; a tail that begins t away has p^t/(1 + p).
    a, b, most = p.numerator, p.denominator, high - low + 1
    powers = [a**k * b ** (most - k) for k in range(most + 1)]
    counts = {str(k): (b - a) * powers[abs(k - count)] for k in range(low, high + 1)}
    counts[f"< {low}"], counts[f"> {high}"] = b * powers[count - low + 1], b * powers[high + 1 - count]
    return Law(counts, (a + b) * b**most)


def _program_step(step: Step, output: Label) -> Law:
    """A function of the output, which it is given as a number, a truth, a tuple of these, or a text."""

    def never() -> Iterator[Any]:
        raise BeyondLimits("noise without end behind another mechanism")

    def read() -> ProgramLaws:
        return ProgramLaws(Program(str(step.spec["program"]), step.home.chance, step.home.parameters), never)

    laws: ProgramLaws = step.mechanism.once(f"program of {id(step)}", read)
    return laws.law(_meant(output))


def _meant(text: Label) -> Any:
    if is_list(text):
        return tuple(_meant(entry) for entry in entries(text))
    if text in ("true", "false"):
        return text == "true"
    number = rules.exact(text)
    return text if number is None else number.numerator if number.denominator == 1 else number


STEPS: dict[str, tuple[Callable[[Step, Label], Law], frozenset[str]]] = {
    "rows": (_renamed, frozenset({"rows", "table", "otherwise"})),
    "geometric-noise": (rules.of_numbers(_noise), frozenset({"p", "epsilon"})),
    "randomized-response": (response_step, RESPONSE_KEYS),
    "program": (_program_step, frozenset({"program"})),
    **rules.STEPS_OF_RULES,
}
