"""The judge of every answer: the verdict, the smallest ε and δ, and what the answer shows, from all that is compared.

An answer about a model names a definition; what that compares is derived from the tables of the certificate (`laws`,
`survey`, `engines`), and judged here:

- no comparison needs more than the claimed ε, and one needs it (of `all but γ`: more than a share γ of them);
- at the asked ε no comparison needs more than the claimed δ, and one needs it;
- the comparison that the answer shows attains that, by the event that it lists: P and Q of the event are added up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.checker import Beyond, Rejected, laws, measures, reading, require, require_equal, require_fields
from verifier.checker.laws import DEFINITIONS, Compared, Law, Pair, Row, Tables, Weighted, total_of
from verifier.checker.measures import Curve, Line, Measure, Scalar, power
from verifier.checker.numbers import ONE, ZERO, Exponential, Written, delta, ends, epsilon, number

Evidence: TypeAlias = dict[str, Any]
IMITATED, INFERRED = ("zkpr", "czkpr", "cwpr", "typst"), "ibcwpr"
"""The definitions of DP22 with a simulator of outputs,
and the one with a simulator that leaves the same beliefs (`simulators`)."""
READINGS = {"zkpr": ("default", "in-place")}
"""The readings of the survey's definitions that have several."""
EVENT = ("event", "probability_a", "probability_b")
"""The fields of evidence about an event."""


@reading("the certificate is malformed")
def replay(certificate: Mapping[str, Any]) -> None:
    """Derive the answer of a certificate again, and compare.

    Raises:
        Rejected: where the answer does not follow, with the reason.
        Beyond: where it needs longer numbers than the checker computes.

    """
    question, engine = certificate["question"], certificate.get("engine", "table")
    require(number(question["delta"]) <= 1, "δ is more than 1")
    if question["epsilon"] is not None:
        Exponential(question["epsilon"])
    if engine == "laws":
        from verifier.checker.engines.own import check as check_own

        check_own(certificate)
    elif engine == "schemes":
        judge_survey(certificate)
    else:
        _of_the_texts(certificate, engine)


# --- the definitions of the texts -------------------------------------------------------------------------------------


def _of_the_texts(certificate: Mapping[str, Any], engine: str) -> None:
    """An answer about a definition of DMKB20 or LQS12: from tables, from sums, or for databases of several sizes."""
    question, answer = certificate["question"], certificate["answer"]
    definition = DEFINITIONS.get(question["definition"])
    if definition is None or question["reading"] not in definition.readings:
        raise Rejected(f"the checker does not know {question['definition']} in the reading {question['reading']}")
    of_sizes = definition.compares in {laws.ONE_MORE, laws.RECODINGS}
    require((engine == "sizes") == of_sizes, "of these, dps and safe alone are about databases of several sizes")
    if engine == "sizes":
        from verifier.checker.engines.sizes import check as check_sizes

        check_sizes(certificate)
        return
    if engine != "table":
        from verifier.checker.engines.sums import check as check_sums

        check_sums(certificate)
        return
    if definition.compares in laws.REPLACING and certificate["secrets"] == ["S"]:
        raise Rejected(f"{question['definition']} is about records, and the model protects a function of the database")
    tables = Tables(certificate)
    if definition.compares == laws.SIMULATOR:
        from verifier.checker.simulators.centres import check_simulator

        check_simulator(certificate, tables)
        return
    if definition.compares == laws.SIMULATED_BELIEFS:
        from verifier.checker.simulators.beliefs import check_posteriors

        check_posteriors(certificate, tables)
        return
    families = list(tables.families(definition, question["reading"]))
    compared = [comparison for family in families for comparison in family]
    require_fields(answer, comparisons=len({_lumped(comparison) for comparison in compared}))
    require_equal("multiplicity (comparisons before lumping)", answer["multiplicity"], len(compared))
    require_fields(answer, empty=sum(1 for family in families if not family))
    judge(certificate, compared)


def _lumped(comparison: Compared) -> object:
    """The key by which comparisons are lumped: record, a, b and both laws of neighbours; else the comparison itself."""
    if comparison.databases is None:
        return id(comparison)
    return comparison[1:4], laws_of(comparison)


