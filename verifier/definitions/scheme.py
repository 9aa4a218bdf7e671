"""A scheme of DP22: a builder lists rows, a view makes laws of them, and a measure is bounded on what is listed.

A scheme lists sets of comparisons, as every definition does. Each row is one comparison; of an average all rows of a
group are one, with their shares as weights; where a share γ may be left out, each comparison has its case and share.
`read_scheme` reads one from an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from verifier.definitions.builders.events import Adversaries, Distributions, Secrets
from verifier.definitions.builders.posteriors import ABOUT, CELLS, Beliefs, Clients, EventsOfOutputs, Membership
from verifier.definitions.builders.random_pairs import RandomDatabases, RandomPair, RedrawnRecord, Sampled
from verifier.definitions.builders.relations import RESTRICTIONS, SCALES, STEPS, Relation
from verifier.definitions.builders.resolve import ComparingNeighbours, neighbouring
from verifier.definitions.builders.rows import (
    MOST_KEPT,
    ONE,
    Builder,
    Case,
    Group,
    Row,
    Setting,
    groups_of,
)
from verifier.definitions.builders.views import VIEWS, Look, View, databases_in
from verifier.definitions.compared_kinds import OF_SCHEME, SCHEME, Comparisons
from verifier.definitions.comparison import (
    HOCKEY_STICK,
    Comparison,
    ComparisonSet,
    CurveMeasure,
    Least,
    MeasurePair,
    Pair,
    Term,
)
from verifier.definitions.measures.concentrated import CONCENTRATED
from verifier.definitions.measures.conditions import CONDITIONS, GAUSSIAN, RESTRICTED, TRIMMED, Trimmed
from verifier.definitions.measures.declared import DeclaredMeasure
from verifier.definitions.measures.divergence import (
    NUMBERS,
    Condition,
    Divergence,
    constant,
    divergence_named,
    known_divergence,
    measure_named,
    rooted_power,
)
from verifier.definitions.verdict import Compared, TwoLaws, law_on
from verifier.engine import Engine
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model import Database, Model, check_size, counted
from verifier.model.keys import Keys, chosen, listed, string
from verifier.model.neighbours import NamedRelation
from verifier.numbers import exact_text, plural, shorten

if TYPE_CHECKING:
    from verifier.definitions.definition import Definition, Measure

MOST_COMPARED = 1 << 17
"""Most pairs of laws of one definition."""
OUTPUTS = 1
"""Outputs that all of these laws may have for each row of the limit."""
SPECIAL: dict[str, DeclaredMeasure[Any]] = {
    each.key: each for each in (TRIMMED, RESTRICTED, constant(GAUSSIAN), *CONCENTRATED)
}
"""Measures with parameters of their own."""
MEASURES: dict[str, DeclaredMeasure[Any]] = {**NUMBERS, **CONDITIONS, **SPECIAL}
"""The measures by their names in entries; `renyi-2`, `abs-3` and the like name their number."""
WHATEVER_IS_PROTECTED = (Secrets, Distributions, Membership)
"""Builders in which what `[sensitive]` protects plays no part; so it is of `Beliefs` about the database."""


class SeenRow(NamedTuple):
    """A row with one view of it, the two laws of what the attacker sees."""

    row: Row
    view: View

    @property
    def compared(self) -> Compared:
        """The comparison as a sentence, with the multiple of ε that it is allowed."""
        allowed = "" if self.row.scale == 1 else f", and {exact_text(self.row.scale)}·ε is allowed"
        if self.view.compared is not None:
            return self.view.compared._replace(sentence=f"{self.view.compared.sentence}{allowed}.")
        first, second = self.row.names
        return Compared(f"{first} is compared with {second}{self._beside}{allowed}.")

    @property
    def words(self) -> str:
        """Both laws in words, with what stands beside their view."""
        return f"{self.row.words}{self._beside}"

    @property
    def direction(self) -> str:
        """The words, with the multiple of ε that is allowed where it is not 1."""
        allowed = "" if self.row.scale == 1 else f"allowed {exact_text(self.row.scale)}·ε"
        return ", ".join(part for part in (self.words, allowed) if part)

    @property
    def databases(self) -> tuple[Database, Database] | None:
        """The two databases, where both laws are of one database."""
        return databases_in(self.row)

    def laws(self, model: Model) -> TwoLaws | None:
        """The two laws as data; None of an average, and of events for all databases, whose terms have them."""
        view = self.view
        if view.laws is not None:
            return view.laws
        if not self.row.p:
            return None
        first, second = self.row.laws or (law_on(model, self.row.p), law_on(model, self.row.q))
        seen = partial(replace, leak=view.leak, image=view.image, group=view.group)
        return seen(first), seen(second)

    @property
    def _beside(self) -> str:
        return f", {self.view.words}" if self.view.words else ""


Numbered = tuple[int, Case, SeenRow]
"""A row as it is seen, with its case and the number of this."""


def _seen(look: Look, case: Case) -> Iterator[SeenRow]:
    for row in case.rows:
        for seen in look(row) if row.seen is None else row.seen:
            yield SeenRow(row, seen)


def seen_in(setting: Setting, view: str, group: Group) -> Iterable[Numbered]:
    """The rows of a group as they are seen, with their cases; of few rows they are kept with the group."""
    look = VIEWS[view](setting)
    if view in group.kept:
        return list(group.kept[view])
    listed = ((n, case, seen) for n, case in enumerate(group.cases) for seen in _seen(look, case))
    if sum(len(case.rows) for case in group.cases) > MOST_KEPT:
        return listed
    group.kept[view] = list(listed)
    return list(group.kept[view])


AGGREGATIONS = ("worst", "average", "all-but")
"""How the cases of a group count together, by names in entries."""


def different(numbered: Iterable[Numbered]) -> Iterator[Numbered]:
    """Yield the rows, those with the same laws and the same multiple of ε once."""
    known: set[tuple[int, int, int]] = set()
    for entry in numbered:
        seen = entry[2]
        key = id(seen.view.pair), *seen.row.scale.as_integer_ratio()  # a fraction takes longer to hash
        if key not in known:
            known.add(key)
            yield entry


def averaged(group: Group, numbered: Iterable[Numbered]) -> Comparison | None:
    """The average Σ share·D over the cases of a group, each of one row, whose shares sum to 1; None of no case."""
    shares = [(case.share, seen) for _, case, seen in numbered]
    if not shares:
        return None
    if sum((share for share, _ in shares), Fraction(0)) != 1:
        raise ArithmeticError("an average is of cases of one row, whose shares sum to 1")
    start = shares[0][1]
    names = f"On average over {plural(len(shares), 'pair')} of laws, the first of them {start.words}", ""
    first = " with ".join(start.row.names)
    sentence = f"The average over {plural(len(shares), 'pair')} of laws counts, the first of which is {first}"
    together = SeenRow(Row((), (), ONE, names), View(start.view.pair, "", Compared(sentence)))
    total = lcm(*(share.denominator for share, _ in shares))
    terms = tuple(Term(int(share * total), seen.view.pair, seen) for share, seen in shares)
    return Comparison(group.distribution, group.record, None, None, terms, total=total, row=together)


@dataclass(frozen=True)
class Scheme(Comparisons):
    """What a definition of DP22's scheme compares, and how: its builder, view, measure and aggregation."""

    builder: Builder
    view: str
    measure: str
    aggregation: str = "worst"
    kind = SCHEME
    about = OF_SCHEME
    reads_policy = True

    @property
    def has_epsilon(self) -> bool:
        """Whether it bounds something by ε; a condition holds or not at the parameters of the file."""
        return self.measure not in CONDITIONS

    def relation(self, model: Model) -> NamedRelation | None:
        """What is a step from a database to its neighbours on a model; None of a builder of other pairs."""
        match self.builder:
            case Relation():
                return self.builder.named(model)
            case Sampled():
                return self.builder.relation.named(model)
            case Clients():
                return Relation().named(model)
        return None

    def restricted_by_secrets(self, model: Model) -> bool:
        """Whether the builder reads what is protected: the records, and never a function of the database."""
        about_database = isinstance(self.builder, Beliefs) and self.builder.about == "database"
        return model.protects_records and not (about_database or isinstance(self.builder, WHATEVER_IS_PROTECTED))

    @property
    def merges_outputs(self) -> bool:  # type: ignore[override]
        """Whether laws of whole outputs are compared: no beliefs, no images of outputs, no events of them."""
        return self.view == "outputs" and not isinstance(self.builder, Beliefs | Membership | Clients | EventsOfOutputs)

    def fits(self, definition: Definition, model: Model) -> None:
        """Refuse no model: the builder refuses what it cannot read."""

    def changes_one_record(self, setting: Setting) -> bool:
        """Whether the laws of outputs on any two databases that differ in one record are compared, one by one."""
        plain = self.view == "outputs" and self.aggregation == "worst" and self.measure != "trimmed"
        return plain and isinstance(self.builder, Relation) and self.builder.changes_one_record(setting)

    def measure_in(self, definition: Definition, engine: Engine, reading: str) -> Measure:
        """The measure, with its parameters of the file."""
        return self.measure_of(Setting(definition.key, engine.model, engine, reading))

    def measure_of(self, setting: Setting) -> Measure:
        """The measure, with its parameters of the file of a setting."""
        made: Measure = declared_measure(self.measure).made(setting)
        return made

    def sets(self, definition: Definition, engine: Engine, reading: str) -> tuple[ComparisonSet, ...]:
        """The comparisons of each group that compares anything.

        Raises:
            LimitError: for too many pairs of laws.

        """
        setting = Setting(definition.key, engine.model, engine, reading)
        return tuple(self._listed(setting, self.measure_of(setting)))

    def _listed(self, setting: Setting, measure: Measure) -> Iterator[ComparisonSet]:
        left_out = setting.need("gamma") if self.aggregation == "all-but" else None
        outputs = 0
        for group in groups_of(setting, self.builder):
            comparisons: list[Comparison] = []
            for comparison in self._of_group(setting, measure, group):
                comparisons.append(comparison)
                outputs += sum(len(term.pair.outputs) for term in comparison.terms if isinstance(term.pair, Pair))
                if outputs > OUTPUTS * setting.engine.max_rows:
                    most = OUTPUTS * setting.engine.max_rows
                    check_size(outputs, most, f"{setting.key} compares laws with at least {counted(outputs)} outputs")
                if len(comparisons) > MOST_COMPARED:
                    raise LimitError(
                        f"{setting.key} compares too many pairs of laws", wanted=f"at most {MOST_COMPARED:,}"
                    )
            if comparisons:
                yield ComparisonSet(group.distribution, group.record, comparisons, left_out=left_out)

    def _of_group(self, setting: Setting, measure: Measure, group: Group) -> Iterator[Comparison]:
        numbered = seen_in(setting, self.view, group)
        if self.aggregation == "average":
            comparison = averaged(group, numbered)
            if comparison is not None:
                yield replace(comparison, measure=_curve(measure))
            return
        listed = different(numbered) if self.aggregation == "worst" and not isinstance(measure, Condition) else numbered
        curve = _curve(measure)
        for number, case, seen in listed:
            terms = (Term(1, seen.view.pair),)
            comparison = Comparison(
                group.distribution, group.record, None, None, terms, measure=curve, scale=seen.row.scale, row=seen,
                case=number, share=case.share,
            )  # fmt: skip
            yield least_of(comparison, measure) if isinstance(measure, Trimmed) else comparison


