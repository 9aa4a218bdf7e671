"""What the attacker gains by the output, added up again from the worlds of the file: every number of `check --gain`.

S is the protected record or function, B what is known, O the output; a cell is P[B, S, O]. Right without the output:
Σ over B of the largest P[B, S]; with it: Σ over B and O of the largest cell. Given B, a set of outputs tells two values
of S apart: the advantage is the largest P[set | a] - P[set | b], the rate of true positives at a rate of false ones the
largest P[set | a] with P[set | b] at most that, where one output may be in the set with a probability.

Tails of noise may be cut elsewhere here than in the answer. That changes no number above, since no likelihood ratio
changes within a tail. A belief names its output, which then stands for all outputs here that lie in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from .comparisons import Asked
from .models import Model, Theta
from .number_text import epsilon_of
from .numbers import Label, Log, Rejected, Wrong, afford, covers, integers_in, label, rational

Chances = Mapping[Label, Fraction]
Cells = Mapping[Label | None, Mapping[Label, Chances]]
"""P[B, S, O] of every known value, protected value and output."""


def verify(entries: Any, asked: Asked) -> None:
    """Refuse gains that are not those of every θ and protected record; `members` are records with equal numbers."""
    thetas = {theta.name: theta for theta in asked.model.thetas()}
    afford(sum(len(theta.rows) for theta in thetas.values()) * len(asked.secrets), "the worlds of a gain")
    cells = {(name, i): joint(theta, i, asked.model) for name, theta in thetas.items() for i in asked.secrets}
    rates = {text: rational(text) for entry in entries for text in entry["tpr"]}
    numbers = {at: _numbers(each, rates) for at, each in cells.items()}
    left = Counter((name, *numbers[name, i].values()) for name, i in cells)
    for entry in entries:
        name, record = at = entry["distribution"], entry["record"]
        if at not in cells:
            raise Rejected(f"there is no gain about record {record} under {str(name)[:60]}")
        _verify(entry, numbers[at], record)
        if entry["posteriors"] is not None:
            named = sorted({label(one["output"]) for one in entry["posteriors"]})
            apart = (
                asked.model if all(_within(named, cells[at]).values()) else asked.model.kept_apart(integers_in(named))
            )
            own = cells[at] if apart is asked.model else joint(thetas[name], record, apart)
            _beliefs(entry["posteriors"], own, _within(named, own))
        if type(entry["members"]) is not int or entry["members"] < 1:
            raise Rejected(f"a gain is about {str(entry['members'])[:30]} records")
        left[name, *numbers[at].values()] -= entry["members"]
    if any(left.values()):
        raise Rejected("the gains are about more records than have their numbers, or about fewer")


def _numbers(cells: Cells, rates: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The numbers about a record by their names, and the rate of true positives at each rate of false ones."""
    prior = sum((max(sum(law.values(), Fraction(0)) for law in of.values()) for of in cells.values()), Fraction(0))
    success = sum((most for of in cells.values() for most in _largest(of)), Fraction(0))
    pairs = [two for of in cells.values() for two in permutations(map(_law, of.values()), 2)]
    found = {"prior_success": prior, "success": success, "advantage": max(map(_apart, pairs), default=Fraction(0))}
    for text, rate in rates.items():
        found[f"tpr at {text}"] = max((_true_positives(pair, rate) for pair in pairs), default=rate)
    return found


def _verify(entry: Mapping[str, Any], numbers: Mapping[str, Fraction], record: int | None) -> None:
    said = {name: entry[name] for name in ("prior_success", "success", "advantage")}
    for name, text in (*said.items(), *((f"tpr at {rate}", found) for rate, found in entry["tpr"].items())):
        if rational(text) != numbers[name]:
            raise Rejected(f"{name} of record {record} is {numbers[name]}, and the answer says {str(text)[:60]}")
    gained = numbers["success"] / numbers["prior_success"]
    if not Log(0, {gained: Fraction(1)}) == epsilon_of(entry["min_entropy_leakage"]):
        raise Rejected(f"min_entropy_leakage of record {record} is ln({gained}), and not what the answer says")


def joint(theta: Theta, record: int | None, model: Model) -> Cells:
    """The cells; `model` is that of the question, or the same with other integers kept apart from tails of noise."""
    cells: dict[Label | None, dict[Label, dict[Label, Fraction]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(Fraction))
    )
    for row in theta.rows:
        value = row.secret if record is None else row.database[record]
        if value is None:
            raise Wrong("a world has no value of the protected function")
        for output, chance in model.mechanism.law(row.database).chances().items():
            cells[row.known][value][output] += row.probability * chance
    return cells