def laws_of(compared: Compared) -> object:
    """The key of the pairs of laws of a comparison, and of its multiple of ε: what needs the same ε and δ."""
    return compared.scale, *((weight, id(p), id(q)) for weight, _, p, q, _ in compared.pairs)


def judge(certificate: Mapping[str, Any], compared: Sequence[Compared], *, measure: str = "") -> None:
    """Re-check the verdict, the tightest values and the evidence of an answer, given all that is compared.

    `measure` is for definitions that the checker does not know by their names.

    Raises:
        Rejected: where one of them does not follow.

    """
    question, answer = certificate["question"], certificate["answer"]
    measure = measure or DEFINITIONS[question["definition"]].measure
    if not compared:
        _check_nothing(answer, curve=measure in {laws.HOCKEY_STICK, laws.TAIL})
    elif measure in {laws.HOCKEY_STICK, laws.TAIL}:
        _Judge(question, answer, compared, OfCurve(question, Curve(tail=measure == laws.TAIL))).check()
    else:
        require(question["delta"] == "0", "a divergence has no δ")
        between = measures.measure_named(measure)
        alone = all(len(c.pairs) == 1 and c.pairs[0].weight == 1 for c in compared)
        require(alone or between is measures.total_variation, "no average of this measure is defined")
        _Judge(question, answer, compared, OfNumber(compared, between)).check()


def _check_nothing(answer: Evidence, *, curve: bool, has_epsilon: bool = True) -> None:
    """Nothing is compared, and nothing can be shown."""
    smallest = "0" if has_epsilon else None
    require_fields(answer, verdict="vacuous", tight_epsilon=smallest, tight_delta="0" if curve else None)
    require_fields(answer, witness=None, tightest=None)


# --- the definitions of the survey ------------------------------------------------------------------------------------


def judge_survey(certificate: Mapping[str, Any]) -> None:
    """An answer about a definition of DP22: its rows, its measure, and how rows count together."""
    question, answer, key = certificate["question"], certificate["answer"], certificate["question"]["definition"]
    if question["reading"] not in READINGS.get(key, ("default",)):
        raise Rejected(f"the checker does not derive {str(key)[:40]} of DP22 in this reading")
    if key in IMITATED:
        from verifier.checker.simulators.centres import check_imitated

        check_imitated(certificate)
        return
    if key == INFERRED:
        from verifier.checker.simulators.beliefs import check_inferred

        check_inferred(certificate)
        return
    from verifier.checker.survey.definitions import ALL_BUT, AVERAGE, NEEDED, OF_MULTISETS, SURVEY, WORST

    scheme = SURVEY.get(key) or (OF_MULTISETS.get(key) if type(certificate["size"]) is list else None)
    if scheme is None:
        raise Rejected(f"the checker does not derive {str(key)[:40]} of DP22")
    tables = Tables(certificate)
    for field in NEEDED.get(key, ()):
        tables.need(field)
    measure, rows = scheme.measure(tables), list(scheme.rows(tables))
    groups: dict[Any, list[Row]] = {}
    for k, row in enumerate(rows):
        groups.setdefault(k if scheme.counts == WORST else row.group, []).append(row)
    most = len(groups) if scheme.counts == AVERAGE else len(rows)
    kept: dict[int, object] = {}
    least = len({_laws(row, kept) for row in rows}) if scheme.counts == WORST else most
    counts = answer["comparisons"], answer["multiplicity"]
    require(least <= counts[0] <= counts[1] <= most, f"comparisons: {counts[0]}, and there are {least} to {most}")
    require_fields(answer, empty=0)
    if not isinstance(measure, Curve):
        require(question["delta"] == "0" or scheme.has_delta, "this definition has no δ")
        require_fields(answer, tight_delta=None)
    if not rows:
        _check_nothing(answer, curve=isinstance(measure, Curve), has_epsilon=scheme.has_epsilon)
        return
    if not scheme.has_epsilon:
        require_fields(question, epsilon=None)
        holds = all(measure(row.p, row.q) for row in rows)
        require_fields(answer, tight_epsilon=None, verdict="holds" if holds else "fails", witness=None, tightest=None)
        return
    if isinstance(measure, Curve) and measure.left_out is not None:
        measures.refuse_events(len(rows), max(len(row.p) for row in rows))
    mean, share = scheme.counts == AVERAGE, tables.need("gamma") if scheme.counts == ALL_BUT else None
    shares = [
        (rows[0].weight, [case_of(rows, mean=True)] if mean else [case_of([row], mean=False) for row in rows])
        for rows in groups.values()
    ]
    cases = [case for _, group in shares for case in group]
    kind = OfCurve(question, measure) if isinstance(measure, Curve) else OfNumber(cases, measure)
    _Judge(question, answer, cases, kind, share, shares).check()