def definition_on(definition: Definition, engine: Engine) -> Definition:
    """The definition as it reads on a model: by names of laws where these are all that it lists there, as `dp` does.

    Neighbours of one size that differ in the value of one record have laws in an engine. Of multisets, whose records
    have no indices, and where `[policy] neighbours` moves answers, neighbours are those of a relation.

    Raises:
        UnsupportedError: where the file does not give what it reads.

    """
    compared, of_sizes = definition.comparisons, engine.model.sizes is not None
    if isinstance(compared, Scheme):
        setting = Setting(definition.key, engine.model, engine)
        if compared.changes_one_record(setting) and engine.model.protects_records:
            measure = compared.measure_of(setting)
            return replace(definition, compare=neighbouring, kind=neighbouring.kind, measure=measure)
    elif isinstance(compared, ComparingNeighbours) and (of_sizes or engine.model.policy.moves_answers):
        steps = "neighbours" if engine.model.policy.moves_answers else "change"
        scheme = Scheme(Relation(steps), "outputs", definition.measure.key)
        return replace(definition, compare=scheme, kind=scheme.kind)
    return definition


def _curve(measure: Measure) -> CurveMeasure:
    """The measure of lines and events, where it is a curve; others look at the pairs of laws."""
    return HOCKEY_STICK if isinstance(measure, Divergence | Condition) else measure


