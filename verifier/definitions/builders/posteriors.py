"""Builders that make what is seen themselves: beliefs, membership, events for all priors, and what clients see.

Each block of `[policy] blocks` holds the records of one client, and each table of `views` says what this client sees of
an output: of wFDP and sFDP each client attacks the records of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm

from verifier.definitions.builders.events import Known, backgrounds
from verifier.definitions.builders.relations import Relation
from verifier.definitions.builders.rows import ONE, Case, Group, Row, Setting
from verifier.definitions.builders.views import View, law_of, pair_of
from verifier.definitions.verdict import DATABASE, ELEMENT, RECORD, Compared
from verifier.errors import LimitError, UnsupportedError
from verifier.model import Database, replaced
from verifier.tables import Label, gathered, grouped, in_order, label, runs_text

Views = Sequence[Mapping[Label, Label]]
ABOUT = ("record", "database")
"""What a belief is about: the value of a record, or the whole database."""
CELLS = ("in-upper", "in-lower", "out-upper", "out-lower")
"""Bounds on the belief that t is in the database, or out: at most e^ε times, or at least e^-ε times, the prior."""
MOST_OUTPUTS = 12
"""Most outputs whose sets are all looked at."""


def _joint(setting: Setting, known: Known, about: Callable[[Database], Label]) -> dict[Label, dict[Label, int]]:
    """P[belief, output] up to one factor, by output."""
    laws = [(world.database, setting.model.mechanism.law(world.database), weight) for world, weight in known.worlds]
    shared = lcm(*(law.denominator for _, law, _ in laws))
    return grouped(
        (output, about(database), mass * weight * (shared // law.denominator))
        for database, law, weight in laws
        for output, mass in law.items()
    )


def _prior(joint: Mapping[Label, Mapping[Label, int]]) -> dict[Label, int]:
    return gathered(entry for row in joint.values() for entry in row.items())


def _compared(known: Known, about: str, output: Label, *, upper: bool, subject: str = "") -> Compared:
    """What the attacker believes after an output is compared with what she believed before; or, else, conversely."""
    knows = "" if known.knowledge is None else f"knows B = {_known_text(known.knowledge)}, and "
    after, before = f"what she believes then about {about}", "what she believed before"
    first, second = (after, before) if upper else (f"what she believed before about {about}", "what she believes then")
    sides = ("afterwards", "before") if upper else ("before", "afterwards")
    start = f'In "{known.theta.name}", the attacker {knows}sees {output}'
    return Compared(f"{start}; {first} is compared with {second}", sides, subject)


def _known_text(knowledge: Label) -> str:
    return knowledge.text if knowledge.entries is None else runs_text(knowledge.entries)


def _case(known: Known, views: list[View], about: str) -> Case:
    told = "" if known.knowledge is None else f", given B = {known.knowledge}"
    names = f'In "{known.theta.name}"{told}, the beliefs about {about}', ""
    return Case((Row((), (), ONE, names, tuple(views)),))


@dataclass(frozen=True)
class Beliefs:
    """The law of D(i), or of D, given each output against its prior law, in both orders (ANPr, InfPr)."""

    about: str

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group for each θ and B̂, and each record."""
        records = sorted(setting.protected() or ()) if self.about == "record" else [None]
        values = setting.model.values
        for known in backgrounds(setting):
            for record in records:

                def about(database: Database, record: int | None = record) -> Label:
                    if record is not None:
                        return values[database[record]]
                    return label(setting.model.shown(database))

                joint = _joint(setting, known, about)
                believed = replace(known.law, record=record, about=DATABASE if record is None else RECORD)
                prior, views = _prior(joint), []
                name = "D" if record is None else f"D({record})"
                for output in in_order(joint):
                    words = f"given the output {output}"
                    after, before = (_compared(known, name, output, upper=upper) for upper in (True, False))
                    laws = replace(believed, output=output), believed
                    pair, reverse = pair_of(joint[output], prior), pair_of(prior, joint[output])
                    views.append(View(pair, f"posterior against prior, {words}", after, laws))
                    views.append(View(reverse, f"prior against posterior, {words}", before, laws[::-1]))
                yield Group((_case(known, views, name),), known.theta.name, record)


