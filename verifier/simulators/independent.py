"""What a simulator must imitate where all records are independent and the mechanism is their sum: without a table.

Given B̂, what the simulator is told has one law, whatever D(i) is: all contexts with the same known values are one
class (`proofs/simulators.md`). So each record and class of knowledge values asks for one law near |T| laws of the sum.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from math import lcm, prod
from typing import NamedTuple

from verifier.engine import Engine, KnowledgeCase, Output
from verifier.engine.decomposition import components as components_of
from verifier.engine.pushforward import Pushforward
from verifier.model import Groups, Independent, Model, Secret, Theta, check_size, counted
from verifier.simulators.problem import Component, Context, SimulatorRow
from verifier.tables import Integer, Label, in_order, label

READINGS = frozenset({"default", "per-distribution", "per-knowledge"})
"""Readings under which the context names the record."""
MOST_NUMBERS = 1 << 16
"""Most probabilities of the laws that are written out; about a second."""
MOST_NAMED = 1 << 19
"""Most outputs that are named, class of knowledge by class of knowledge; about two seconds."""
MOST_CONTEXT_VALUES = 1 << 22
"""Most values of the first contexts of all classes together."""


def supports(model: Model, reading: str) -> bool:
    """Whether there is one θ, of independent records, and Sim is told i: what else it is told says nothing of D(i)."""
    if reading not in READINGS or len(model.thetas) != 1:
        return False
    shape = model.thetas[0].shape
    return isinstance(shape, Independent) or (isinstance(shape, Groups) and shape.independent)


class Pieces(NamedTuple):
    """A class of B̂: the law of M(D) and the knowledge for each value of the record, and how many B̂ it stands for."""

    laws: dict[Label, Output]
    cases: dict[Label, KnowledgeCase]
    members: int


def independent(engine: Engine, reading: str) -> Iterator[Component]:
    """Yield the components, by record, then by the first known values; those with the same laws share the integers.

    Raises:
        LimitError: where the laws would be too long, before they are made.

    """
    (theta,) = engine.model.thetas
    targets = engine.targets(theta)
    numbers = engine.cost.totals * len(engine.model.values) * len(targets)
    subject = f"the laws to be imitated have at least {counted(numbers)} numbers"
    check_size(numbers, MOST_NUMBERS, subject, fixed="numbers")  # the bound that is cheap to compute comes first
    used = numbers * (repeated := _repeated(engine))
    again = f"{subject}, each used {counted(repeated)} times: {counted(used)} together"
    check_size(used, MOST_NUMBERS, again, fixed="numbers")
    named = numbers * engine.cost.classes
    over = f"the laws to be imitated have {counted(named)} outputs over all classes of knowledge"
    check_size(named, MOST_NAMED, over, fixed="outputs")
    context_values = engine.cost.classes * engine.model.size * len(targets)
    check_size(
        context_values,
        MOST_CONTEXT_VALUES,
        f"{counted(context_values)} values are told in the first contexts of all classes of knowledge",
        fixed="values",
    )
    written = _Written(tell_apart=_tells_apart(engine))
    for secret, alike in targets:
        for piece in _pieces(engine, theta, secret, reading):
            yield _component(engine, theta, secret, reading, piece, alike, written)


def _tells_apart(engine: Engine) -> bool:
    """Whether the outputs are the sums, in their order, so that classes of knowledge only move them."""
    plan = getattr(engine.algebra, "plan", None)
    if plan is None or plan.noise is not None or plan.names:
        return False
    outputs = list(plan.output.values())
    return outputs == in_order(outputs)


def _repeated(engine: Engine) -> int:
    """How often each number of a law is used: for each class of knowledge, and with noise for each output."""
    plan = getattr(engine.algebra, "plan", None)
    noisy = plan is None or plan.noise is not None
    return (1 if _tells_apart(engine) else engine.cost.classes) * (engine.cost.totals // 4 + 1 if noisy else 1)


def _pieces(engine: Engine, theta: Theta, secret: Secret, reading: str) -> Iterator[Pieces]:
    """The pieces of a record that is there: the laws by its value, for each class of known values of the others."""
    pieces: dict[Hashable, Pieces] = {}
    for case in engine.factual(theta, secret).cases.values():
        key = case.key if reading == "per-knowledge" else case.key[:2]  # type: ignore[index]
        if laws := {value: law for value, law in case.laws.items() if value != engine.model.absent}:
            piece = pieces.setdefault(key, Pieces({}, {}, case.members))
            piece.laws.update(laws)
            piece.cases.update(dict.fromkeys(laws, case))
    yield from pieces.values()


class _Written:
    """Laws as integers over one denominator; laws that several components share are written out once."""

    def __init__(self, *, tell_apart: bool) -> None:
        self.tell_apart = tell_apart
        self._known: dict[Hashable, tuple[tuple[tuple[Integer, ...], ...], Integer]] = {}
        self._kept: list[object] = []

    def write(
        self, laws: Mapping[Label, Output], names: list[Label]
    ) -> tuple[tuple[tuple[Integer, ...], ...], Integer]:
        """The laws on the outputs `names`, and their total."""
        key = tuple(id(law.law) if isinstance(law, Pushforward) else id(law) for law in laws.values())
        if not self.tell_apart or key not in self._known:
            plain = [weights_of(law) for law in laws.values()]
            totals = [sum(law.values()) for law in plain]
            shared = lcm(*totals)
            rows = tuple(
                tuple(law.get(o, 0) * (shared // total) for o in names)
                for law, total in zip(plain, totals, strict=True)
            )
            self._known[key] = rows, shared
            self._kept.append(laws)
        return self._known[key]


def weights_of(law: Output) -> Mapping[Label, int]:
    """The positive integer weights of a law, by output."""
    return {o: int(w) for o, w in (law.weights if isinstance(law, Pushforward) else law).items() if w}


def _component(
    engine: Engine, theta: Theta, secret: Secret, reading: str, piece: Pieces, alike: int, written: _Written
) -> Component:
    record = secret.record
    if record is None:
        raise TypeError("a simulator is told the other records, but the secret is not a record")
    first = {v: piece.laws[v] for v in secret.domain if v in piece.laws}
    names = list(in_order({o: None for law in first.values() for o in _names(law)}))
    rows, total = written.write(first, names)
    different: dict[tuple[Integer, ...], Label] = {}
    for v, law in zip(first, rows, strict=True):
        different.setdefault(law, v)
    context, number = _context(engine.model, theta, record, next(iter(piece.cases.values())))
    if reading == "per-distribution":
        context = context._replace(distribution=theta.name)
    if reading == "per-knowledge":
        context = context._replace(knowledge=next(iter(piece.cases.values())).label)
    return Component(
        tuple(
            SimulatorRow(theta.name, piece.cases[v].label, record, v, {}, {}, Fraction(0)) for v in different.values()
        ),
        len(first) * piece.members * alike,
        ((context,),),
        tuple(((o, Fraction(1)),) for o in names),
        tuple(different),
        ((Fraction(1),),) * len(different),
        total,
        number * piece.members * alike,
    )


def _names(law: Output) -> Iterator[Label]:
    return iter(law.weights if isinstance(law, Pushforward) else law)


def _context(model: Model, theta: Theta, record: int, case: KnowledgeCase) -> tuple[Context, int]:
    """The first database of the other records that is possible given B̂, and how many there are."""
    positions = {v: k for k, v in enumerate(model.values)}
    shown = case.label.shown if theta.zeta.records else []
    known_values = shown if isinstance(shown, list) else []
    known = {i: positions[label(v)] for i, v in zip(theta.zeta.records, known_values, strict=True)}
    possible = {group.records[0]: [v for (v,), _ in group.rows] for group in components_of(theta.shape)[0].groups}
    other_records = [i for i in range(model.size) if i != record]
    values = tuple(known.get(i, possible[i][0]) for i in other_records)
    return Context(values, record, None, None), prod(len(possible[i]) for i in other_records if i not in known)
