"""Relative strength of knowledge (DMKB20, Definition 9): whether θ₁ has more background knowledge than θ₂.

θ₁ has more than θ₂ iff (1) D has the same law under both, (2) for all i there is an acceptable normalization at i that
is common to both, (3) in it the parameters that make up B₁ include those that make up B₂. Θ₁ has more than Θ₂ iff for
every θ₂ ∈ Θ₂ some θ₁ ∈ Θ₁ has more than θ₂.

**How it is decided** (`proofs/strength.md`). It holds iff D has the same law, θ₁ is acceptable at every i, and there is
a function h from the values of B₁ to those of B₂ such that

* (D, B₁) ↦ (D, h(B₁)) is a bijection of the possible worlds of θ₁ to those of θ₂ that keeps their probabilities;
* the multiset {P[B₁ = b₁ | h(B₁) = b₂] : h(b₁) = b₂} is the same for every b₂.

Where D determines B₂, as with every knowledge that is a function of the database, h is forced. Else the functions are
searched, up to a limit; beyond it the answer is `undecided`.

**Readings.** "Common to θ₁ and θ₂" is read as "an acceptable normalization of each": with either knowledge, the worlds
are an injective function of the parameters. Under `joint` this is asked for with B₁ only, so that the first attacker
may know an independent parameter that D does not show (a coin of her own); then the probabilities of the worlds with
the same D and h(B₁) add up to those of θ₂. By default there may be another normalization for each i; under
`one-for-all` one must do for all i, and φ₀ determines all protected values. Equal knowledge under other names is as
strong.

Never vacuous. The paper leaves open what "common" means, and whether the normalization may change with i.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.definitions.registry import readings_of
from verifier.engine import MAX_ROWS
from verifier.errors import InputError, UndecidedError, UnsupportedError
from verifier.model import Model, Theta, arguments, check_size, counted, need_model
from verifier.model.arguments import takes
from verifier.model.model import need_distributions
from verifier.numbers import exact_text, shorten
from verifier.questions.normalization.acceptability import decide as decide_acceptable
from verifier.questions.normalization.generating_table import worlds_of
from verifier.questions.properties.property import Property
from verifier.tables import Label, collected, gathered, grouped, in_order

NAME, SOURCE = "stronger", "DMKB20, Definition 9"
MAX_NODES = 100_000
"""Most steps of the search for h, where D does not determine B₂."""
MAX_OPEN = 400
"""Most values of B₁ that are searched for."""
World: TypeAlias = tuple[tuple[str, ...], str]
"""A database, and S where it is no record."""
Fibres: TypeAlias = Mapping[Label, Mapping[World, Fraction]]
"""P[world, B = B̂] by B̂, then by world."""


@dataclass(frozen=True)
class Side:
    """The joint law of (D, B) under one θ."""

    model: Model
    theta: Theta
    fibres: Fibres

    @classmethod
    def of(cls, model: Model, theta: Theta, max_rows: int) -> Side:
        """The joint law of a θ, world by world.

        Raises:
            LimitError: where θ has more than `max_rows` worlds.

        """
        check_size(theta.count(), max_rows, f'the distribution "{theta.name}" has {counted(theta.count())} worlds')
        worlds, denominator = worlds_of(theta, model.secrets[0])
        fibres = grouped(
            (
                knowledge,
                (tuple(model.values[v].text for v in database), "" if model.protects_records else value.text),
                Fraction(weight, denominator),
            )
            for (knowledge, value, database), weight in worlds.items()
        )
        return cls(model, theta, fibres)

    @property
    def law(self) -> dict[World, Fraction]:
        """The law of D (and S)."""
        return gathered(entry for cell in self.fibres.values() for entry in cell.items())

    def mass(self, knowledge: Label) -> Fraction:
        """P[B = B̂]."""
        return sum(self.fibres[knowledge].values(), Fraction(0))


@takes(reading=arguments.text, max_rows=arguments.number(0))
def stronger(first: Model, second: Model, reading: str = "default", max_rows: int = MAX_ROWS) -> Property:
    """Whether Θ₁ of the first model has more background knowledge than Θ₂ of the second (DMKB20, Definition 9).

    >>> from verifier.model import build
    >>> keys = dict(size=3, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    >>> one, two, none = (
    ...     build(**keys, knowledge={"records": k}, sensitive={"records": [2]}) for k in ([0], [0, 1], [])
    ... )
    >>> print(stronger(two, one)), print(stronger(one, none)), print(stronger(one, two).reason)
    stronger holds
    stronger holds
    "#1" against "#1": B₁ = [0] leaves open whether B₂ is [0,0] or [0,1]
    (None, None, None)

    Raises:
        InputError: where the two models have other values, sizes or protected attributes, or for an unknown reading.
        LimitError: where there are too many worlds.

    """
    need_model(first)
    need_model(second)
    try:
        for model in (first, second):
            need_distributions(model, NAME)
    except UnsupportedError as error:
        return Property(NAME, SOURCE, "unsupported", str(error), reading)
    for model in (first, second):
        for theta in model.thetas:
            worlds = theta.count() * len(model.secrets)
            size_text = f'the distribution "{theta.name}" has {counted(theta.count())} worlds'
            check_size(worlds, max_rows, f"{size_text}, for {counted(len(model.secrets))} protected values")
    if reading != "default" and reading not in readings_of(NAME):
        wanted = f"one of {', '.join(['default', *readings_of(NAME)])}"
        raise InputError(f"{NAME} has no reading {shorten(reading)}", wanted=wanted)
    _same_frame(first, second)
    first_sides = [Side.of(first, theta, max_rows) for theta in first.thetas]
    pairs: list[dict[str, Any]] = []
    for theta in second.thetas:
        second_side = Side.of(second, theta, max_rows)
        reasons: dict[str, list[str]] = {"fails": [], "undecided": []}
        for first_side in first_sides:
            verdict, why, evidence = _compare(first_side, second_side, reading)
            if verdict == "holds":
                pairs.append({"theta_1": first_side.theta.name, "theta_2": theta.name, **evidence})
                break
            reasons[verdict].append(f'"{first_side.theta.name}" against "{theta.name}": {why}')
        else:
            verdict = "undecided" if reasons["undecided"] else "fails"
            words = "; ".join(reasons[verdict])
            evidence = {"theta_2": theta.name, "reasons": reasons[verdict]}
            return Property(NAME, SOURCE, verdict, words, reading, len(pairs) + 1, 0, evidence)
    return Property(NAME, SOURCE, "holds", None, reading, len(pairs), 0, {"pairs": pairs})


def _same_frame(first: Model, second: Model) -> None:
    """Refuse two models with different databases or different protected values."""
    first_values, second_values = ([value.text for value in model.values] for model in (first, second))
    if first.size != second.size or first_values != second_values:
        raise InputError(
            f"the models have {first.size} records in {{{', '.join(first_values)}}} and "
            f"{second.size} in {{{', '.join(second_values)}}}",
            where="the second model",
            wanted="the same `size` and `values` in both models",
            tip="only the knowledge may differ (DMKB20, Definition 9)",
        )
    left, right = ([(s.record, [v.text for v in s.domain]) for s in model.secrets] for model in (first, second))
    if left != right:
        raise InputError(
            "it protects other values than the first model",
            where="the second model: [sensitive]",
            wanted="the same in both models",
            tip="the comparison is made with what is protected held fixed (DMKB20, section 2.3)",
        )


def _compare(first: Side, second: Side, reading: str) -> tuple[str, str, dict[str, Any]]:
    """The verdict on one pair (θ₁, θ₂), the reason, and the map h from B₁ to B₂."""
    laws = first.law, second.law
    for world in {**laws[0], **laws[1]}:
        p, q = (law.get(world, Fraction(0)) for law in laws)
        if p != q:
            database_text = f"[{','.join(world[0])}]" + (f" and S = {world[1]}" if world[1] else "")
            return "fails", f"P[D = {database_text}] is {exact_text(p, 40)} but {exact_text(q, 40)}", {}
    if why := _unacceptable(first, reading):
        return "fails", f"θ₁ has no acceptable normalization {why}", {}
    reason = ""
    try:
        for h in _functions(first, second, joint=reading == "joint"):
            uneven = _uneven(first, h)
            if not uneven:
                return "holds", "", {"map": [[b1.shown, h[b1].shown] for b1 in first.fibres]}
            reason = reason or uneven
    except UndecidedError as error:
        return "undecided", str(error), {}
    return "fails", reason or _untold(first, second), {}


def _unacceptable(side: Side, reading: str) -> str:
    """The reason why θ₁ has no acceptable normalization, at each protected record or (`one-for-all`) at all records."""
    for secret in side.model.secrets:
        answer = decide_acceptable(side.model, side.theta, secret)
        if not answer.acceptable:
            return (
                f"at record {secret.record}: {answer.reason}" if secret.record is not None else f"at S: {answer.reason}"
            )
    if reading == "one-for-all":
        records = side.model.protected_records
        multisets = {}
        for knowledge, cell in side.fibres.items():
            mass = side.mass(knowledge)
            multisets[knowledge] = Counter((tuple(w[0][i] for i in records), w[1], p / mass) for w, p in cell.items())
        first, *remaining = multisets
        for knowledge in remaining:
            if multisets[knowledge] != multisets[first]:
                return (
                    f"at all records at once: B = {first} and B = {knowledge} leave other values, or with other chances"
                )
    return ""


def _functions(first: Side, second: Side, *, joint: bool) -> Iterator[dict[Label, Label]]:
    """All h for which the worlds of θ₁, with h(B₁) for B₁, are those of θ₂ (with `joint`: after adding up).

    The value of B₁ with the fewest possible images comes first. What is left of the worlds of θ₂ never falls below 0.
    """
    remaining = {knowledge: dict(cell) for knowledge, cell in second.fibres.items()}
    b2_of_world = collected((world, b2) for b2, cell in second.fibres.items() for world in cell)
    steps = 0

    def fits(b1: Label, b2: Label) -> bool:
        cell_left = remaining[b2]
        pairs = ((p, cell_left.get(world, Fraction(0))) for world, p in first.fibres[b1].items())
        return all(p <= q if joint else p == q for p, q in pairs)

    def take(b1: Label, b2: Label, sign: int) -> None:
        for world, p in first.fibres[b1].items():
            remaining[b2][world] -= sign * p

    def search(unassigned: tuple[Label, ...], h: dict[Label, Label]) -> Iterator[dict[Label, Label]]:
        nonlocal steps
        steps += 1
        if steps > MAX_NODES:
            raise UndecidedError(f"the search for B₂ as a function of B₁ was not over after {MAX_NODES:,} steps")
        if not unassigned:
            if not any(q for cell_left in remaining.values() for q in cell_left.values()):
                yield dict(h)
            return
        images = {b1: [b2 for b2 in candidates[b1] if fits(b1, b2)] for b1 in unassigned}
        b1 = min(unassigned, key=lambda value: len(images[value]))
        for b2 in images[b1]:
            take(b1, b2, 1)
            yield from search(tuple(b for b in unassigned if b != b1), {**h, b1: b2})
            take(b1, b2, -1)

    candidates = {b1: [b2 for b2 in b2_of_world[next(iter(cell))] if fits(b1, b2)] for b1, cell in first.fibres.items()}
    forced: dict[Label, Label] = {}
    for b1, images in candidates.items():
        if len(images) == 1 and fits(b1, images[0]):
            forced[b1] = images[0]
            take(b1, images[0], 1)
    unassigned = tuple(b1 for b1 in first.fibres if b1 not in forced)
    if any(len(candidates[b1]) < 2 for b1 in unassigned):
        return
    if len(unassigned) > MAX_OPEN:
        raise UndecidedError(
            f"B₂ is not determined by D, and {len(unassigned):,} values of B₁ may go with several of it"
        )
    yield from search(unassigned, forced)


def _uneven(side: Side, h: Mapping[Label, Label]) -> str:
    """The reason why B₁ is not B₂ with an independent parameter beside it; empty where it is."""
    chances = collected((b2, side.mass(b1)) for b1, b2 in h.items())
    multisets = {b2: sorted(p / sum(ps) for p in ps) for b2, ps in chances.items()}
    first, *remaining = multisets
    for b2 in remaining:
        if multisets[b2] != multisets[first]:
            x, y = ("{" + ", ".join(exact_text(p, 20) for p in multisets[b][:8]) + "}" for b in (first, b2))
            return (
                f"the values of B₁ have the probabilities {x} given B₂ = {first} but {y} given B₂ = {b2}: "
                "no parameter that is independent of B₂ makes up the rest of B₁"
            )
    return ""


def _untold(first: Side, second: Side) -> str:
    """The reason why B₂ is no function of B₁, as a sentence."""
    for b1, cell in first.fibres.items():
        around = [b2 for b2 in in_order(second.fibres) if any(world in second.fibres[b2] for world in cell)]
        inside = [b2 for b2 in around if all(world in second.fibres[b2] for world in cell)]
        if not inside:
            return f"B₁ = {b1} leaves open whether B₂ is {around[0]} or {around[1]}"
        if not any(all(second.fibres[b2][world] >= p for world, p in cell.items()) for b2 in inside):
            return f"no value of B₂ has the probabilities of the worlds with B₁ = {b1}"
    return "B₂ is no function of B₁ with the right probabilities"