def _laws(row: Row, kept: dict[int, object]) -> object:
    """The pair of laws of a row, and its multiple of ε: rows in which these are the same may be numbered once."""
    for law in (row.p, row.q):
        if id(law) not in kept:
            kept[id(law)] = frozenset(law.items())
    return kept[id(row.p)], kept[id(row.q)], row.scale


def case_of(rows: Sequence[Row], *, mean: bool) -> Compared:
    """A row, or the mean of several that count together, as one comparison; it is named by its words."""
    first, words = rows[0], rows[0].words
    if mean:
        number_of_pairs = f"{len(rows):,} {'pair' if len(rows) == 1 else 'pairs'} of laws"
        words = f"On average over {number_of_pairs}, the first of them {words}"
    pairs = [Pair(row.weight if mean else ONE, None, _over_one(row.p), _over_one(row.q), words) for row in rows]
    named = Compared(
        first.distribution, first.record, None, None, None if mean else first.databases, pairs, first.scale
    )
    return named if mean else named._replace(row=first)


def _over_one(law: Law) -> Law:
    return law if isinstance(law, Weighted) else Weighted(law, ONE)


# --- curves and numbers -----------------------------------------------------------------------------------------------


class OfCurve:
    """A curve δ(ε) that δ bounds; each line is made once.

    `exceeds` says whether a comparison needs more than δ at an ε, `reaches` whether it does at every smaller ε.
    """

    def __init__(self, question: Evidence, curve: Curve) -> None:
        self.curve, self.bound, self.asked = curve, number(question["delta"]), question["epsilon"]
        self.known: dict[object, list[Line]] = {}

    def ends(self, claimed: str) -> tuple[str, str]:
        """The ε itself: there is no enclosure."""
        return claimed, claimed

    def lines(self, compared: Compared, at: str, *, closed: bool = False) -> list[Line]:
        """The lines of a comparison at an ε, kept."""
        key = laws_of(compared), at, closed
        if key not in self.known:
            self.known[key] = self.curve.lines(compared, at, closed=closed)
        return self.known[key]

    def exceeds(self, compared: Compared, at: str) -> bool:
        """Whether more than δ is needed at an ε."""
        return all(line.over(self.bound) > 0 for line in self.lines(compared, at))

    def reaches(self, compared: Compared, at: str) -> bool:
        """Whether more than δ is needed at every smaller ε."""
        if at == "inf":
            return self.exceeds(compared, at)
        lines = self.lines(compared, at, closed=True)
        return compared.scale > 0 and all(self.curve.needed(line, self.bound) for line in lines)

    def least(self, compared: Compared, at: str) -> Line:
        """The smallest δ at an ε: the least of the lines."""
        best, *others = self.lines(compared, at)
        for line in others:
            best = line if line.against(best) < 0 else best
        return best

    def tight_delta(self, claimed: str, cases: Iterable[Compared]) -> None:
        """Reject unless a claimed δ is enough for all, and needed for one."""
        value, cases = _line(claimed), list(cases)
        own = not value.b or any(value.power.same(power(self.asked, case.scale)) for case in cases)
        require(own, f"tight_delta: {claimed[:60]} is no value at ε = {self.asked}")
        signs = [self.least(case, self.asked).against(value) for case in cases]
        require(max(signs) <= 0, f"tight_delta: {claimed[:60]} is too small")
        require(0 in signs, f"tight_delta: no comparison attains {claimed[:60]}")


def _line(text: str) -> Line:
    """A δ as it is written: a, or a - b·e^ε."""
    a, b, exponent = delta(text)
    return Line(a, b, 1, power(exponent or "0"))


