"""The worst mechanism: the one that violates a definition most, among all that satisfy others, for given θ.

At a rational e^ε the definitions are linear in M(d)(o), so that the optimum is that of a linear program for each
comparison of the violated definition; two outputs are enough where it compares one pair of laws (proofs/worst.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verifier.definitions.answer import Decimal, Valued
from verifier.errors import InputError, LimitError
from verifier.model import Database, Model, arguments, need_model
from verifier.model.arguments import takes
from verifier.numbers import Epsilon, shorten, with_decimal
from verifier.wings.search.linear_bounds import (
    Form,
    definition_of,
    factor_of,
    forms_of,
    refuse_databases,
    refuse_maximum,
)
from verifier.wings.search.program import MAX_PROGRAMS, AssumedComparison, Program, Proved, patterns_of
from verifier.wings.search.symmetry import Exchanges
from verifier.wings.search.worst.files import confirmed
from verifier.wings.search.worst.notebook import worst_html
from verifier.wings.search.worst.proof import replayed
from verifier.wings.search.worst.question import Assumed, assumed, objective

MAX_ROWS = 1 << 14
"""Largest number of worlds, and of pairs of neighbours, of a model whose worst mechanism is looked for."""


@dataclass(frozen=True)
class Worst(Valued):
    """The largest δ that `definition` can need at `epsilon`, over all mechanisms that satisfy `assuming`.

    `proofs` has the optimum of every comparison with the multipliers that prove it; `form` is the comparison that is
    largest (None where nothing is compared), `mechanism` attains it, and `found` is the model with it. `outputs` is the
    number of outputs that were allowed, None for any. `compared` counts the comparisons of each assumed definition.
    """

    model: Model
    assuming: tuple[Assumed, ...]
    definition: str
    epsilon: Epsilon
    outputs: int | None
    optimum: Fraction
    form: Form | None
    proofs: tuple[Proved, ...]
    bounds: tuple[AssumedComparison, ...] = field(repr=False)
    compared: tuple[int, ...] = ()
    mechanism: dict[Database, tuple[Fraction, ...]] = field(default_factory=dict, repr=False)
    labels: tuple[str, ...] = ()
    found: Model | None = field(default=None, repr=False)

    def __str__(self) -> str:
        assumptions = " and ".join(map(str, self.assuming)) or "nothing"
        return (
            f"assuming {assumptions}, the smallest δ of {self.definition} at ε = {self.epsilon} is at most "
            f"{with_decimal(self.optimum)}, and one mechanism attains it"
        )

    def _repr_html_(self) -> str:
        return worst_html(self)

    @property
    def heading(self) -> tuple[str, str]:
        """The title of the model file with the mechanism, and what its notes say of it."""
        return f"the worst mechanism for {self.definition} at {self.epsilon}", "no mechanism needs a larger δ."

    @property
    def promise(self) -> dict[str, str]:
        """The answer that the model file promises beside the assumptions."""
        question = {"definition": self.definition, "epsilon": str(self.epsilon)}
        return {**question, "tight_delta": str(self.optimum)}

    @property
    def claim(self) -> str:
        """The sentence that says over which mechanisms the optimum is taken."""
        many = "any number of outputs" if self.outputs is None else f"at most {self.outputs} outputs"
        if not self.model.thetas:
            return f"This is complete: no mechanism at all, with {many}, does worse."
        these = "this θ" if len(self.model.thetas) == 1 else "these θ"
        return f"This is complete: no mechanism at all, with {many}, does worse for {these}."

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp worst --json`."""
        return {
            "schema": 1,
            "model": self.model.title,
            "assuming": list(map(str, self.assuming)),
            "compared": self.compared,
            "definition": self.definition,
            "epsilon": str(self.epsilon),
            "outputs": self.outputs,
            "vacuous": self.form is None,
            "optimum": self.optimum,
            "optimum_decimal": Decimal(self.optimum),
            "comparison": self.form.place if self.form else None,
            "programs": len(self.proofs),
            "mechanism": laws_of(self.model, self.labels, self.mechanism, "database"),
            "file": self.found.text if self.found else None,
        }