@dataclass(frozen=True)
class Membership:
    """The beliefs that t is in the database, and that it is not, given each output, against the prior beliefs.

    `cells` are the bounds that are asked for: PMPr asks `in-upper` and `out-lower`, NMPr `out-upper` and `in-lower`,
    MPr all four, AdvPr `in-upper`. t ∈ D where some record has the value t.
    """

    cells: tuple[str, ...]

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group for each θ and B̂, and each value t."""
        absent = setting.policy.absent
        for known in backgrounds(setting):
            for t, value in enumerate(setting.model.values):
                if t == absent:
                    continue
                case = _case(known, self._views(setting, known, t), f"whether some record is {value}")
                yield Group((case,), known.theta.name)

    def _views(self, setting: Setting, known: Known, t: int) -> list[View]:
        about = f"whether some record is {setting.model.values[t]}"
        sides = {True: label("in"), False: label("out")}
        joint = _joint(setting, known, lambda database: sides[t in database])
        prior = _prior(joint)
        believed = replace(known.law, about=ELEMENT, element=setting.model.values[t])
        views = []
        for output in in_order(joint):
            laws = replace(believed, output=output), believed
            for cell in self.cells:
                side, _, bound = cell.partition("-")
                key = label(side)
                after, before = ({key: joint[output].get(key, 0)}, {key: prior.get(key, 0)})
                totals = sum(joint[output].values()), sum(prior.values())
                words = f"{side}, given the output {output}"
                subject = f"That {'some' if sides[True] == key else 'no'} record is {setting.model.values[t]} has"
                compared = _compared(known, about, output, upper=bound == "upper", subject=subject)
                if bound == "upper":
                    words = f"posterior against prior, {words}"
                    views.append(View(pair_of(after, before, totals), words, compared, laws))
                else:
                    words = f"prior against posterior, {words}"
                    views.append(View(pair_of(before, after, totals[::-1]), words, compared, laws[::-1]))
        return views


@dataclass(frozen=True)
class EventsOfOutputs:
    """For each record i and each set S of outputs, P[M(D) ∈ S] against P[M(D without i) ∈ S] over all D (SemPr).

    The databases that hold record i are listed; D without i is D with i set to `absent`.
    """

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group for each record."""
        setting.need_indices("removes a record by its index, which multisets do not have")
        model, absent = setting.model, setting.need("absent")
        for record in sorted(setting.protected() or ()):
            inside = [d for d in setting.databases() if d[record] != absent]
            laws = [(d, model.mechanism.law(d), model.mechanism.law(replaced(d, record, absent))) for d in inside]
            outputs = in_order({output: None for _, p, q in laws for law in (p, q) for output in law.outcomes})
            if len(outputs) > MOST_OUTPUTS:
                raise LimitError(
                    f"{setting.key} looks at all sets of {len(outputs)} outputs", wanted=f"at most {MOST_OUTPUTS}"
                )
            views = []
            shared = lcm(*(law.denominator for _, p, q in laws for law in (p, q)))
            for number in range(1, 1 << len(outputs)):
                event = [output for k, output in enumerate(outputs) if number >> k & 1]
                masses: list[dict[Label, int]] = [{}, {}]
                for database, *both in laws:
                    key = label(model.shown(database))
                    for mass, law in zip(masses, both, strict=True):
                        mass[key] = int(sum(law.probability(output) for output in event) * shared)
                listed = ", ".join(output.text for output in event)
                sentence = f"P[M(D) ∈ {{{listed}}}] is compared with the same without record {record}, for all D"
                pair = pair_of(masses[0], masses[1], (shared, shared))
                views.append(View(pair, f"event {{{listed}}}", Compared(sentence), event=tuple(event)))
            names = "with the record", "without it"
            yield Group((Case((Row((), (), ONE, names, tuple(views)),)),), None, record)


@dataclass(frozen=True)
class Clients:
    """Neighbours that differ in records of client i, as each other client sees them, or all others `together`."""

    together: bool

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group, with a case for each ordered pair of neighbours and for who sees them."""
        blocks: tuple[tuple[int, ...], ...] = setting.need("blocks")
        views: Views = [dict(view) for view in setting.need("views")]
        setting.need_indices("knows clients by the indices of their records: multisets have none")
        if len(views) != len(blocks):
            raise UnsupportedError(f"[policy] has {len(blocks)} blocks and {len(views)} views: one view for each block")
        yield Group(tuple(self._cases(setting, blocks, views)))

    def _cases(self, setting: Setting, blocks: tuple[tuple[int, ...], ...], views: Views) -> Iterator[Case]:
        for row in Relation().rows(setting):
            first, second = row.p[0][0], row.q[0][0]
            moved = {i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b}
            for client, block in enumerate(blocks):
                if moved <= set(block):
                    others = [j for j in range(len(blocks)) if j != client]
                    groups = [others] if self.together else [[j] for j in others]
                    for group in filter(None, groups):
                        words = f"as client{'s' if len(group) > 1 else ''} {', '.join(map(str, group))} see it"
                        theirs = [views[j] for j in group]
                        seen = [_seen(setting, law_of(setting, law), theirs) for law in (row.p, row.q)]
                        view = View(pair_of(seen[0], seen[1]), words, group=tuple(group))
                        yield Case((row._replace(seen=(view,)),))


def _seen(setting: Setting, law: Mapping[Label, int], views: Views) -> dict[Label, int]:
    """The law of what some clients see together."""
    for output in law:
        if any(output not in view for view in views):
            raise UnsupportedError(f"{setting.key}: a table of [policy] views has no entry for the output {output}")
    return gathered((label([view[output].shown for view in views]), mass) for output, mass in law.items())