class OfNumber:
    """Numbers that ε bounds: of a comparison's one pair, over its multiple of ε, or the average over its pairs.

    `exceeds` says whether the number is above an ε, `reaches` whether it is at least that.
    """

    def __init__(self, cases: Iterable[Compared], between: Measure) -> None:
        missing = Scalar(plain=ONE) if between is measures.total_variation else measures.INFINITE
        self.amounts: dict[object, Scalar] = {}
        for key, case in {laws_of(case): case for case in cases}.items():
            shares = [(weight, missing if q is None else between(_chances(p), _chances(q)))
                      for weight, _, p, q, _ in case.pairs]  # fmt: skip
            alone = len(shares) == 1 and shares[0][0] == 1
            self.amounts[key] = shares[0][1].over(case.scale) if alone else _mean(shares)

    def ends(self, claimed: str) -> tuple[Written, Written]:
        """The ε, or the decimal ends of an enclosure."""
        if claimed.startswith("["):
            low, high = ends(claimed)
            return Written(low), Written(high)
        return epsilon(claimed), epsilon(claimed)

    def exceeds(self, compared: Compared, at: Written) -> bool:
        """Whether the number is above ε."""
        return self.amounts[laws_of(compared)].sign(at) > 0

    def reaches(self, compared: Compared, at: Written) -> bool:
        """Whether the number is at least ε."""
        return self.amounts[laws_of(compared)].sign(at) >= 0


def _chances(weights: Law) -> Law:
    """The probabilities of a law."""
    total = total_of(weights)
    return {o: Fraction(w, total) for o, w in weights.items()}


def _mean(shares: Sequence[tuple[Fraction, Scalar]]) -> Scalar:
    """The average of numbers of one form: rationals, or sums of logarithms."""
    if any(amount.infinite for _, amount in shares):
        return measures.INFINITE
    if all(amount.plain is not None for _, amount in shares):
        return Scalar(plain=sum((weight * amount.plain for weight, amount in shares if amount.plain), ZERO))
    require(all(amount.logarithms is not None for _, amount in shares), "no average of this measure is defined")
    return Scalar(logarithms=tuple((weight * r, s) for weight, amount in shares for r, s in amount.logarithms or ()))


# --- the answer -------------------------------------------------------------------------------------------------------


