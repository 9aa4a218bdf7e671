"""Axioms from parts: whether a definition is closed under channels and mixtures, how it composes, and DP22's Table 3.

No verdict is written down for a definition. An axiom is proved if each of the definition's parts has a proof, and the
parts fit together; refuted if a part fails and a model shows it for this very definition; else open, with the reason.

The cells of Table 3 are data, as printed: they agree with the derived verdicts, clash, or answer a question mark. For
each clash `clashes.toml` names a second derivation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from verifier.wings.implications.axioms.facts import AXIOMS, OVER, Fact, fact_of, rule_text, table
from verifier.wings.implications.axioms.refutations import Shown, refutations, shown
from verifier.wings.implications.parts import equal_to, parts_of, undecided_because

PROVED, REFUTED, OPEN = "proved", "refuted", "open"


@dataclass(frozen=True)
class AxiomVerdict:
    """The verdict on one axiom of one definition.

    `chain` has the facts that it follows from: of a proof those about all parts, else those that fail. `where` has the
    conditions of a proof, `rule` the parameters of a pair of mechanisms, or what holds where it is refuted, `over` what
    the pair may be, `shown` the models of a refutation, and `derived` a function of `proofs/axioms/second.py`.
    """

    key: str
    axiom: str
    verdict: str
    chain: tuple[Fact, ...] = ()
    where: tuple[str, ...] = ()
    rule: str = ""
    shown: tuple[Shown, ...] = ()
    reason: str = ""
    derived: str = ""
    over: str = ""

    @property
    def text(self) -> str:
        """The verdict in words, with its rule, conditions, models or reason."""
        if self.verdict == OPEN:
            return self.reason
        rule = [rule_text(self.rule, self.key)] if self.rule else []
        about = f"for {self.over}" if self.over not in {"", OVER} else ""
        if self.verdict == REFUTED:
            text = "; ".join([*(each.sentence for each in self.shown), *self.derivations, *rule])
            return f"{about}: no; {text}" if about else text
        return ", ".join([*rule, *(f"where {condition}" for condition in self.where), *([about] if about else [])])

    @property
    def derivations(self) -> list[str]:
        """The derivation that refutes it, in words."""
        return [f"{self.chain[0].because} (proofs/axioms/second.py, {self.derived})"] if self.derived else []


def underived_because(key: str) -> str:
    """Why the axioms of a definition are not derived: it is not decided, or speaks of more than finite models."""
    same = equal_to(key)
    more = f"one finite mechanism has those of {same}; mechanisms that depend on κ are not derived here"
    return more if same else undecided_because(key)


@cache
def derive(key: str, axiom: str) -> AxiomVerdict:
    """The verdict on one axiom of a definition, from the facts of its parts.

    >>> derive("adp", "convexity").verdict, derive("prodp", "convexity").verdict, derive("indcdp", "convexity").verdict
    ('proved', 'refuted', 'open')
    """
    if because := underived_because(key):
        return AxiomVerdict(key, axiom, OPEN, reason=because)
    chain = tuple(fact_of(part, axiom) for part in parts_of(key))
    over = next((fact.over for fact in chain if fact.over), OVER) if axiom == "composition" else ""
    failing = tuple(fact for fact in chain if fact.holds == "no")
    if failing:
        return _refuted(key, axiom, failing, over)
    unknown = [fact for fact in chain if fact.holds == "open"]
    if unknown:
        return AxiomVerdict(key, axiom, OPEN, reason="; ".join(fact.because for fact in unknown))
    if gap := _gap(chain):
        return AxiomVerdict(key, axiom, OPEN, reason=gap)
    conditions = tuple(dict.fromkeys(fact.where for fact in chain if fact.where))
    return AxiomVerdict(key, axiom, PROVED, chain, conditions, _rule(chain), over=over)


def _refuted(key: str, axiom: str, failing: tuple[Fact, ...], over: str) -> AxiomVerdict:
    """The verdict where a part fails: refuted if a model of the part, or a derivation, shows it, else open."""
    rule, over = (_rule(failing), over) if all(fact.rule for fact in failing) else ("", OVER if over else "")
    named = dict.fromkeys(name for fact in failing for name in fact.refuted)
    models = tuple(each for name in named if (each := shown(refutations()[name], key)) is not None)
    if models:
        return AxiomVerdict(key, axiom, REFUTED, failing, rule=rule, shown=models[:1], over=over)
    derived = next((fact.derived for fact in failing if fact.derived), "")
    if derived:
        return AxiomVerdict(key, axiom, REFUTED, failing, rule=rule, derived=derived, over=over)
    reason = "; ".join(fact.sentence for fact in failing)
    return AxiomVerdict(key, axiom, OPEN, failing, reason=f"no model shows it of this definition, but {reason}")


def _gap(chain: tuple[Fact, ...]) -> str:
    """The reason why proved parts do not fit together; empty where they do."""
    measure = next((fact for fact in chain if fact.part.axis == "measure"), None)
    if measure is None:
        return ""
    convexity = fact_of(measure.part, "convexity")
    known = {convexity.kind, measure.rule}
    for fact in chain:
        if fact.needs and not known & set(fact.needs):
            return f"{fact.part.axis} {fact.part.name} needs a measure that is {' or '.join(fact.needs)}"
    return ""


def _rule(chain: tuple[Fact, ...]) -> str:
    """The rule of a composition: a builder's or an aggregation's own takes the place of the measure's."""
    rules = [fact.rule for fact in sorted(chain, key=lambda fact: fact.part.axis == "measure") if fact.rule]
    return rules[0] if rules else ""


