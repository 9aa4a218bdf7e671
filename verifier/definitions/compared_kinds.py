"""What definitions compare: the subjects of conventions by name, and what follows from them for each question.

Properties (acceptable, reducible, …) are subjects under their own names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from verifier.definitions.comparison import HOCKEY_STICK, AnyPair, Comparison, ComparisonSet
from verifier.definitions.measures.divergence import Condition, Divergence
from verifier.definitions.neighbour_pools import OnDemand
from verifier.definitions.verdict import TwoLaws, laws_on_two
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.model import Model
from verifier.model.model import need_distributions
from verifier.model.neighbours import NamedRelation

if TYPE_CHECKING:
    from verifier.definitions.definition import Definition, Measure
    from verifier.definitions.verdict import Question, Verdict

Compare: TypeAlias = Callable[[Engine, str], Iterator[ComparisonSet]]
"""What a definition compares on an engine's model, under a reading."""

CONDITIONAL, AVERAGE, COUNTERFACTUAL = "conditional", "conditional, on average", "counterfactual"
NEIGHBOURS, POSTERIOR, DEPENDENCY = "neighbours", "posterior", "dependency"
SIMULATOR, SIMULATED_BELIEFS = "simulator", "posterior, simulated"
ADDED_TUPLE, RECODING, TAILS = "neighbours by one tuple", "recodings of neighbours", "tail"
OF_SIZES = (ADDED_TUPLE, RECODING)
"""What is compared whose neighbours have another number of records."""
READS_POLICY = "definitions that read [policy]"
SCHEME = "scheme"
"""What definitions of DP22's scheme compare, and the kind of their witnesses."""
NOTHING_COMPARED = "nothing is compared: with what the attacker knows, only one sensitive value is ever possible"


class About(NamedTuple):
    """What a definition compares. Definitions with witnesses of one kind may compare different things."""

    subject: str
    """Its name: conventions are about it, and recipes of one's own may ask for it."""
    words: str = ""
    """What completes the sentence "It compares …"; empty where the four axes of DP22 have no words for it."""
    nothing: str = NOTHING_COMPARED
    """Why nothing is compared, where the verdict is vacuous."""


OF_SCHEME = About(SCHEME, nothing="nothing is compared: no two databases, or laws, are related")
"""What definitions of DP22's scheme compare."""


class Comparisons:
    """What a definition compares, and what follows from it; whoever asks about a definition asks here.

    `kind` is that of its witnesses. Pairs of laws are listed by calling it; an `Unlisted` one decides by itself.
    """

    kind: str
    about: About
    reads_policy: ClassVar[bool] = False
    """Whether it is one of DP22, which reads `[policy]`: that is a part of its question then, and the laws are made
    from databases; else from what is known, by names that an engine has laws of."""
    imitated: ClassVar[str] = ""
    """What a simulator is asked for, of which an answer brings a proof: `outputs` or `beliefs`; "" for none."""
    merges_outputs: ClassVar[bool] = False
    """Whether it compares laws of whole outputs, so that outputs of one ratio on all databases may be one."""

    @property
    def has_epsilon(self) -> bool:
        """Whether something is bounded by ε; a condition holds or not at the parameters of the file."""
        return True

    @property
    def replaces_a_record(self) -> bool:
        """Whether the value of a record is replaced."""
        return False

    def __call__(self, engine: Engine, reading: str) -> Iterator[ComparisonSet]:
        """List the comparisons on the engine's model."""
        raise NotImplementedError

    def relation(self, model: Model) -> NamedRelation | None:  # noqa: ARG002
        """What is a step from a database to its neighbours on a model; None where it compares something else."""
        return None

    def restricted_by_secrets(self, model: Model) -> bool:  # noqa: ARG002
        """Whether what `[sensitive]` protects plays a part in what is compared on a model."""
        return True

    def fits(self, definition: Definition, model: Model) -> None:
        """Refuse a model of other databases: of several sizes, where records or distributions are compared.

        Raises:
            UnsupportedError: with what the definition speaks of.

        """
        if model.sizes is None:
            if definition.needs_theta:
                need_distributions(model, "this definition")
            return
        if not definition.needs_theta:
            raise UnsupportedError(
                f"this compares databases of one size ({definition.source}), but the databases of this model are "
                f"multisets of {model.sizes[0]} to {model.sizes[1]} tuples",
                tip="dps adds and removes a tuple; without `sample` it is (ε, δ)-DP of LQS12, Definition 2",
            )
        need_distributions(model, "this")

    def on(self, definition: Definition, engine: Engine) -> Definition:  # noqa: ARG002
        """The definition as it reads on the engine's model."""
        return definition

    def measure_in(self, definition: Definition, engine: Engine, reading: str) -> Measure:  # noqa: ARG002
        """The measure, with the parameters that the model's `[policy]` gives."""
        return definition.measure

    def laws(self, model: Model, compared: Comparison, pair: AnyPair | None = None) -> TwoLaws | None:  # noqa: ARG002
        """The two laws of a comparison as data, of its `pair` where several stay together.

        A row of a scheme names them itself; else two databases do; None where nothing does.
        """
        if compared.row is not None:
            return compared.row.laws(model)
        return None if compared.databases is None else laws_on_two(model, compared.databases())

    def sets(self, definition: Definition, engine: Engine, reading: str) -> tuple[ComparisonSet, ...]:
        """All comparisons that are bounded, for each θ and sensitive attribute; made once for each engine."""
        measure, aggregation = definition.measure, definition.aggregation
        listed = engine.memo((self, reading), lambda: tuple(self(engine, reading)))
        return engine.memo(
            (self, measure, aggregation, reading),
            lambda: tuple(_measured(definition, one) for one in listed),
        )

    def qualified(self, question: Question, verdict: Verdict) -> Verdict:  # noqa: ARG002
        """The verdict on what is listed, with what else is asked or said of it."""
        return verdict