class _Judge:
    """One answer against all that is compared.

    Where rows may be left out, groups of them that together have a `share` of at most γ may need more than ε.
    """

    def __init__(
        self,
        question: Evidence,
        answer: Evidence,
        cases: Sequence[Compared],
        kind: OfCurve | OfNumber,
        share: Fraction | None = None,
        groups: Sequence[tuple[Fraction, Sequence[Compared]]] = (),
    ) -> None:
        self.asked, self.answer, self.kind, self.cases = question["epsilon"], answer, kind, cases
        self.share, self.groups = share, groups
        # What is shown comes first: where it is above an ε, no other comparison is looked at.
        rows = [row for row in (answer["witness"], answer["tightest"]) if row]
        self.first = sorted(cases, key=lambda case: not any(_named(case, row) for row in rows))
        self.first = list({laws_of(case): case for case in self.first}.values())

    def some(self, above: Callable[[Compared, Any], bool], at: Any) -> bool:
        """Whether a comparison, or more than the share that may be left out, is above an ε.

        One that is too near decides nothing while another one is.
        """
        if self.share is not None:
            over = [weight for weight, group in self.groups if any(above(case, at) for case in group)]
            return sum(over, ZERO) > self.share
        beyond: Beyond | None = None
        for case in self.first:
            try:
                if above(case, at):
                    return True
            except Beyond as error:
                beyond = error
        if beyond:
            raise beyond
        return False

    def check(self) -> None:
        """Accept silently or raise `Rejected`."""
        answer, claimed, kind = self.answer, self.answer["tight_epsilon"], self.kind
        require(claimed is not None, "tight_epsilon: there is a smallest ε")
        low, high = kind.ends(claimed)
        if claimed != "inf":
            require(not self.some(kind.exceeds, high), f"tight_epsilon: {claimed[:60]} is too small")
        needed, enough = claimed == "0" or self.some(kind.reaches, low), f"a smaller ε than {claimed[:60]}"
        require(needed, f"tight_epsilon: {'a finite ε' if claimed == 'inf' else enough} is enough")
        if self.asked in {None, "inf"}:
            holds = claimed != "inf"
        else:
            holds = not self.some(kind.exceeds, kind.ends(self.asked)[0])
        if isinstance(kind, OfCurve) and self.asked is not None:
            require(answer["tight_delta"] is not None, "tight_delta: there is a smallest δ")
            kind.tight_delta(answer["tight_delta"], self.first)
        else:
            require_fields(answer, tight_delta=None)
        require_fields(answer, verdict="holds" if holds else "fails")
        evidence = shown(answer, "comparison", holds=holds)
        matching = [case for case in self.cases if _named(case, evidence)]
        require(matching, "the answer names 0 comparisons instead of one")
        for case in matching:
            try:
                _nothing_else(case, evidence)
                if isinstance(kind, OfCurve):
                    self._shows_curve(kind, case, evidence, holds=holds)
                else:
                    self._shows_number(kind, case, evidence)
            except Rejected:
                if case is matching[-1]:
                    raise
            else:
                return

    def _shows_number(self, kind: OfNumber, case: Compared, evidence: Evidence) -> None:
        """The number of the comparison that is shown is the smallest ε."""
        claimed = self.answer["tight_epsilon"]
        require_fields(evidence, "evidence", **dict.fromkeys(EVENT))
        require_fields(evidence, at_epsilon="0" if claimed.startswith("[") else claimed)
        if "value" in evidence:
            require_fields(evidence, value=claimed)
        elif evidence["terms"] is None:
            require([pair.weight for pair in case.pairs] == [1], "the evidence names one pair of laws of an average")
        else:
            _same_terms(case, evidence["terms"])
            require(not any(term["event"] for term in evidence["terms"]), "a term has an event where there is none")
        valid = attains(kind.amounts[laws_of(case)], *kind.ends(claimed), claimed)
        require(valid, "the comparison that is shown does not attain the smallest ε")

    def _shows_curve(self, kind: OfCurve, case: Compared, evidence: Evidence, *, holds: bool) -> None:
        """The comparison that is shown needs the smallest ε, or the smallest δ at the asked one, or exceeds δ.

        An answer about DP22 shows its value too, and of what holds the smallest ε.
        """
        answer, asked, of_survey = self.answer, self.asked, "value" in evidence
        at_tightest = holds and (of_survey or asked is None or answer["tight_delta"] == "0")
        at = answer["tight_epsilon"] if at_tightest else ("inf" if asked is None else asked)
        valid = at == evidence["at_epsilon"]
        valid = valid or (of_survey and power(at, case.scale).same(power(evidence["at_epsilon"])))
        require(valid, f"at_epsilon: {evidence['at_epsilon'][:60]} is not at {at}")
        reaches, best = at_tightest and at != "0", kind.least(case, at)
        if reaches:
            require(kind.reaches(case, at), "the comparison does not need the tightest ε")
        if not holds:
            require(kind.exceeds(case, at), "the comparison does not exceed δ")
        if not at_tightest and asked is not None:
            kind.tight_delta(answer["tight_delta"], [case])
        if of_survey:
            require(best.against(_line(evidence["value"])) == 0, "value: the row that is shown has another δ")
            if len(case.pairs) > 1 or kind.curve.left_out is not None:
                require_fields(evidence, "evidence", **dict.fromkeys(EVENT))
                return
        tail = kind.curve.tail
        line = _events(case, evidence, power(at, case.scale), tail=tail, closed=reaches)
        require(
            tail or not best.power.infinite or not line.b,
            "at ε = inf the event must be impossible under the second law",
        )
        if tail and reaches:
            ((best),) = kind.lines(case, at, closed=True)
        require(holds or line.over(kind.bound) > 0, "the event does not exceed δ")
        require(line.against(best) == 0, "the event is not the best of its comparison")
        require(not reaches or kind.curve.needed(line, kind.bound), "the event does not need the tightest ε")


def attains(amount: Scalar, low: Written, high: Written, claimed: str) -> bool:
    """Whether a number lies between both ends of the claimed ε."""
    return amount.sign(high) <= 0 and (claimed == "0" or amount.sign(low) >= 0)


