"""A definition: comparisons × measure × aggregation; a frozen object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from verifier.definitions.builders.resolve import COMPARISONS
from verifier.definitions.compared_kinds import (
    NEIGHBOURS,
    OF_SIZES,
    RECODING,
    About,
    Comparisons,
    Made,
    NotDecided,
    Nothing,
    Unlisted,
    compared_by,
)
from verifier.definitions.comparison import HOCKEY_STICK, WORST, Aggregation, ComparisonSet, CurveMeasure
from verifier.definitions.conventions import default_about, readings_about
from verifier.definitions.measures.divergence import Condition, Divergence
from verifier.definitions.scheme import definition_on
from verifier.errors import InputError, UnsupportedError
from verifier.numbers import Epsilon, shorten

if TYPE_CHECKING:
    from verifier.definitions.compared_kinds import Compare
    from verifier.engine import Engine
    from verifier.model import Model

Measure: TypeAlias = "CurveMeasure | Divergence | Condition"
"""What is bounded of two laws: a curve δ(ε) by δ, a number by ε; a condition holds or not."""


class NameNeed(NamedTuple):
    """What a name asks of a model beside what its definition asks, and what is said where that is not so."""

    holds: Callable[[Model], bool]
    reason: str
    tip: str


NEEDS = {
    "ldp": NameNeed(
        lambda model: model.size == 1 and model.sizes is None,
        "local differential privacy is of one person, and the databases of this model have more records",
        "with size = 1 the mechanism is what one person reports; dp takes any size",
    ),
    "bodp": NameNeed(
        lambda model: model.policy.changes_alone,
        "bounded differential privacy replaces a record, and [policy] neighbours of this model names other steps",
        "dp reads `neighbours`; ubodp adds or removes a record",
    ),
    "pure-dp": NameNeed(lambda _: True, "", ""),
}
"""Names of definitions that mean them for some models or questions alone."""


@dataclass(frozen=True)
class Definition:
    """A privacy definition: `compare` lists pairs of laws, `measure` measures them, `aggregation` says which B̂ count.

    `key` is its short name, `aliases` are the names of other texts, `formula` says it as it is decided, and `kind` what
    its witnesses show: those of the kind `neighbours` show two databases of Tⁿ, and no θ. `compare` may be a function
    (engine, reading) that lists comparisons; what else follows from what is compared, `comparisons` says. `vacuous`
    says when nothing is compared, `open` what the text leaves open. `own_readings` are readings beside those of the
    conventions. `latex` is `formula` as LaTeX text with math between dollar signs.

    A definition of one's own is made in the same way as the ones here (docs/own-definitions.md).
    """

    key: str
    title: str
    source: str
    formula: str
    kind: str
    compare: Comparisons | Compare | None = None
    measure: Measure = HOCKEY_STICK
    aggregation: Aggregation = WORST
    aliases: tuple[str, ...] = ()
    note: str = ""
    vacuous: str = ""
    open: str = ""
    replaces_a_record: bool = False
    own: bool = False
    own_readings: tuple[tuple[str, str], ...] = ()
    latex: str = ""
    plainly: str = ""
    """What it asks, in one sentence for a reader who sees it for the first time; the formula is what is decided."""
    group: str = ""
    """The group in which pages list it; empty for one of DP22, which is listed by its dimensions."""
    has_delta: bool = True
    """Whether it has a δ; a definition that bounds something by ε alone is asked at δ = 0."""
    equal_to: str = ""
    """The key of the definition that this one is for every model, for the reason that `note` gives; else empty."""
    dimensions: str = ""
    """The dimensions of DP22 that its entry names: letters of QNVBFRC."""
    called: str = field(default="", compare=False)
    """The name by which it was asked for, where that name is in `NEEDS`."""

    def __repr__(self) -> str:
        return f"<Definition {self.key}: {self.title} ({self.source})>"

    @cached_property
    def comparisons(self) -> Comparisons:
        """What it compares; of a function that was made in Python what its kind is named after."""
        if isinstance(self.compare, Comparisons):
            return self.compare
        about = COMPARISONS[self.kind].about if self.kind in COMPARISONS else About(self.kind)
        return Nothing(self.kind, about) if self.compare is None else Made(self.kind, about, self.compare)

    @property
    def about(self) -> About:
        """What it compares, by name and in words."""
        return self.comparisons.about

    @property
    def needs_theta(self) -> bool:
        """Whether it speaks of distributions; else of all databases of Tⁿ, as its witnesses do."""
        return self.kind != NEIGHBOURS

    @property
    def readings(self) -> dict[str, str]:
        """The readings by name, `default` first."""
        subjects = _subjects(self)
        name, meaning = default_about(subjects)
        default = f"{name}: {meaning}" if name else meaning
        return {"default": default, **readings_about(subjects), **dict(self.own_readings)}

    @property
    def default_reading(self) -> str:
        """The name by which the default reading may be asked for, too; empty where it has none."""
        return default_about(_subjects(self))[0]

    @property
    def has_epsilon(self) -> bool:
        """Whether it bounds something by ε; a condition such as `fdp` holds or not."""
        return self.comparisons.has_epsilon

    @property
    def changes_size(self) -> bool:
        """Whether neighbours have another number of records."""
        return self.about.subject in OF_SIZES

    @property
    def recodes(self) -> bool:
        """Whether the laws are of the recoding that is chosen, which is not published."""
        return self.about.subject == RECODING

    @property
    def reads_policy(self) -> bool:
        """Whether it reads `[policy]`, as the definitions of DP22 do."""
        return self.comparisons.reads_policy

    @property
    def undecided(self) -> str:
        """Why no model decides it; empty where some model does."""
        return self.comparisons.undecided if isinstance(self.comparisons, NotDecided) else ""

    @property
    def compares_named_laws(self) -> bool:
        """Whether each pair of laws that the engine has by their names is bounded, and nothing else is asked."""
        return not (self.reads_policy or self.changes_size or isinstance(self.comparisons, Unlisted))

    def reading(self, name: str) -> str:
        """Return the name of a reading, after a check; the default one is `default` also where it has a name.

        Raises:
            InputError: where the definition has no reading of this name.

        """
        if name and name == self.default_reading:
            return "default"
        if name not in self.readings:
            raise InputError(
                f"{self.key} has no reading {shorten(name)}",
                wanted=f"one of {', '.join(filter(None, (*self.readings, self.default_reading)))}",
            )
        return name

    def applies(self, engine: Engine) -> None:
        """Refuse a model that the definition does not speak of.

        Raises:
            UnsupportedError: with what is missing.

        """
        need = NEEDS.get(self.called)
        if need is not None and not need.holds(engine.model):
            raise UnsupportedError(need.reason, tip=need.tip)
        self.comparisons.fits(self, engine.model)
        if self.replaces_a_record and engine.model.sizes is None and not engine.model.protects_records:
            raise UnsupportedError(
                f"{self.key} replaces the value of a record, but [sensitive] protects a function of the database",
                tip="np, apkdp, ppkdp and acceptability apply",
            )

    def admits(self, delta: Fraction) -> None:
        """Refuse a δ above 0 where the measure has none.

        Raises:
            UnsupportedError: with the reason.

        """
        if delta and isinstance(self.measure, Divergence):
            raise UnsupportedError(f"{self.key} bounds the {self.measure.title} by ε and has no δ", tip="ask at δ = 0")
        if delta and self.called == "pure-dp":
            raise UnsupportedError("pure-dp has no δ", tip="approximate-dp, which is dp, has one")
        if delta and not self.has_delta:
            raise UnsupportedError(f"{self.key} has no δ", tip="ask at δ = 0")

    def admits_epsilon(self, measure: Measure, epsilon: Epsilon | None) -> None:
        """Refuse an ε where the measure is a condition.

        Raises:
            UnsupportedError: with the reason.

        """
        if isinstance(measure, Condition) and epsilon is not None:
            raise UnsupportedError(f"{self.key} has no ε: its parameters stand in [policy]", tip="ask without ε")

    def curve(self) -> CurveMeasure:
        """The measure of the definition, where it gives δ as a function of ε.

        Raises:
            UnsupportedError: where it is one number.

        """
        if isinstance(self.measure, Divergence | Condition):
            raise UnsupportedError(f"{self.key} bounds the {self.measure.title}, which is one number and no curve δ(ε)")
        return self.measure

    def on(self, engine: Engine) -> Definition:
        """The definition as it reads on a model: by names of laws, where these are all that it lists there.

        The engine then answers it as it answers `dp`: by columns, by sums without a table.

        Raises:
            UnsupportedError: where the file does not give what it reads.

        """
        if not self.reads_policy and engine.model.sizes is None and engine.model.policy.changes_alone:
            return self
        return definition_on(self, engine)

    def measure_in(self, engine: Engine, reading: str = "default") -> Measure:
        """The measure, with the parameters that it reads in the model's `[policy]`.

        Raises:
            UnsupportedError: where the file does not give a parameter.

        """
        return self.comparisons.measure_in(self, engine, reading)

    def sets(self, engine: Engine, reading: str) -> tuple[ComparisonSet, ...]:
        """All comparisons that are bounded, for each θ and sensitive attribute; made once for each engine.

        Raises:
            UnsupportedError: for a definition that compares no given laws.

        """
        return self.comparisons.sets(self, engine, reading)


def _subjects(definition: Definition) -> tuple[str, ...]:
    """The subjects of a definition, and its key where it is one of DP22: some conventions are about it alone."""
    subjects = compared_by(definition)
    return (*subjects, definition.key) if definition.reads_policy and not definition.own else subjects