def _measured(definition: Definition, one: ComparisonSet) -> ComparisonSet:
    """The comparisons of a set that are bounded one by one, by the definition's measure."""
    comparisons, measure = one.comparisons, definition.measure
    if not isinstance(comparisons, OnDemand):  # these are neighbours, which have no knowledge values
        one = replace(one, comparisons=tuple(definition.aggregation.of(comparisons)))
    if measure is HOCKEY_STICK or isinstance(measure, Divergence | Condition):
        return one
    if isinstance(comparisons, OnDemand):
        return replace(one, comparisons=replace(comparisons, measure=measure))
    return replace(one, comparisons=tuple(replace(each, measure=measure) for each in one.comparisons))


@dataclass(frozen=True)
class Made(Comparisons):
    """The comparisons of a function that was made in Python."""

    kind: str
    about: About
    compare: Compare

    def laws(self, model: Model, compared: Comparison, pair: AnyPair | None = None) -> TwoLaws | None:  # noqa: ARG002
        """Nothing: what a function of one's own compares it alone knows."""
        return None

    def __call__(self, engine: Engine, reading: str) -> Iterator[ComparisonSet]:
        """List what the function lists."""
        return self.compare(engine, reading)


class Unlisted(Comparisons):
    """What is no list of pairs of laws: a procedure decides it, or nothing does."""

    procedure: ClassVar[str] = "Given laws."
    """What the procedure compares, as a sentence."""

    def refusal(self, definition: Definition) -> UnsupportedError:
        """Why no comparisons are listed."""
        return UnsupportedError(f"{definition.key} lists no pairs of laws; a procedure of its own decides it")

    def sets(self, definition: Definition, engine: Engine, reading: str) -> tuple[ComparisonSet, ...]:  # noqa: ARG002
        """There are no comparisons.

        Raises:
            UnsupportedError: always.

        """
        raise self.refusal(definition)

    def decide(self, question: Question) -> Verdict:
        """Decide a question by the procedure.

        Raises:
            UnsupportedError: where there is none.

        """
        raise self.refusal(question.definition)


@dataclass(frozen=True)
class Nothing(Unlisted):
    """What a definition compares that was made in Python without comparisons."""

    kind: str
    about: About

    def refusal(self, definition: Definition) -> UnsupportedError:
        """There are no comparisons, and nothing decides it."""
        return UnsupportedError(f"{definition.key} is not decided by this version", tip="pkdp definitions")


@dataclass(frozen=True)
class NotDecided(Unlisted):
    """What a definition compares that is named but not decided, with the reason."""

    undecided: str
    kind = SCHEME
    about = OF_SCHEME
    reads_policy = True

    def fits(self, definition: Definition, model: Model) -> None:
        """Refuse no model for its databases: no other would be decided."""

    def refusal(self, definition: Definition) -> UnsupportedError:  # noqa: ARG002
        """The reason."""
        return UnsupportedError(self.undecided)


def compared_by(definition: Definition) -> tuple[str, ...]:
    """The subjects of a definition: what it compares, and `tail` where it measures P[loss > ε].

    One's own definitions have no subjects: they name their readings themselves.
    """
    if definition.own:
        return ()
    subject = definition.about.subject
    compared = f"{subject}, on average" if definition.aggregation.averages else subject
    return (compared, TAILS) if definition.measure.key == TAILS else (compared,)