def shown(answer: Mapping[str, Any], subject: str, *, holds: bool) -> Evidence:
    """What an answer shows of all that is compared: the tightest where it holds, else the witness; never both."""
    key, other = ("tightest", "witness") if holds else ("witness", "tightest")
    valid = answer[key] is not None and answer[other] is None
    require(valid, f"{key}: the answer must show one {subject}, the witness or the tightest")
    return dict(answer[key])


def _named(compared: Compared, evidence: Evidence) -> bool:
    """Whether the evidence names a comparison: by its θ, record, a and b, and databases, or B̂, or words."""
    databases, first = compared.databases, compared.pairs[0]
    if compared[:4] != tuple(evidence[key] for key in ("distribution", "record", "a", "b")):
        return False
    if databases is not None and [list(d) for d in databases] != evidence["databases"]:
        return False
    words = evidence["direction"] or ""
    if not (first.direction == words if compared.row is None else compared.row.named(words)):
        return False
    if evidence["terms"] is not None or databases is not None:
        return True
    heard = evidence["knowledge"] if evidence["output"] is None else (evidence["knowledge"], evidence["output"])
    return bool(first.knowledge == heard)


def _nothing_else(compared: Compared, evidence: Evidence) -> None:
    """Reject evidence with a value in a field that does not apply to this comparison."""
    first, alone = compared.pairs[0], evidence["terms"] is None
    apply = {
        "databases": alone and compared.databases is not None,
        "knowledge": alone and compared.databases is None,
        "direction": bool(first.direction),
        "output": alone and isinstance(first.knowledge, tuple),
        "terms": "value" not in evidence,
        **dict.fromkeys(EVENT, alone),
    }
    require_fields(evidence, "evidence", **dict.fromkeys(key for key, applies in apply.items() if not applies))


def _same_terms(compared: Compared, terms: Sequence[Evidence]) -> list[Evidence]:
    """The terms of evidence in the order of the pairs; rejected where they are not the pairs.

    Terms stand in any order: what is known names a pair. Pairs in which the same is known stand in that of the pairs.
    """
    waiting: dict[Any, list[Evidence]] = {}
    for term in reversed(terms):
        waiting.setdefault(term["knowledge"], []).append(term)
    shown = Counter(term["knowledge"] for term in terms)
    if shown != (wanted := Counter(pair.knowledge for pair in compared.pairs)):
        require_equal("terms", list(shown.elements()), list(wanted.elements()))
    ordered = [waiting[pair.knowledge].pop() for pair in compared.pairs]
    require_equal("weights", [number(term["weight"]) for term in ordered], [pair.weight for pair in compared.pairs])
    return ordered


def _events(compared: Compared, evidence: Evidence, e: Exponential, *, tail: bool, closed: bool) -> Line:
    """P and Q of the events that the evidence lists, pair by pair."""
    terms, events = evidence["terms"], [evidence["event"]]
    if terms is not None:
        events = [term["event"] for term in _same_terms(compared, terms)]
    lines = []
    for (weight, _, p, second, _), event in zip(compared.pairs, events, strict=True):
        q: Law = second or {}
        valid = len(set(event)) == len(event) and set(event) <= {*p, *q}
        require(valid, "an event lists an output twice, or one that no law has")
        total, q_total = total_of(p), total_of(q) or total_of(p)
        mass_p, mass_q = (sum([law.get(o, 0) for o in event]) for law in (p, q))
        if terms is None:
            require_equal("probability_a", number(evidence["probability_a"]), Fraction(mass_p, total))
            claimed = evidence["probability_b"]
            chance_b = None if second is None else Fraction(mass_q, q_total)
            require_equal("probability_b", None if claimed is None else number(claimed), chance_b)
        x, y = (1, 1) if total == q_total else (q_total, total)
        low = tail and q and any(e.sign(x * p.get(o, 0), y * q.get(o, 0)) < int(not closed) for o in event)
        require(not low, "the event has an output whose loss is not above ε")
        lines.append((weight, Line(x * mass_p, y * mass_q, x * total, e)))
    return measures.average(lines, tail=tail)