def _largest(of: Mapping[Label, Chances]) -> Iterator[Fraction]:
    for output in {output for law in of.values() for output in law}:
        yield max(law.get(output, Fraction(0)) for law in of.values())


def _law(weights: Chances) -> Chances:
    total = sum(weights.values())
    return {output: weight / total for output, weight in weights.items()}


def _apart(pair: tuple[Chances, Chances]) -> Fraction:
    p, q = pair
    return sum((max(p.get(output, Fraction(0)) - q.get(output, Fraction(0)), Fraction(0)) for output in p), Fraction(0))


def _true_positives(pair: tuple[Chances, Chances], rate: Fraction) -> Fraction:
    """The dual: the least c·rate + Σ max(0, P - c·Q) over c ≥ 0, which is attained where c is a ratio P/Q, or 0."""
    p, q = pair
    ratios = {Fraction(0), *(p.get(output, Fraction(0)) / chance for output, chance in q.items() if chance)}
    return min(
        c * rate + sum((max(x - c * q.get(o, Fraction(0)), Fraction(0)) for o, x in p.items()), Fraction(0))
        for c in ratios
    )


Belief = tuple[Label, tuple[tuple[str, Fraction], ...], tuple[tuple[str, Fraction], ...]]
"""An output, the prior and the posterior."""


def _within(named: Sequence[Label], cells: Cells) -> dict[Label, list[Label]]:
    """The possible outputs that lie in each named one: itself, where it is one of them, else those that it covers."""
    possible = {output for of in cells.values() for law in of.values() for output, cell in law.items() if cell}
    afford(len({*named} - possible) * len(possible), "the outputs in half-lines")
    return {one: [one] if one in possible else [o for o in possible if covers(one, o)] for one in named}


def _beliefs(claimed: Any, cells: Cells, within: Mapping[Label, list[Label]]) -> None:
    """Refuse beliefs that are not those after every known value and output of positive probability.

    An entry may stand for `members` known values with the same beliefs, of which it names one. Its output may stand for
    several outputs, all with these beliefs; each output lies in one.
    """
    place = {output: one for one, outputs in within.items() for output in outputs}
    if len(place) < sum(map(len, within.values())):
        raise Rejected("an output lies in two outputs of the beliefs")
    after: dict[tuple[Label | None, Label], Belief] = {}
    chance: dict[tuple[Label | None, Label], Fraction] = defaultdict(Fraction)
    expected: dict[Belief, tuple[int, Fraction]] = {}
    for known, of in cells.items():
        masses = {value: sum(law.values(), Fraction(0)) for value, law in of.items()}
        prior = {value: mass / sum(masses.values()) for value, mass in masses.items()}
        for output in {output for law in of.values() for output, cell in law.items() if cell}:
            at = {value: law.get(output, Fraction(0)) for value, law in of.items()}
            total = sum(at.values(), Fraction(0))
            one = place.get(output, output)
            belief = one, _sorted(prior), _sorted({value: cell / total for value, cell in at.items()})
            met = (known, one) in after
            if after.setdefault((known, one), belief) != belief:
                raise Rejected(f"the outputs in {one} given {known} leave different beliefs")
            chance[known, one] += total
            members, probability = expected.get(belief, (0, Fraction(0)))
            expected[belief] = members + (not met), probability + total
    found: dict[Belief, tuple[int, Fraction]] = {}
    for entry in claimed:
        output = label(entry["output"])
        prior_, posterior = ({v: rational(p) for v, p in entry[name].items()} for name in ("prior", "posterior"))
        belief = output, _sorted(prior_), _sorted(posterior)
        at_ = None if entry["knowledge"] is None else label(entry["knowledge"]), output
        if after.get(at_) != belief:
            raise Rejected(f"the beliefs after {at_} are others")
        if int(entry["members"]) == 1 and rational(entry["probability"]) != chance[at_]:
            raise Rejected(f"the beliefs after {at_} have the probability {chance[at_]}")
        members, probability = found.get(belief, (0, Fraction(0)))
        found[belief] = members + int(entry["members"]), probability + rational(entry["probability"])
    if found != expected:
        raise Rejected("the beliefs of some known values and outputs are missing, or have other probabilities")


def _sorted(chances: Mapping[str, Fraction]) -> tuple[tuple[str, Fraction], ...]:
    return tuple(sorted(chances.items()))