def verdicts(key: str) -> tuple[AxiomVerdict, ...]:
    """The verdicts on the three axioms of a definition, in the order of `AXIOMS`."""
    return tuple(derive(key, axiom) for axiom in AXIOMS)


AGREES, CLASHES, ANSWERED, NOT_ANSWERED, NOT_DECIDED = "agrees", "clashes", "answered", "still ?", "not decided"
OTHER = "another reading here"
STATES = (AGREES, CLASHES, OTHER, ANSWERED, NOT_ANSWERED, NOT_DECIDED)
PRINTED = ("yes", "no", "?", "? with a note")
"""The values of a printed cell; the cross of a no is lost in the extracted text (table-3.toml)."""


@dataclass(frozen=True)
class AxiomLine:
    """A row of Table 3: its number, the key here, the printed name and citation, and the three cells."""

    at: int
    key: str
    name: str
    cites: str
    dimensions: str
    cells: Mapping[str, str]


@dataclass(frozen=True)
class Clash:
    """The reason of a clash, what the printed cell may rest on, and the second derivation in `proofs/axioms`.

    With a `reading` DP22's definition is another one than the one that is decided here, and so is the printed cell's.
    """

    key: str
    axiom: str
    because: str
    rests_on: str
    second: str
    reading: str = ""


@dataclass(frozen=True)
class Cell:
    """One cell of Table 3: what is printed, what is derived, and how they compare."""

    row: AxiomLine
    verdict: AxiomVerdict
    printed: str
    state: str
    clash: Clash | None = None


@cache
def rows() -> Mapping[str, AxiomLine]:
    """The rows of Table 3 by their keys here, in its order."""
    read = []
    for fields in table("table-3")["rows"]:
        cells = {axiom: fields[axiom] for axiom in AXIOMS}
        names = {name: value for name, value in fields.items() if name not in AXIOMS}
        read.append(AxiomLine(**names, cells=cells))
    return {row.key: row for row in read}


@cache
def clashes() -> Mapping[tuple[str, str], Clash]:
    """The reasons of the clashes, by definition and axiom."""
    listed = [Clash(**given) for given in table("clashes")["clash"]]
    return {(clash.key, clash.axiom): clash for clash in listed}


def compared(printed: str, verdict: str) -> str:
    """The state of a printed cell beside a derived verdict, one of `STATES`.

    >>> compared("yes", "refuted"), compared("?", "proved"), compared("no", "refuted"), compared("yes", "open")
    ('clashes', 'answered', 'agrees', 'not decided')
    """
    if verdict == OPEN:
        return NOT_ANSWERED if printed.startswith("?") else NOT_DECIDED
    if printed.startswith("?"):
        return ANSWERED
    return AGREES if (printed == "yes") is (verdict == PROVED) else CLASHES


def cell(key: str, axiom: str) -> Cell | None:
    """The cell of a definition and an axiom; None where Table 3 has no row for the definition."""
    row = rows().get(key)
    if row is None:
        return None
    verdict = derive(key, axiom)
    clash = clashes().get((key, axiom))
    state = OTHER if clash and clash.reading else compared(row.cells[axiom], verdict.verdict)
    return Cell(row, verdict, row.cells[axiom], state, clash if state in {CLASHES, OTHER} else None)


def every_cell() -> tuple[Cell, ...]:
    """All cells of Table 3, row by row."""
    listed = (cell(key, axiom) for key in rows() for axiom in AXIOMS)
    return tuple(each for each in listed if each is not None)


def counts(cells: tuple[Cell, ...]) -> dict[str, int]:
    """The number of cells in each state, in the order of the states."""
    return {state: sum(each.state == state for each in cells) for state in STATES}