def laws_of(
    model: Model, labels: tuple[str, ...], mechanism: Mapping[Database, tuple[Fraction, ...]], key: str
) -> list[dict[str, Any]]:
    """The laws of a mechanism as JSON has them; `key` is what a database is called there."""
    return [
        {key: model.shown(database), "outputs": {o: chance for o, chance in zip(labels, law, strict=True) if chance}}
        for database, law in mechanism.items()
    ]


@takes(max_rows=arguments.number(0), tick=arguments.optional(arguments.function))
def worst(
    model: Model,
    *,
    maximise: str,
    assuming: object = (),
    outputs: int | None = None,
    max_rows: int = MAX_ROWS,
    tick: Callable[[int, int], object] | None = None,
) -> Worst:
    """The largest δ that a definition can need at ε, over all mechanisms that satisfy `assuming`; θ, B, T are the model's.

    sup { δ_definition(ε) of M : M satisfies every assumed (ε, δ) }, exactly (ε in nats, e^ε rational): a linear program
    in M(d)(o) for each comparison (DMKB20, Definitions 1 to 5, 12 and 13). Two outputs are enough where a comparison
    is one pair of laws; for ppkdp 2^k, where k knowledge values are averaged (proofs/worst.md). With `outputs` only
    mechanisms with at most so many outputs are allowed. The mechanism of `model` plays no part.

    The answer's multipliers and mechanism are added up again by `verifier.checker`, which shares no code, and the
    model with the mechanism that attains the optimum is checked like any other.

    >>> from verifier import build
    >>> twins = {"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]}
    >>> model = build(size=2, values=[0, 1], distribution=twins, mechanism={"kind": "count", "value": 1})
    >>> print(worst(model, assuming="dp(epsilon=ln(2))", maximise="np delta at ln(2)"))
    assuming dp(ln(2)), the smallest δ of np at ε = ln(2) is at most 1/3 (0.333333333333), and one mechanism attains it

    Raises:
        InputError: for an invalid question or number of outputs.
        UnsupportedError: for an ε whose e^ε is not rational, and for definitions that are not linear in the mechanism.
        LimitError: where the linear programs are too large; they are refused before they start.

    """  # noqa: E501
    need_model(model)
    _refuse_outputs(outputs)
    held, (name, epsilon) = assumed(assuming), objective(maximise)
    target = definition_of(name)
    refuse_maximum(target)
    bounds, counts = bounds_of(model, held, max_rows)
    forms = forms_of(model, target, max_rows)
    factors = {form.scale: factor_of(epsilon, "maximise=", form.scale) for form in forms}
    databases = sorted({d for form in (*forms, *(bound.form for bound in bounds)) for d in form.databases})
    proofs = _solved(databases, bounds, forms, factors, outputs, tick)
    best = max(proofs, key=lambda proof: proof.value, default=None)
    answer = Worst(
        model,
        held,
        name,
        epsilon,
        outputs,
        best.value if best else Fraction(0),
        best.form if best else None,
        proofs,
        bounds,
        counts,
        *(_table(best) if best else ({}, ())),
    )
    return confirmed(replayed(answer))


def bounds_of(
    model: Model, held: Sequence[Assumed], max_rows: int
) -> tuple[tuple[AssumedComparison, ...], tuple[int, ...]]:
    """The comparisons of what is assumed, and how many each definition has.

    Raises:
        UnsupportedError, LimitError: as `definition_of`, `factor_of` and `forms_of` do.

    """
    for assumption in held:
        definition_of(assumption.definition).admits(assumption.delta)
    listed = [forms_of(model, definition_of(assumption.definition), max_rows) for assumption in held]
    bounds = tuple(
        AssumedComparison(form, factor_of(assumption.epsilon, "assuming=", form.scale), assumption.delta)
        for assumption, forms in zip(held, listed, strict=True)
        for form in forms
    )
    return bounds, tuple(map(len, listed))


def _refuse_outputs(outputs: object) -> None:
    if outputs is not None and (isinstance(outputs, bool) or not isinstance(outputs, int) or outputs < 2):
        raise InputError(
            f"{shorten(outputs)} is not a number of outputs",
            where="outputs",
            wanted="an integer from 2, or None for any number",
        )


