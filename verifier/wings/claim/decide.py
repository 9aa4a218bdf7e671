"""`pk.claim`: a claim of privacy is asked of `check`, of a pair, of runs or of what is gained, and compared.

A claim is tight where what is claimed is the smallest that holds: at δ = 0 the ε, else the δ. Nothing is decided here:
every number comes from an answer, which the independent checker decides again where it does so elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from inspect import signature
from itertools import chain
from typing import Any

from verifier.definitions import Definition, Verdict, find
from verifier.definitions.comparison import HOCKEY_STICK, WORST, MeasurePair
from verifier.definitions.gain import Gain, gains
from verifier.engine import Engine
from verifier.errors import InputError, LimitError, NotInstalledError, UndecidedError, UnsupportedError, one_of
from verifier.model import Model, arguments
from verifier.model.field_words import field_word
from verifier.model.keys import meant
from verifier.model.neighbours import relation_on
from verifier.model.parameters import Family
from verifier.numbers import (
    ZERO,
    Delta,
    Epsilon,
    Function,
    Order,
    delta_bound,
    exact_text,
    log_epsilon,
    probability,
    simplest,
)
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.reals import Real
from verifier.numbers.reals import order as compare
from verifier.profile import Profile
from verifier.programs.draws import RealDrawError
from verifier.programs.runner import name_of
from verifier.questions.check import check
from verifier.questions.pair import Direction, read_order
from verifier.recheck import gain_unchecked
from verifier.show.witnesses import witness_words
from verifier.tables import label
from verifier.wings.claim.amounts import (
    ClaimedCurve,
    bends_of,
    beside,
    compare_tradeoffs,
    is_curve,
    lowest_tradeoff,
    read_number,
    read_points,
    read_tradeoff,
    real,
    returned,
)
from verifier.wings.claim.answer import (
    LOOSE,
    TIGHT,
    UNDECIDED,
    UNSUPPORTED,
    VACUOUS,
    VIOLATED,
    ClaimAnswer,
    ClaimPoint,
    ClaimUndecided,
    ClaimViolated,
    ClaimWitness,
    witness_of,
)
from verifier.wings.claim.message import real_draw_text
from verifier.wings.claim.relation import NEIGHBOURS, Compared, read_pairs, relation_named
from verifier.wings.claim.subject import Subject, subject_of
from verifier.wings.families.answer import epsilon_text
from verifier.wings.families.decide import decide_family
from verifier.wings.implications.compose.together import all_runs

ADVANTAGE, BEST_GUESS, POSTERIOR, TPR = QUANTITIES = ("advantage", "best-guess", "posterior", "tpr")
"""What an attacker gains, by the word of a claim."""
OF_NEIGHBOURS = ("dp", "adp", "bodp", "ubodp")
"""The definitions that are one here, with the relation beside it."""
LISTED = "psdp"
"""The definition that compares listed pairs of databases."""
NOUNS = {"zcodp": "ρ", "gaussdp": "μ"}
"""What the ε of some definitions is called in claims of them."""
ASKING = ("epsilon", "delta", "order", "rho", "mu", "tradeoff", "at_most", "fpr", "prior", "at", "parameters", "runs")
"""The words that say what is claimed."""
WITHOUT_NUMBER = {VACUOUS, UNDECIDED, UNSUPPORTED}
"""The verdicts on a model with which nothing is compared: they are those on the claim."""
OF_AMOUNTS = {"rho": "zcodp", "mu": "gaussdp", "order": "renyidp", "tradeoff": "fdp"}
"""The definition that has an amount of its own."""


@dataclass(frozen=True)
class ClaimQuestion:
    """A claim with all that is said of it, as `claim` takes it."""

    mechanism: Any
    definition: Any = "dp"
    epsilon: Any = None
    delta: Any = None
    rho: Any = None
    order: Any = None
    mu: Any = None
    tradeoff: Any = None
    values: Any = None
    size: Any = None
    databases: Any = None
    relation: Any = None
    absent: Any = None
    distance: Any = 1
    pairs: Any = None
    graph: Any = None
    distribution: Any = None
    knowledge: Any = None
    sensitive: Any = None
    policy: Any = None
    parameters: Any = None
    runs: Any = 1
    at_most: Any = None
    prior: Any = None
    fpr: Any = None
    at: Any = None
    name: str | None = None

    # --- what is asked ---------------------------------------------------------------------------------------------

    @cached_property
    def found(self) -> Definition | None:
        """The definition; None for what an attacker gains.

        Raises:
            InputError: for an unknown word, and for an amount that belongs to another definition.

        """
        if isinstance(self.definition, str) and self.definition in QUANTITIES:
            return None
        found = definition_of(self.definition)
        for amount, key in OF_AMOUNTS.items():
            if getattr(self, amount) is not None and found.key != key:
                wanted = f'claim(m, "{find(key).aliases[0] if find(key).aliases else key}", {amount}=…)'
                raise InputError(f"{found.key} has no {amount}", where=amount, wanted=wanted)
        return found

    @cached_property
    def listed_pairs(self) -> list[tuple[Any, Any]] | None:
        """The pairs of databases that are given."""
        return None if self.pairs is None else read_pairs(self.pairs)

    @cached_property
    def subject(self) -> Subject:
        """What the claim is about."""
        found = subject_of(
            self.mechanism,
            values=self.values,
            size=self.size,
            databases=self.databases,
            pairs=self.listed_pairs,
            free=arguments.table("of parameters")({} if self.parameters is None else self.parameters, "parameters"),
        )
        return found if self.name is None else replace(found, name=self.name)

    @cached_property
    def of_neighbours(self) -> bool:
        """Whether neighbours are compared, by the definition that the relation says."""
        return self.found is None or self.found.key in OF_NEIGHBOURS

    @cached_property
    def compared(self) -> Compared:
        """Which pairs of databases are compared."""
        distance = arguments.number(1)(self.distance, "distance")
        several = distance > 1 or self.graph is not None or self.subject.among is not None
        relation = relation_named(self.relation, self.absent) if self.relation or self.absent is not None else None
        if relation is None and self.found is not None and self.found.key == "ubodp":
            relation = relation_named("unbounded")
        if relation is None and several and self.pairs is None:
            relation = relation_named(None)
        graph = None if self.graph is None else arguments.several("edges")(self.graph, "graph")
        return Compared(relation, self.absent, distance, self.listed_pairs, graph)

    @cached_property
    def key(self) -> str:
        """The key of the definition that is asked."""
        listed = self.compared.is_listed or self.subject.among is not None
        if not self.of_neighbours and self.found is not None:
            if listed:
                problem = f"{self.found.key} is asked of all neighbours, and pairs, a graph, or a distance are given"
                raise UnsupportedError(problem, wanted="dp, or databases that are all of one size")
            return self.found.key
        if listed:
            return LISTED
        if self.compared.relation is None:
            return "dp" if self.found is None else self.found.key
        return self.compared.key

    @cached_property
    def model(self) -> Model | Family:
        """The model of which it is asked."""
        _ = self.key  # what is not asked of listed pairs is refused first
        others = {
            name: value
            for name in ("distribution", "knowledge", "sensitive", "parameters")
            if (value := getattr(self, name)) is not None
        }
        if self.prior is not None or (self.definition == TPR and self._has_one_record):
            others["distribution"] = {"iid": self._prior}
        policy = dict(arguments.table("of parameters")({} if self.policy is None else self.policy, "policy"))
        if self.order is not None and not isinstance(self.order, Mapping):
            policy["order"] = read_order(self.order)
        if self.tradeoff is not None:
            policy["tradeoff"] = [list(vertex) for vertex in read_tradeoff(self.tradeoff)]
        if policy:
            others["policy"] = policy
        made = self.subject.made(self.compared, others)
        other = None if self.of_neighbours or self.compared.relation is None else self.found
        if other and isinstance(made, Model) and other.comparisons.relation(made) is None:
            problem = f"{other.key} compares no neighbours"
            raise InputError(problem, where="relation", wanted="no relation", tip="dp compares neighbours")
        return made

    @property
    def _has_one_record(self) -> bool:
        tables = self.subject.tables
        return tables["size"] == 1 and not tables.get("distribution") and self.key == "dp" and self.distribution is None

    @property
    def _prior(self) -> Any:
        """The prior of the only record: the given one, else the uniform one."""
        if self.distribution is not None:
            raise InputError("prior and distribution are given together", where="prior", wanted="one of them")
        if self.subject.tables["size"] != 1:
            problem = "prior is of the value of one record, and the databases have more"
            raise InputError(problem, where="prior", wanted="distribution=…, knowledge=…, sensitive=…")
        if self.prior is not None:
            return arguments.table("from values to probabilities")(self.prior, "prior")
        values = self.subject.tables["values"]
        return {value: Fraction(1, len(values)) for value in values}

    # --- the answer ------------------------------------------------------------------------------------------------

    def refuse_nonsense(self) -> None:
        """Refuse what can be refused before anything runs: a word, a number or a relation that is none."""
        _ = self.found, self.listed_pairs, arguments.optional(arguments.text)(self.name, "name")
        if self.relation is not None or self.absent is not None:
            relation_named(self.relation, self.absent)
        arguments.number(1)(self.distance, "distance")
        arguments.number(1)(self.runs, "runs")
        if self.tradeoff is not None:
            read_tradeoff(self.tradeoff)
        for name in ("rho", "mu"):
            if getattr(self, name) is not None:
                read_number(getattr(self, name), name)
        for name in ("at_most", "fpr"):
            if getattr(self, name) is not None:
                probability(getattr(self, name), name)
        if self.epsilon is not None and self.parameters is None and not isinstance(self.epsilon, Mapping):
            read_number(self.epsilon, "epsilon")
        if isinstance(self.delta, Mapping):
            read_points(self.delta, "delta")
        elif is_curve(self.delta):
            ClaimedCurve.read(self.delta, "delta")
        elif self.delta is not None and not callable(self.delta):
            delta_bound(self.delta)

        self._refuse_together()

    def _refuse_together(self) -> None:
        """Refuse words of two kinds of claims, of which one would say nothing."""
        plain = {"epsilon", "delta", "order"}
        kinds = (  # whether it is that kind, its words, and what it is
            (self.found is None, {"at_most", "prior", *(["fpr"] if self.definition == TPR else [])}, self.definition),
            (self.tradeoff is not None, {"tradeoff"}, "a trade-off curve"),
            (isinstance(self.epsilon, Mapping), {"epsilon"}, "an ε for each order"),
            (self._is_curve, {"delta", "at"}, "a δ(ε)"),
            (self.parameters is not None, {"epsilon", "delta", "parameters"}, "every value of a parameter"),
            (self.runs != 1, {"epsilon", "delta", "runs"}, "several runs"),
            (self.rho is not None, {"rho"}, "a ρ"),
            (self.mu is not None, {"mu"}, "a μ"),
            (True, plain if self.of_neighbours else {*plain, "prior"}, f"a claim of {self.definition}"),
        )
        words, what = next((words, what) for is_one, words, what in kinds if is_one)
        for name in ASKING:
            is_given = self.runs != 1 if name == "runs" else getattr(self, name) is not None
            if is_given and name not in words:
                raise InputError(f"{name} is given with {what}", where=name, wanted="the words of one claim")

    @property
    def _is_curve(self) -> bool:
        """Whether a δ is claimed at more than one ε."""
        return isinstance(self.delta, Mapping) or is_curve(self.delta) or callable(self.delta)

    def answer(self) -> ClaimAnswer:
        """The answer; what is undecided, unsupported or too large has its reason.

        Raises:
            InputError: for a question that is none.

        """
        self.refuse_nonsense()
        said = self.definition if isinstance(self.definition, str) else definition_of(self.definition).key
        named = name_of(self.mechanism) if callable(self.mechanism) else "the mechanism"
        blank = ClaimAnswer(self.name or named, said, UNDECIDED, self._echo(self._bound), self._echo(self.delta))
        try:
            blank = replace(blank, name=self.subject.name)
            return self._decided(blank)
        except RealDrawError as error:
            return replace(blank, reason=real_draw_text(error))
        except (LimitError, UndecidedError, NotInstalledError) as error:
            return replace(blank, reason=str(error))
        except UnsupportedError as error:
            return replace(blank, verdict=UNSUPPORTED, reason=str(error))

    @staticmethod
    def _echo(value: Any) -> Any:
        """What was claimed, as it is named in a message that has no numbers."""
        return None if value is None else str(value)

    @property
    def _bound(self) -> Any:
        """The claimed number: ε, ρ, μ, or the largest gain."""
        return next((one for one in (self.epsilon, self.rho, self.mu, self.at_most) if one is not None), None)

    def _decided(self, blank: ClaimAnswer) -> ClaimAnswer:
        model = self.model
        words = self._relation_words(model)
        again = self._again if self.of_neighbours else None
        blank = replace(blank, scope=self.subject.scope, relation=words, again=again)
        if isinstance(model, Family):
            return self._family(model, blank)
        if self.found is None:
            return self._quantity(model, blank)
        if not words and model.thetas:
            blank = replace(blank, scope=f"{blank.scope}, with what is given of their law and of what is known")
        if self.tradeoff is not None or self.found.key == "fdp":
            return self._tradeoff(model, blank)
        if isinstance(self.epsilon, Mapping):
            return self._orders(blank)
        if isinstance(self.delta, Mapping):
            return self._at_points(model, blank, read_points(self.delta, "delta"))
        if is_curve(self.delta):
            return self._curve(model, blank)
        if callable(self.delta):
            return self._function(model, blank)
        if self.runs != 1:
            return self._runs(model, blank)
        return self._number(model, blank)

    def _relation_words(self, model: Model | Family) -> str:
        """How two databases differ, in words; empty for a definition that compares no databases."""
        if self.subject.laws and self.of_neighbours:
            return "between the two laws"
        member = model.general if isinstance(model, Family) else model
        of_one = find(self.key).comparisons.relation(member)
        if self.subject.keyed is not None and self.pairs is None and of_one is not None:
            return "between any two rows of the table"
        if self.compared.relation is not None:
            return self.compared.words(relation_on(member, NEIGHBOURS[self.compared.relation]).words)
        if self.pairs is not None:
            return self.compared.words("")
        return "" if of_one is None else self.compared.words(of_one.words)

    def _again(self, **changes: Any) -> ClaimAnswer:
        return replace(self, **changes).answer()

    @cached_property
    def _delta(self) -> Fraction:
        return delta_bound(0 if self.delta is None else self.delta)

    def _with(self, blank: ClaimAnswer, verdict: Verdict, /, **changes: Any) -> ClaimAnswer:
        """The answer with the numbers of an answer about the model, and its witness."""
        shown, witness = verdict.witness, None
        if shown is not None:
            plain = shown.databases is not None and shown.measure == HOCKEY_STICK.key
            key, asked = verdict.definition, verdict.epsilon
            words = "" if plain else witness_words(shown, model=verdict.model, definition=key, asked=asked)
            witness = witness_of(shown, self.subject.keyed, words)
        filled = replace(
            blank,
            verdict=verdict.verdict,
            tight_epsilon=verdict.tight_epsilon,
            tight_delta=verdict.tight_delta,
            advantage=self._advantage(verdict),
            witness=witness,
            comparisons=self._number_of_pairs(verdict),
            reason=verdict.reason or "",
            replayed=verdict.replayed,
            answer=verdict,
        )
        return replace(filled, **changes)

    @staticmethod
    def _advantage(verdict: Verdict) -> Fraction | None:
        """The largest total variation distance of two laws: δ at ε = 0, where δ is that of whole outputs.

        None of a tail, of an average over what is known, and of what compares beliefs or multiples of ε.
        """
        definition = find(verdict.definition)
        worst = definition.aggregation is WORST and getattr(definition.comparisons, "aggregation", "worst") == "worst"
        if verdict.verdict == VACUOUS or not (worst and definition.comparisons.merges_outputs):
            return None
        if definition.measure_in(Engine(verdict.model)) is not HOCKEY_STICK:
            return None
        at_zero = verdict.delta_or_none(ZERO)
        return at_zero.a if isinstance(at_zero, Delta) else None

    @staticmethod
    def _number_of_pairs(verdict: Verdict) -> int:
        """How many ordered pairs are compared; of listed ones those with equal laws are counted, too."""
        listed = verdict.model.policy.distance if verdict.definition == LISTED else None
        return (
            2 * len(listed) if listed and not isinstance(listed, str) else verdict.multiplicity or verdict.comparisons
        )

    def _number(self, model: Model, blank: ClaimAnswer) -> ClaimAnswer:
        """A claim of one ε at one δ, or of the number that stands in the place of ε."""
        raw = self._bound
        where = "epsilon" if self.epsilon is not None else "rho" if self.rho is not None else "mu"
        claimed = None if raw is None else read_number(raw, where)
        asked = claimed if isinstance(claimed, Epsilon) else None
        verdict = check(model, self.key, epsilon=asked, delta=self._delta)
        has_delta = not self._is_number(verdict)
        noun = NOUNS.get(verdict.definition, "")
        blank = replace(
            blank,
            noun=noun,
            epsilon=claimed if asked is not None or claimed is None else str(raw),
            delta=self._delta if has_delta else None,
            claims_nothing=raw is None,
        )
        if verdict.verdict in WITHOUT_NUMBER:
            return self._with(blank, verdict)
        if claimed is None:
            return self._with(blank, verdict, verdict=TIGHT, witness=None, tight_delta=None)
        if has_delta and asked is not None:
            smallest = verdict.tight_delta if self._delta else verdict.tight_epsilon
            bound: Any = self._delta or asked
            word = VIOLATED if verdict.verdict == "fails" else TIGHT if smallest == bound else LOOSE
            return self._with(blank, verdict, verdict=word)
        return self._against(model, blank, verdict, claimed)

    @staticmethod
    def _is_number(verdict: Verdict) -> bool:
        """Whether a definition bounds a number, and has no δ."""
        return verdict.tight_delta is None and verdict.delta_or_none(ZERO) is None

    def _against(self, model: Model, blank: ClaimAnswer, verdict: Verdict, claimed: Real) -> ClaimAnswer:
        """A number that is known exactly, or enclosed, against one that is claimed."""
        found = verdict.tight_epsilon
        if found is None:
            return self._with(blank, verdict, verdict=UNDECIDED)
        value = found if blank.noun else None
        compared = compare(real(found), claimed)
        if compared is Order.UNDECIDED:
            reason = "the claimed number lies in the enclosure of the truth"
            return self._with(blank, verdict, verdict=UNDECIDED, reason=reason, value=value)
        if compared is not Order.GREATER:
            word = TIGHT if compared is Order.EQUAL else LOOSE
            return self._with(blank, verdict, verdict=word, value=value)
        if verdict.witness is None and not (isinstance(found, Epsilon) and found.is_infinite):
            low, high = claimed.bracket(64)[1], real(found).bracket(64)[0]
            if low < high:
                verdict = check(model, self.key, epsilon=simplest(low, high), delta=self._delta)
        return self._with(blank, verdict, verdict=VIOLATED, value=value, tight_delta=None)

    # --- curves ----------------------------------------------------------------------------------------------------

    def _orders(self, blank: ClaimAnswer) -> ClaimAnswer:
        """Rényi divergences of several orders."""
        if self.found is None or self.found.key != "renyidp":
            wanted = 'one ε; of rdp {2: "ln(7/3)", 8: "1"}, an ε for each order'
            raise InputError(f"{self.definition} has one ε", where="epsilon", wanted=wanted)
        table = arguments.table("{order: ε}")(self.epsilon, "epsilon")
        answers = [(order, replace(self, epsilon=bound, order=order).answer()) for order, bound in table.items()]
        if not answers:
            raise InputError("there is no order", where="epsilon", wanted='{2: "ln(7/3)"}')
        points = tuple(
            ClaimPoint(f"order {order}", one.epsilon, one.tight_epsilon, _holds(one.verdict)) for order, one in answers
        )
        first = _worst([one for _, one in answers])
        kept = replace(first, name=blank.name, epsilon=None, points=points, tight_epsilon=None, reason=first.reason)
        return replace(kept, verdict=_of_points(points, first.verdict))

    def _at_points(self, model: Model, blank: ClaimAnswer, asked: Sequence[tuple[Epsilon, Fraction]]) -> ClaimAnswer:
        """δ at some ε, each decided and re-checked."""
        engine = Engine(model)
        verdicts = [check(model, self.key, epsilon=epsilon, delta=delta, engine=engine) for epsilon, delta in asked]
        points = tuple(
            ClaimPoint(epsilon, delta, one.tight_delta, _holds(one.verdict))
            for (epsilon, delta), one in zip(asked, verdicts, strict=True)
        )
        first = next((one for one in verdicts if one.verdict == "fails"), verdicts[0])
        answer = self._with(replace(blank, delta=None), first, points=points, tight_epsilon=None, tight_delta=None)
        replayed = True if all(one.replayed for one in verdicts) else None
        at = first.epsilon, first.delta
        return replace(answer, verdict=_of_points(points, first.verdict), replayed=replayed, witness_at=at)

    def _curve(self, model: Model, blank: ClaimAnswer) -> ClaimAnswer:
        """δ at every ε, in pieces that are straight in e^ε."""
        claimed = ClaimedCurve.read(self.delta, "delta")
        blank = replace(blank, delta=claimed.text)
        verdict, truth = self._profile(model)
        if truth is None:
            return self._with(blank, verdict)
        found = beside(claimed, truth)
        if found.below is None:
            word = TIGHT if found.equal else LOOSE
            return self._with(blank, verdict, verdict=word, tight_epsilon=None)
        point = log_epsilon(found.inside), min(claimed.at(found.inside), Fraction(1))
        when = "already at" if found.inside == 1 else "after"
        reason = f"the claim is below the truth {when} ε = {found.below.text(60)}"
        return replace(self._at_points(model, blank, [point]), delta=blank.delta, reason=reason)

    def _profile(self, model: Model) -> tuple[Verdict, Profile | None]:
        verdict = check(model, self.key)
        if verdict.verdict in WITHOUT_NUMBER:
            return verdict, None
        truth = verdict.profile
        if not isinstance(truth, Profile):
            raise UnsupportedError(f"{self.key} has no δ(ε) in pieces", wanted="a definition with a privacy profile")
        return verdict, truth

    def _function(self, model: Model, blank: ClaimAnswer) -> ClaimAnswer:
        """δ at every ε as a Python function: asked where the truth bends, and at `at`."""
        verdict, truth = self._profile(model)
        blank = replace(blank, delta="a function of ε")
        if truth is None:
            return self._with(blank, verdict)
        more = [] if self.at is None else [read_epsilon(one, "at") for one in arguments.several("ε")(self.at, "at")]
        places = list(dict.fromkeys([*bends_of(truth), *more]))
        asked = [(place, returned(self.delta(place), f"delta at ε = {place}")) for place in places]
        answer = self._at_points(model, blank, asked)
        word = f"checked at {len(asked)} points" if answer.verdict in {TIGHT, LOOSE} else answer.verdict
        return replace(answer, verdict=word, delta=blank.delta)

    def _tradeoff(self, model: Model, blank: ClaimAnswer) -> ClaimAnswer:
        """A trade-off curve that no test is below."""
        if self.tradeoff is None:
            raise InputError("fdp needs a curve", where="tradeoff", wanted='[("0", "1"), ("1/3", "1/3"), ("1", "0")]')
        claimed = read_tradeoff(self.tradeoff)
        verdict = check(model, "fdp")
        if verdict.verdict in WITHOUT_NUMBER:
            return self._with(blank, verdict)
        truth = lowest_tradeoff(way.trade_off for way in self._directions(model))
        above, equal = compare_tradeoffs(claimed, truth)
        word = VIOLATED if verdict.verdict == "fails" else TIGHT if equal else LOOSE
        reason = ""
        if above is not None:
            alpha, beta = (exact_text(x, 60) for x in above)
            reason = f"the claim is above the truth at α = {alpha}, where β = {beta} is attained"
        return self._with(blank, verdict, verdict=word, tradeoff=truth, reason=reason)

    def _directions(self, model: Model) -> Iterator[Direction]:
        """The laws of each ordered pair of neighbours."""
        engine = Engine(model)
        definition = find("adp" if not self.of_neighbours else self.key)
        definition.applies(engine)
        sets = definition.on(engine).sets(engine, "default")
        for comparison in chain.from_iterable(each.comparisons for each in sets):
            yield Direction("", MeasurePair.of(comparison.terms[0].pair))

    def _runs(self, model: Model, blank: ClaimAnswer) -> ClaimAnswer:
        """Several runs together, on one database."""
        claimed = None if self.epsilon is None else read_epsilon(self.epsilon, "epsilon")
        epsilons = [] if claimed is None else [claimed]
        answer = all_runs(model, self.runs, definitions=[self.key], deltas=[self._delta], epsilons=epsilons)
        found = answer.definitions[0]
        blank = replace(
            blank,
            epsilon=claimed,
            delta=self._delta,
            reason=found.reason or "",
            replayed=found.replayed,
            runs=self.runs,
            claims_nothing=claimed is None,
        )
        if found.verdict != "computed":
            return replace(blank, verdict=found.verdict)
        tight, databases = found.epsilons[0].value, found.epsilons[0].databases
        at_zero = found.profile.delta(ZERO) if isinstance(found.profile, Profile) else None
        blank = replace(blank, tight_epsilon=tight, advantage=None if at_zero is None else at_zero.a)
        if claimed is None:
            return replace(blank, verdict=TIGHT)
        point = found.deltas[0]
        holds = point.value <= self._delta
        equal = point.value == self._delta if self._delta else tight == claimed
        word = VIOLATED if not holds else TIGHT if equal else LOOSE
        two = point.databases or databases
        witness = None
        if not holds and two is not None:
            shown = two if self.subject.keyed is None else [self.subject.keyed[label(one[0]).text] for one in two]
            witness = ClaimWitness((shown[0], shown[1]), (), None)
        return replace(blank, verdict=word, tight_delta=point.value, witness=witness)

    # --- what an attacker gains ------------------------------------------------------------------------------------

    def _quantity(self, model: Model, blank: ClaimAnswer) -> ClaimAnswer:
        """An advantage, a best guess, a posterior or a true positive rate, at most so much."""
        most = None if self.at_most is None else probability(self.at_most, "at_most")
        noun = self.definition if self.fpr is None else f"{self.definition} at {self.fpr} false positives"
        blank = replace(blank, epsilon=most, delta=None, noun=str(self.definition))
        blank = replace(blank, quantity=noun, claims_nothing=most is None)
        if self.definition == ADVANTAGE and not model.thetas:
            verdict = check(model, self.key, epsilon=ZERO, delta=0 if most is None else most)
            if verdict.verdict in WITHOUT_NUMBER:
                return self._with(blank, verdict)
            answer = self._with(blank, verdict, tight_epsilon=None, witness_at=(ZERO, verdict.delta))
            return self._bounded(answer, answer.advantage or Fraction(0), most)
        if self.definition == TPR and not model.thetas:
            rate = probability(0 if self.fpr is None else self.fpr, "fpr")
            pairs = list(self._directions(model))
            value = max((way.tpr(rate) for way in pairs), default=rate)
            return self._bounded(replace(blank, comparisons=len(pairs)), value, most)
        if not model.thetas:
            raise InputError(
                f"{self.definition} depends on how probable the values are",
                where="prior",
                wanted='prior={0: "1/2", 1: "1/2"} of one record, or distribution=…, knowledge=…, sensitive=…',
            )
        engine = Engine(model)
        rates = [] if self.fpr is None else [probability(self.fpr, "fpr")]
        gained = gains(engine, rates)
        if self.definition != POSTERIOR:
            gained = tuple(replace(one, posteriors=None) for one in gained)
        blank = replace(blank, replayed=True if not gain_unchecked(gained, engine) else None, relation="")
        return self._bounded(blank, max(_gained(self.definition, one, rates) for one in gained), most)

    @staticmethod
    def _bounded(answer: ClaimAnswer, value: Fraction, most: Fraction | None) -> ClaimAnswer:
        word = VIOLATED if most is not None and value > most else TIGHT if most in {None, value} else LOOSE
        return replace(answer, value=value, verdict=word)

    def _family(self, family: Family, blank: ClaimAnswer) -> ClaimAnswer:
        """Every value of a parameter at once."""
        definition = find(self.key)
        found = decide_family(family, definition, epsilon=self.epsilon, delta=self._delta)
        blank = replace(blank, delta=self._delta, reason=found.reason)
        if found.verdict in WITHOUT_NUMBER:
            return replace(blank, verdict=found.verdict)
        if found.verdict == "fails" and found.witness is not None:
            value, verdict = found.witness
            text = f"it fails for {found.text('fails')}; the witness is at {found.name} = {exact_text(value)}"
            at = verdict.epsilon, verdict.delta
            return self._with(blank, verdict, verdict=VIOLATED, reason=text, witness_at=at, answer=None)
        factor = None if found.factor is None else found.factor.number_or_function
        pieces = found.tight_epsilon or ()
        tight = isinstance(factor, Function) and all(
            one.value is not None and one.value.a == factor and found.unit == 1 for one in pieces
        )
        texts = [(epsilon_text(found, piece), piece.where.text(found.name)) for piece in pieces]
        several = len(texts) > 1
        smallest = "; ".join(f"{text} for {where}" if several else text for text, where in texts)
        word = TIGHT if self.epsilon is None or (tight and pieces and not self._delta) else LOOSE
        return replace(blank, verdict=word, tight_epsilon=smallest, claims_nothing=self.epsilon is None)


def _gained(word: str, gain: Gain, rates: Sequence[Fraction]) -> Fraction:
    """One of the numbers of what an attacker gains.

    Raises:
        LimitError: for posteriors of too many outputs.
        InputError: for a true positive rate without a false positive rate.

    """
    if word == ADVANTAGE:
        return gain.advantage
    if word == BEST_GUESS:
        return gain.success
    if word == TPR:
        if not rates:
            raise InputError("fpr is missing", where="fpr", wanted='the rate of false positives, such as "1/100"')
        return gain.true_positive_rates[rates[0]]
    if gain.posteriors is None:
        raise LimitError("there are too many outputs for a posterior of each", wanted="fewer outputs")
    return max(chance for seen in gain.posteriors for chance in seen.posterior.values())


def _holds(verdict: str) -> bool | None:
    """Whether one of several points holds; None where it is undecided."""
    if verdict in {UNDECIDED, UNSUPPORTED}:
        return None
    return verdict not in {"fails", VIOLATED}


def _of_points(points: Sequence[ClaimPoint], word: str) -> str:
    """The word of a claim about several points; `word` is that of the first that is no ordinary one."""
    if any(point.holds is False for point in points):
        return VIOLATED
    if any(point.holds is None for point in points) or word == VACUOUS:
        return word if word in {UNSUPPORTED, VACUOUS} else UNDECIDED
    return TIGHT if all(point.truth == point.claimed for point in points) else LOOSE


def _worst(answers: Sequence[ClaimAnswer]) -> ClaimAnswer:
    """The first that is violated, else the first that is not decided, else the first."""
    for word in (VIOLATED, UNDECIDED, UNSUPPORTED):
        found = next((one for one in answers if one.verdict == word), None)
        if found is not None:
            return found
    return answers[0]


def definition_of(word: object) -> Definition:
    """The definition with a name, ours or the field's: `bounded-dp`, `group-privacy`.

    >>> [definition_of(word).key for word in ("dp", "zcdp", "Gaussian DP", "unbounded-dp")]
    ['dp', 'zcodp', 'gaussdp', 'ubodp']

    Raises:
        InputError: for a name that is none.

    """
    entry = field_word(word) if isinstance(word, str) else None
    if entry is not None and entry.about == "definition" and entry.definition:
        return find(entry.definition)
    try:
        return find(word)
    except InputError as error:
        wanted = f"{error.wanted}, or one of {', '.join(QUANTITIES)}"
        raise error.but(where="definition", wanted=wanted) from None


def claim(
    mechanism: Any, definition: Any = "dp", *, tight: bool = False, raises: bool = True, **words: Any
) -> ClaimAnswer:
    """Decide a claim of privacy, as a test says it: pass, or fail with the exact truth and an attack.

    Args:
        mechanism: a function of a database and a generator `(db, rng)`, a function of a database that returns its law,
            a model, a model file, a pair of laws, a table `{database: {output: probability}}`, or a data frame.
        definition: any that `check` takes, or `advantage`, `best-guess`, `posterior`, `tpr`.
        **words: what is claimed, and about which databases, as follows.
        epsilon: the claimed ε; of `rdp` also `{order: ε}`. Nothing claimed: the answer is the truth.
        delta: the claimed δ; `{ε: δ}`; a formula in e^ε or a profile, for every ε; or a function of ε.
        rho: the claimed ρ of `zcdp`.
        order: the order α of `rdp`.
        mu: the claimed μ of `gdp`.
        tradeoff: the vertices (α, β) that `fdp` claims.
        values: the values of a record, with `size`.
        size: how many records, or `[from, to]`; 1 where it is left out.
        databases: the databases, in place of `values`.
        relation: how two databases differ: `replace-one`, `add-or-remove-one`, or a library's word.
        absent: the value of a record that is not there, with `replace-special`.
        distance: how many steps lead from one database to the other.
        pairs: the pairs of databases that are compared, in both orders.
        graph: edges between values: a record is replaced along them.
        distribution: as in `build`, with a definition that has a θ.
        knowledge: as in `build`.
        sensitive: as in `build`.
        policy: as in `build`, for what the definition needs besides.
        parameters: as in a model file: the claim is about every value of a parameter.
        runs: how many independent runs there are.
        tight: whether a claim that holds loosely, or is vacuous, is a failure.
        raises: whether a violated or undecided claim raises.
        at_most: the most of what an attacker gains.
        prior: the probability of each value of the only record.
        fpr: the false positive rate of `tpr`.
        at: the ε at which a δ that is a function is asked besides.
        name: what the message calls it.

    >>> def response(db, rng):
    ...     return db[0] if rng.flip("3/4") or rng.flip("3/4") else 1 - db[0]
    >>> answer = claim(response, "dp", epsilon="ln(15)", values=[0, 1])
    >>> answer.verdict, answer.tight_epsilon, answer.advantage
    ('holds, tight', <Epsilon ln(15)>, Fraction(7, 8))

    Raises:
        ClaimViolated: an AssertionError, where the claim is violated.
        ClaimUndecided: where it is undecided, unsupported or too large; no AssertionError.
        InputError: for a question that is none.

    """
    __tracebackhide__ = True  # pytest shows the line of the test
    stranger = next((word for word in words if word not in QUESTION), None)
    if stranger is not None:
        known = [*list(QUESTION)[2:], "tight", "raises"]
        raise InputError(
            f"{stranger} is unknown", where="claim", wanted=one_of(known, stranger), tip=meant(stranger, known)
        )
    answer = ClaimQuestion(mechanism, definition, **words).answer()
    if arguments.flag(raises, "raises"):
        if answer.verdict in {UNDECIDED, UNSUPPORTED}:
            raise ClaimUndecided(answer.reason, answer=answer)
        if answer.verdict == VIOLATED or (arguments.flag(tight, "tight") and answer.verdict != TIGHT):
            raise ClaimViolated(answer)
    return answer


QUESTION = signature(ClaimQuestion).parameters
"""What a claim may say, by its words."""
vars(claim)["__signature__"] = signature(claim).replace(  # so that help() lists them all
    parameters=[
        *(one.replace(kind=one.KEYWORD_ONLY if place > 1 else one.kind) for place, one in enumerate(QUESTION.values())),
        *(signature(claim).parameters[name] for name in ("tight", "raises")),
    ]
)