def least_of(comparison: Comparison, measure: Trimmed) -> Least:
    """The comparison of a trimmed curve: the least over what remains of its laws without a set of their outputs."""
    fields = {name: getattr(comparison, name) for name in Comparison.__dataclass_fields__}
    (term,) = comparison.terms
    parts = tuple(
        replace(comparison, terms=(Term(1, part),), measure=HOCKEY_STICK)
        for part in measure.trimmings(MeasurePair.of(term.pair))
    )
    return Least(**fields, alternatives=parts)


def declared_measure(name: str) -> DeclaredMeasure[Any]:
    """The declaration of a measure by its name in an entry, also where a number stands behind the name.

    Raises:
        UnsupportedError: for a name that no measure has.

    """
    return MEASURES.get(name) or constant(divergence_named(name))


def measure_title(name: str) -> str:
    """The name of a measure in a sentence, such as `Rényi divergence of order 2`; a curve keeps its name.

    Raises:
        InputError: for a name that no measure has.

    """
    stem, _, number = name.rpartition("-")
    if stem == "root-abs" and number.isdecimal():
        return rooted_power(int(number)).title
    if name in MEASURES:
        return MEASURES[name].title
    found = known_divergence(name)
    return measure_named(name).key if found is None else found.title


NUMBERED_TIP = "renyi-2, renyi-3, … and abs-1, abs-2, … name their number; renyi and root-abs read `order` in [policy]"