def _solved(
    databases: Sequence[Database],
    bounds: tuple[AssumedComparison, ...],
    forms: Sequence[Form],
    factors: Mapping[int, Fraction],
    outputs: int | None,
    tick: Callable[[int, int], object] | None,
) -> tuple[Proved, ...]:
    """The optimum of each objective; equal objectives are solved once, those with equally many outputs share a table.

    Raises:
        LimitError: for too many objectives or databases, or too large a table.

    """
    refuse_databases(len(databases))
    objectives = [(form, patterns) for form in forms for patterns in patterns_of(form, outputs)]
    if len(objectives) > MAX_PROGRAMS:
        raise LimitError(
            f"there are {len(objectives):,} linear programs to solve",
            wanted=f"at most {MAX_PROGRAMS:,}",
            tip="fewer records",
        )
    symmetry = Exchanges(bounds)
    needs = [(symmetry.alike(form), len(patterns)) for form, patterns in objectives]
    programs = {need: Program(databases, bounds, need[1], need[0]) for need in dict.fromkeys(needs)}
    known: dict[object, Proved] = {}
    solved = []
    for number, (form, patterns) in enumerate(objectives):
        key = tuple((pair.share, pair.p, pair.q) for pair in form.parts), form.scale, patterns
        if key not in known:
            known[key] = programs[needs[number]].maximise(form, factors[form.scale], patterns)
        optimum = known[key]
        solved.append(Proved(form, patterns, optimum.value, optimum.multipliers, optimum.mechanism))
        if tick:
            tick(number + 1, len(objectives))
    return tuple(solved)


def _table(best: Proved) -> tuple[dict[Database, tuple[Fraction, ...]], tuple[str, ...]]:
    """The mechanism without unused outputs, and the names of the others.

    A name has a digit for each B̂, which is 1 if the output is in the event of that B̂.
    """
    used = [o for o in range(len(best.patterns)) if any(law[o] for law in best.mechanism.values())]
    names = ["".join(str(int(yes)) for yes in best.patterns[o]) for o in used]
    return {d: tuple(law[o] for o in used) for d, law in best.mechanism.items()}, tuple(names)


@dataclass(frozen=True)
class Implied:
    """Whether every mechanism that satisfies `satisfied` satisfies `violated`, for the θ of a model; with a proof.

    `answers` has the worst mechanism for each definition of `violated`, in their order: the proofs, if it is implied;
    if not, the last one has a mechanism that fails its definition, and the definitions after it were not asked about.
    """

    implied: bool
    answers: tuple[Worst, ...]

    @property
    def worst(self) -> Worst:
        """The last of the answers: where it is not implied, that with the mechanism that separates."""
        return self.answers[-1]

    def __bool__(self) -> bool:
        return self.implied


@takes(max_rows=arguments.number(0))
def implied_for(model: Model, satisfied: object, violated: object, *, max_rows: int = MAX_ROWS) -> Implied:
    """Whether no mechanism at all separates two statements for the θ, B and T of a model.

    `satisfied` are the definitions that hold (texts or statements), `violated` those of which one is to fail. If some
    mechanism separates them, `worst.found` is a model with one; else each of `answers` proves, with any number of
    outputs, that none fails one definition of `violated`.

    >>> from verifier import build
    >>> coins = build(size=2, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=lambda d: 0)
    >>> bool(implied_for(coins, "dp(epsilon=ln(2))", "np(epsilon=ln(2))"))
    True
    >>> bool(implied_for(coins, "np(epsilon=ln(2))", "dp(epsilon=ln(2))"))
    False

    Raises:
        InputError, UnsupportedError, LimitError: as `worst` does.

    """
    wanted = assumed(violated, "violated")
    if not wanted:
        raise InputError("there is no definition", where="violated", wanted="a definition with its ε")
    answers: list[Worst] = []
    for definition in wanted:
        answer = worst(
            model,
            assuming=satisfied,
            maximise=f"{definition.definition} delta at {definition.epsilon}",
            max_rows=max_rows,
        )
        answers.append(answer)
        if answer.optimum > definition.delta:
            return Implied(implied=False, answers=tuple(answers))
    return Implied(implied=True, answers=tuple(answers))
