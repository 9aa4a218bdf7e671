"""Random mechanisms, channels, mixtures and pairs on one random model, and what the rules of composition allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

from strategies_policy import OUTPUTS, PolicyModel

import verifier as pk
from verifier.definitions import Verdict
from verifier.errors import InputError, LimitError, UndecidedError, UnsupportedError
from verifier.model import Model
from verifier.model.compose import choose, compose, post_process, with_mechanism
from verifier.model.composition import listed
from verifier.model.policy import Aggregate, Policy
from verifier.numbers import Delta, Enclosure, Epsilon
from verifier.tables import Label, label

PRECISION = 96
NEAR = Fraction(1, 1 << 40)
"""What enclosures may differ by."""
SPLIT = {"y": "p", "n": "p", "z": "q"}
"""What leaks, and what the image is, of each output: y and n look alike."""
Bounds = tuple[Fraction, Fraction] | None
"""Rational bounds of a smallest ε; None is infinite."""


class Sides:
    """One random model with two mechanisms, a channel and a mixture; `keeps` where y, n and z must not be mixed up."""

    def __init__(self, seed: int, *, keeps: bool) -> None:
        random = Random(seed)  # noqa: S311
        case = PolicyModel(random, ("lists", "gaps", "multisets")[seed % 3])
        self.random, self.keeps = random, keeps
        self.weights = (0, 1, 1, 2, 3, 4) if seed % 7 == 6 else (1, 1, 2, 3, 4)  # zeros make most ε infinite
        model = pk.loads(case.text)
        xi = Fraction(4) if seed % 2 else model.policy.xi  # above the losses: tCoDP asks for it
        self.model = replace(model, policy=replace(_policy(model, keeps=keeps), xi=xi))
        first = {d: self.law() for d in case.databases}
        second = {d: self.law(self.share(first[d]) if keeps else None) for d in case.databases}
        self.first, self.second = (self.with_table(laws) for laws in (first, second))

    def law(self, share: Fraction | None = None) -> dict[str, Fraction]:
        """A law on the outputs; with a share of z where that is given."""
        weights = [self.random.choice(self.weights) for _ in OUTPUTS]
        weights[0] += not any(weights[:2])
        if share is None:
            return {o: Fraction(w, sum(weights)) for o, w in zip(OUTPUTS, weights, strict=True) if w}
        rest = {o: (1 - share) * Fraction(w, sum(weights[:2])) for o, w in zip(OUTPUTS[:2], weights, strict=False)}
        return {o: p for o, p in {**rest, OUTPUTS[2]: share}.items() if p}

    @staticmethod
    def share(law: dict[str, Fraction]) -> Fraction:
        """The mass of z."""
        return law.get(OUTPUTS[2], Fraction(0))

    def with_table(self, laws: dict[tuple[str, ...], dict[str, Fraction]]) -> Model:
        """The model with a table as its mechanism."""
        rows = [{"database": list(d), "outputs": {o: str(p) for o, p in law.items()}} for d, law in laws.items()]
        return with_mechanism(self.model, {"table": rows})

    def blurred(self) -> Model:
        """The first mechanism behind a random channel, which keeps what leaks where it must."""
        kept = [[o for o in OUTPUTS if not self.keeps or SPLIT[o] == SPLIT[given]] for given in OUTPUTS]
        rows = []
        for given, labels in zip(OUTPUTS, kept, strict=True):
            weights = [self.random.choice((0, 1, 2)) for _ in labels]
            weights[0] += not any(weights)
            outputs = {o: str(Fraction(w, sum(weights))) for o, w in zip(labels, weights, strict=True) if w}
            rows.append({"input": given, "outputs": outputs})
        return with_mechanism(self.model, post_process(self.first.mechanism, {"rows": rows}))

    def mixed(self) -> Model:
        """One of the two by chance."""
        weight = self.random.choice((Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)))
        return with_mechanism(self.model, choose((weight, self.first.mechanism), (1 - weight, self.second.mechanism)))

    def pair(self) -> Model:
        """Both, with the parameters that the rules name and that stand in `[policy]`."""
        both = with_mechanism(self.model, compose(self.first.mechanism, self.second.mechanism))
        return replace(both, policy=of_pairs(self.model.policy))


def _policy(model: Model, *, keeps: bool) -> Policy:
    """The policy with views, aggregates and Γ; where the channels must keep what leaks, all see only that."""
    policy = model.policy
    split = tuple((label(o), label(part)) for o, part in SPLIT.items())
    whole = tuple((label(o), label(o)) for o in OUTPUTS)
    if model.sizes is not None:
        return replace(policy, leak=split) if keeps else policy
    one, nothing = Aggregate((0,)), Aggregate()
    others = Aggregate(tuple(range(model.size)))
    seen = split if keeps else whole
    return replace(
        policy,
        leak=split if keeps else policy.leak,
        views=tuple(seen for _ in policy.blocks or ()),
        agg=(others,),
        coupled=((nothing, one),),
    )


def _table(rows: object) -> tuple[tuple[Label, Label], ...] | None:
    """A function of outputs as one of pairs of outputs, which gives both values."""
    if not isinstance(rows, tuple):
        return None
    return tuple((listed([a, b]), listed([x, y])) for (a, x), (b, y) in product(rows, repeat=2))


def of_pairs(policy: Policy) -> Policy:
    """The policy for pairs of outputs: both leaks, both images, both views; ξ, μ, γ, δ_p add; f ⊗ f; a² and b²."""
    doubled: dict[str, Any] = {
        name: None if (value := getattr(policy, name)) is None else min(2 * value, most)
        for name, most in (("xi", 100), ("mu", 100), ("gamma", 1), ("error", 1))
    }
    views = None if policy.views is None else tuple(_table(view) or () for view in policy.views)
    rows = policy.predicate
    predicate = None if rows is None else tuple((a * abs(a), b * abs(b), 2 * abs(a) * c) for a, b, c in rows)
    curve = None if policy.tradeoff is None else squared(policy.tradeoff)
    tables: dict[str, Any] = {"leak": _table(policy.leak), "image": _table(policy.image), "views": views}
    return replace(policy, **doubled, **tables, predicate=predicate, tradeoff=curve)


def squared(vertices: Any) -> tuple[tuple[Fraction, Fraction], ...]:
    """f ⊗ f of a falling piecewise linear f: the trade-off of the product of two laws that have f."""
    steps = [(x2 - x1, y1 - y2) for (x1, y1), (x2, y2) in pairwise(vertices)]
    atoms = [*steps, (Fraction(0), 1 - vertices[0][1])]
    pairs = [(p * r, q * s) for (p, q), (r, s) in product(atoms, repeat=2) if p * r or q * s]
    pairs.sort(key=lambda pair: (pair[0] > 0, -pair[1] / pair[0] if pair[0] else 0))
    x, y = Fraction(0), Fraction(1)
    corners = []
    for p, q in pairs:
        if p:
            corners.append((x, y))
        x, y = x + p, y - q
    return (*corners, (x, y))


def asked(model: Model, key: str, **question: Any) -> Verdict | None:
    """The answer; None where there is none."""
    try:
        answer = pk.check(model, key, replay=False, **question)
    except (UnsupportedError, LimitError, UndecidedError, InputError):
        return None
    return None if answer.verdict in {"unsupported", "undecided", "vacuous"} else answer


def bounds(answer: Verdict) -> Bounds:
    """Bounds of the smallest ε."""
    value = answer.tight_epsilon
    if isinstance(value, Enclosure):
        return value.low.value, value.high.value
    assert isinstance(value, Epsilon)
    return None if value.is_infinite else value.bracket(PRECISION)


def values(answers: tuple[Verdict, ...]) -> Iterator[tuple[Any, ...]]:
    """What is compared: δ at the asked ε, smallest ε, or the verdicts as 0 and 1."""
    deltas = [answer.tight_delta for answer in answers]
    if answers[0].epsilon is not None and all(isinstance(delta, Delta) for delta in deltas):
        yield tuple(_between(delta) for delta in deltas if isinstance(delta, Delta))
    elif all(answer.tight_epsilon is None for answer in answers):
        yield tuple((Fraction(answer.verdict == "fails"),) * 2 for answer in answers)
    elif answers[0].epsilon is None:
        yield tuple(map(bounds, answers))


def _between(delta: Delta) -> tuple[Fraction, Fraction]:
    """Bounds of δ = a - b·e^ε."""
    if delta.rational is not None:
        return delta.rational, delta.rational
    ends = [delta.a - delta.b * end for end in delta.epsilon.exp_bracket(PRECISION)]
    return min(ends), max(ends)


def above(conclusion: Bounds, limit: Fraction | None) -> bool:
    """Whether a conclusion is above what is allowed; None is infinite."""
    if limit is None:
        return False
    return conclusion is None or conclusion[0] > limit + NEAR


def worst(premises: list[Bounds]) -> Fraction | None:
    """The larger of two."""
    return None if any(each is None for each in premises) else max(each[1] for each in premises if each)


def _one_plus(x: Fraction, y: Fraction) -> Fraction:
    return (1 + x) * (1 + y) - 1


def _by_divergence(model: Model) -> Callable[[Fraction, Fraction], Fraction | None]:
    name = str(model.policy.divergence)
    if name in {"kl", "total-variation", "abs-1"} or name.startswith("renyi"):
        return lambda x, y: x + y
    scale = 3  # the largest distance of the random models
    return (lambda x, y: x + y + scale * x * y) if name == "chi-squared" else (lambda _x, _y: None)


def _root(value: Fraction) -> Fraction:
    """A rational above the root."""
    guess = max(value, Fraction(1))
    for _ in range(60):
        guess = Fraction(round((guess + value / guess) / 2 * (1 << 64)) + 1, 1 << 64)
    return guess


def allowed(rule: str, model: Model, x: Bounds, y: Bounds) -> Fraction | None:
    """What a rule allows the pair, by upper bounds; None where it allows anything."""
    if x is None or y is None:
        return None
    a, b = x[1], y[1]
    if rule == "by-divergence":
        return _by_divergence(model)(a, b)
    if rule in {"root-of-squares", "root-of-squares-with-mu"}:
        return _root(a * a + b * b)
    records = model.size if model.sizes is None else model.sizes[1]
    return {
        "one-plus-multiplies": _one_plus(a, b),
        "twice": 2 * (a + b),
        "pairs-of-aggregates": 2 * records * (a + b),
        "trade-off-product": max(a, b),
        "inequalities": max(a, b),
    }.get(rule, a + b)
