"""A definition: comparisons × measure × aggregation, or a procedure of its own; a frozen object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from verifier.definitions.aggregation import WORST, Aggregation
from verifier.definitions.compare import COMPARISONS
from verifier.definitions.comparison import ComparisonSet
from verifier.definitions.conventions import readings_about
from verifier.definitions.divergence import Condition, Divergence
from verifier.definitions.measure import HOCKEY_STICK, CurveMeasure
from verifier.definitions.pools import Columns
from verifier.definitions.scheme.rows import Listing, Setting
from verifier.definitions.subjects import NEIGHBOURS, About, compared_by
from verifier.errors import InputError, UnsupportedError
from verifier.model.model import need_distributions
from verifier.numbers import Epsilon, shorten

if TYPE_CHECKING:
    from verifier.definitions.compare import Compare
    from verifier.definitions.verdict import Verdict
    from verifier.engine import Engine
    from verifier.model import Model

Measure: TypeAlias = "CurveMeasure | Divergence | Condition"
"""What is bounded of two laws: a curve δ(ε) by δ, a number by ε; a condition holds or not."""
Decider: TypeAlias = "Callable[[Engine, Definition, Epsilon | None, Fraction, str], Verdict]"
"""Decides (engine, definition, ε or None, δ, reading) for definitions that are no list of given laws."""


@dataclass(frozen=True)
class Definition:
    """A privacy definition: `compare` lists pairs of laws, `measure` measures them, `aggregation` says which B̂ count.

    `key` is its short name, `aliases` are the names of other texts, `formula` says it as it is decided, and `kind` what
    its witnesses show: those of the kind `neighbours` show two databases of Tⁿ, and no θ. `compared` is what it
    compares, in words, where that is not what its kind is named after (`about`). `vacuous` says when nothing is
    compared, `open` what the text leaves open. A definition with a `decider` does not compare given laws, or asks for
    more. `changes_size` says that neighbours have another number of records, `recodes` that the laws are of the
    recoding that is chosen, which is not published. `own_readings` are readings beside those of the conventions.
    `latex` is `formula` as LaTeX text with math between dollar signs.

    A definition of one's own is made in the same way as the ones here (docs/own-definitions.md).
    """

    key: str
    title: str
    source: str
    formula: str
    kind: str
    compare: Compare | Listing | None = None
    measure: Measure = HOCKEY_STICK
    aggregation: Aggregation = WORST
    decider: Decider | None = None
    aliases: tuple[str, ...] = ()
    note: str = ""
    vacuous: str = ""
    open: str = ""
    replaces_a_record: bool = False
    changes_size: bool = False
    recodes: bool = False
    own: bool = False
    own_readings: tuple[tuple[str, str], ...] = ()
    compared: About | None = None
    latex: str = ""
    has_delta: bool = True
    """Whether it has a δ; a definition that bounds something by ε alone is asked at δ = 0."""
    dimensions: str | None = None
    """The dimensions of DP22 that it changes, where its scheme decides it: letters of QNVBFRC."""

    def __repr__(self) -> str:
        return f"<Definition {self.key}: {self.title} ({self.source})>"

    @property
    def about(self) -> About:
        """What it compares: as its recipe says; an object made in Python compares what its kind is named after."""
        if self.compared is not None:
            return self.compared
        return COMPARISONS[self.kind].about if self.kind in COMPARISONS else About(self.kind)

    @property
    def needs_theta(self) -> bool:
        """Whether it speaks of distributions; else of all databases of Tⁿ, as its witnesses do."""
        return self.kind != NEIGHBOURS

    @property
    def readings(self) -> dict[str, str]:
        """The readings by name, `default` first."""
        listed = readings_about(compared_by(self))
        return {"default": "as listed by `pkdp conventions`", **listed, **dict(self.own_readings)}

    @property
    def has_epsilon(self) -> bool:
        """Whether it bounds something by ε; a condition such as `fdp` holds or not."""
        return bool(getattr(self.compare, "has_epsilon", True))

    @property
    def compares_named_laws(self) -> bool:
        """Whether the engine has the laws by their names; a scheme makes the laws of its rows by itself."""
        return self.decider is None and not isinstance(self.compare, Listing)

    def reading(self, name: str) -> str:
        """Return the name of a reading, after a check.

        Raises:
            InputError: where the definition has no reading of this name.

        """
        if name not in self.readings:
            raise InputError(
                f"given the reading {shorten(name)} of {self.key}",
                wanted=f"one of {', '.join(self.readings)}",
            )
        return name

    def applies(self, engine: Engine) -> None:
        """Refuse a model that the definition does not speak of.

        Raises:
            UnsupportedError: with what is missing.

        """
        self._fits(engine.model)
        if self.replaces_a_record and not engine.model.protects_records:
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

    def _fits(self, model: Model) -> None:
        """One size for definitions about records and distributions, several for those that add a record."""
        if self.changes_size and model.sizes is None:
            raise UnsupportedError(
                f"{self.key} adds and removes records, but all databases of this model have {model.size} records",
                tip=f"size = [0, {model.size}] has databases of 0 to {model.size} records, and no distribution",
            )
        if self.changes_size or self.dimensions is not None:
            return  # a scheme refuses what it cannot read by itself
        if model.sizes is None:
            if self.needs_theta:
                need_distributions(model, "this definition")
            return
        if not self.needs_theta:
            what = "replaces the value of a record (DMKB20, Definition 2)"
            if self.about.subject != NEIGHBOURS:
                what = f"compares databases of one size ({self.source})"
            raise UnsupportedError(
                f"this {what}, but the databases of this model are "
                f"multisets of {model.sizes[0]} to {model.sizes[1]} tuples",
                tip="dps adds and removes a tuple; without `sample` it is (ε, δ)-DP of LQS12, Definition 2",
            )
        need_distributions(model, "this")

    def on(self, engine: Engine) -> Definition:
        """The definition as it reads on a model: by names of laws, where these are all that its scheme lists there.

        The engine then answers it as it answers `dp`: by columns, by sums without a table.

        Raises:
            UnsupportedError: where the file does not give what the scheme reads.

        """
        if not isinstance(self.compare, Listing):
            return self
        setting = Setting(self.key, engine.model, engine)
        named = self.compare.by_name(setting)
        if named is None:
            return self
        measure = self.compare.measure_in(setting)
        return replace(self, compare=named, kind=named.kind, compared=named.about, measure=measure)

    def measure_in(self, engine: Engine, reading: str = "default") -> Measure:
        """The measure, with the parameters that a scheme reads in the model's `[policy]`.

        Raises:
            UnsupportedError: where the file does not give a parameter.

        """
        compare = self.compare
        if not isinstance(compare, Listing):
            return self.measure
        return compare.measure_in(Setting(self.key, engine.model, engine, reading))

    def families(self, engine: Engine, reading: str) -> tuple[ComparisonSet, ...]:
        """All comparisons that are bounded, for each θ and sensitive attribute; made once for each engine.

        Raises:
            UnsupportedError: for a definition that compares no given laws.

        """
        compare = self.compare
        if compare is None:
            raise UnsupportedError(f"{self.key} is not decided by this version", tip="pkdp definitions")
        if isinstance(compare, Listing):
            return tuple(compare.listed(Setting(self.key, engine.model, engine, reading), self.measure_in(engine)))
        listed = engine.once((compare, reading), lambda: tuple(compare(engine, reading)))
        return engine.once(
            (compare, self.measure, self.aggregation, reading),
            lambda: tuple(self._measured(self.aggregation.of(family)) for family in listed),
        )

    def _measured(self, family: ComparisonSet) -> ComparisonSet:
        if self.measure is HOCKEY_STICK or isinstance(self.measure, Divergence | Condition):
            return family
        comparisons = family.comparisons
        if isinstance(comparisons, Columns):
            return replace(family, comparisons=replace(comparisons, measure=self.measure))
        return replace(
            family, comparisons=tuple(replace(comparison, measure=self.measure) for comparison in comparisons)
        )