FOR_BUILDERS = {
    "average": ("random-pair-by-direction", "redrawn-record"),
    "all-but": ("random-pair", "random-databases"),
}
"""The builders whose pairs have shares, by the aggregation that takes them."""
FOR_MEASURES = {
    "beliefs": ("ratio", "hockey-stick"),
    "membership": ("ratio", "hockey-stick"),
    "events-of-outputs": ("semantic",),
}
"""The measures of builders whose rows are seen as events, not as laws of outputs."""


def read_scheme(keys: Keys, others: Collection[str]) -> tuple[Scheme, bool]:
    """What an entry compares by a builder of rows, and whether its definition has a δ.

    `others` are the builders that are no builders of rows.

    Raises:
        InputError: where a part has no such name, or does not go with the others.

    """
    name = keys.read("builder", chosen, (*BUILDERS, *others))
    builder = BUILDERS[name](keys)
    view = keys.read("view", chosen, VIEWS, default="outputs")
    measure = _measure(keys)
    aggregation = keys.read("aggregation", chosen, dict.fromkeys(AGGREGATIONS), default="worst")
    if name not in FOR_BUILDERS.get(aggregation, (name,)):
        wanted = f"worst, or a builder with shares: {', '.join(FOR_BUILDERS[aggregation])}"
        raise InputError(
            f"{aggregation} does not go with the builder {name}",
            where=str(keys.location.at("aggregation")),
            wanted=wanted,
        )
    if measure not in FOR_MEASURES.get(name, (measure,)) or (measure == "semantic" and name != "events-of-outputs"):
        wanted = f"one of {', '.join(FOR_MEASURES[name])}" if name in FOR_MEASURES else "another measure"
        raise InputError(
            f"{measure} does not go with the builder {name}", where=str(keys.location.at("measure")), wanted=wanted
        )
    return Scheme(builder, view, measure, aggregation), declared_measure(measure).has_delta


def _measure(keys: Keys) -> str:
    """The name of a measure, that of a curve, a condition or one number; one that no model decides is refused."""
    name = keys.read("measure", string, "a measure")
    if name in MEASURES:
        return name
    try:
        return divergence_named(name).key
    except UnsupportedError:
        wanted = f"one of {', '.join(MEASURES)}, renyi-2, abs-3"
        raise InputError(
            f"{shorten(name)} is not a measure", where=str(keys.location.at("measure")), wanted=wanted, tip=NUMBERED_TIP
        ) from None


def _relation(keys: Keys) -> Relation:
    steps = keys.read("steps", string, "the steps", default="neighbours")
    if steps not in {"neighbours", "any", "pairs"} and not set(steps.split()) <= set(STEPS):
        raise InputError(
            f"{shorten(steps)} has unknown steps",
            where=str(keys.location.at("steps")),
            wanted="neighbours, any, pairs, or steps",
        )
    restrict = tuple(keys.read("restrict", listed, "a list of names", default=[]))
    for name in restrict:
        if name not in RESTRICTIONS:
            wanted = f"one of {', '.join(RESTRICTIONS)}"
            raise InputError(f"{shorten(name)} is unknown", where=str(keys.location.at("restrict")), wanted=wanted)
    within = keys.read("within", string, "a number, or a field of [policy]", default="1")
    if not (within.isdecimal() and int(within)) and within != "group":
        wanted = 'a number such as "2", or "group", the field of [policy]'
        raise InputError(
            f"{shorten(within)} is not a number of steps", where=str(keys.location.at("within")), wanted=wanted
        )
    return Relation(steps, within, restrict, keys.read("scale", chosen, SCALES, default=""))


BUILDERS: dict[str, Callable[[Keys], Builder]] = {
    "relation": _relation,
    "sampled": lambda keys: Sampled(_relation(keys)),
    "secrets": lambda _: Secrets(),
    "distributions": lambda keys: Distributions(scaled=bool(keys.take("scaled", default=False))),
    "adversaries": lambda _: Adversaries(),
    "random-pair": lambda _: RandomPair(),
    "random-pair-by-direction": lambda _: RandomPair(by_direction=True),
    "random-databases": lambda _: RandomDatabases(),
    "redrawn-record": lambda _: RedrawnRecord(),
    "beliefs": lambda keys: Beliefs(keys.read("about", chosen, ABOUT)),
    "membership": lambda keys: Membership(tuple(keys.read("cells", listed, f"some of {', '.join(CELLS)}"))),
    "clients": lambda keys: Clients(together=bool(keys.take("together", default=False))),
    "events-of-outputs": lambda _: EventsOfOutputs(),
}
"""Builders by their names in entries, each with the reader of its own keys."""
