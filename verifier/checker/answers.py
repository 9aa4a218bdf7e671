"""Compare an answer of `pkdp check --json` with what the checker decides: verdict, smallest ε and δ, and the witness.

What is claimed is read from names and numbers; sentences (`direction`, `reason`, `note`) are for people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from typing import Any, NamedTuple

from . import gains, own, p_tables, properties, scopes, simulators
from .comparisons import (
    Asked,
    relation_of,
)
from .definitions import ALIASES, DEFINITIONS, NOT_LISTED
from .fields import OF_A_GAIN, OF_A_PROPERTY, OF_AN_ANSWER, OF_EVIDENCE, others, require_same_names, unknown
from .judge import Decision
from .models import Model
from .number_text import epsilon_of, require_number
from .numbers import (
    BeyondLimits,
    NoRow,
    NotRead,
    Number,
    Rejected,
    Unchecked,
    Unsupported,
    Wrong,
    integers_in,
    long_numbers,
    rational,
)
from .polynomials import begin, spent
from .reading import MALFORMED
from .witness import Witness

CURVES = ("hockey-stick", "tail", "left-out")
"""The measures that have a smallest δ."""
WITH_DELTA = (*CURVES, "concentrated-on-events")
"""The measures for which a δ may be asked."""
VERDICTS = ("holds", "fails", "vacuous", "undecided", "unsupported")


class Word(NamedTuple):
    """What the checker says of one answer: `confirmed`, `rejected` or `not checked`, and why.

    `beyond`: it is not checked since that would take more than the limits allow. `left`: what of a confirmed answer is
    not compared.
    """

    word: str
    why: str
    beyond: bool = False
    left: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Why, for people, with the limits and with what is not compared."""
        left = f" (not checked: {', '.join(self.left)})" if self.left else ""
        return f"{'beyond limits: ' if self.beyond else ''}{self.why}{left}"


def said(decide: Callable[[], Word]) -> Word:
    """The word on one answer; what is of another shape than an answer is a wrong file, never a refuted answer."""
    if spent[0]:
        begin()
    try:
        with long_numbers():
            return decide()
    except MALFORMED as error:
        raise Wrong(
            f"an answer lacks something, or has something of another kind: {type(error).__name__} {error}"
        ) from None
    except Rejected as error:
        return Word("rejected", str(error))
    except BeyondLimits as error:
        return Word("not checked", str(error), beyond=not isinstance(error, NotRead))
    except (Unchecked, Unsupported) as error:
        return Word("not checked", str(error))


def checked(answer: Mapping[str, Any], model: Model | None) -> Word:
    """The word on one answer; a search has no model file, or brings it, and a p-table is in its answer."""
    return said(lambda: decided(answer, model))


def decided(answer: Mapping[str, Any], model: Model | None) -> Word:
    """The same where what is raised says why an answer is not confirmed."""
    if answer.get("kind") == "p-table":
        return _confirmed(p_tables.verify(answer))
    if model is None:
        return _proved(answer, None)
    if "observer" in answer:
        model = model.observed_by(answer["observer"])
    if "gain" in answer:
        gains.verify(answer["gain"], Asked(model, records=_restricted(answer.get("restricted_to"), model)))
        if not {"definition", "property", "acceptable"} & answer.keys():
            return _confirmed("gain", *others(answer, OF_A_GAIN))
    if "property" in answer:
        why, evidence = properties.verify(answer, model), others(answer.get("evidence") or {}, OF_EVIDENCE)
        return _confirmed(why, *others(answer, OF_A_PROPERTY), *(f"evidence.{name}" for name in evidence))
    if "acceptable" in answer:
        return _confirmed(properties.verify_acceptable(answer, model))
    return _checked(answer, model)


def _confirmed(why: str, *left: str) -> Word:
    return Word("confirmed", why, left=left)


def _proved(answer: Mapping[str, Any], asked: Asked | None) -> Word:
    """What the proof in an answer shows, where deciding again does not reach: scopes, laws of one's own, simulators."""
    if asked is None:
        return _confirmed(scopes.verify(answer))
    if "laws" in answer:
        return _confirmed(own.verify(answer, *parameters_of(answer)), *unknown(answer))
    if "proof" not in answer and answer["verdict"] != "unsupported":
        raise Unchecked(f"{answer['definition']}: {NOT_LISTED[answer['definition']]}")
    why = simulators.verify(answer, asked, *parameters_of(answer))
    if answer["verdict"] == "unsupported":
        _require_no_number(answer)
    return _confirmed(why, *others(answer, OF_AN_ANSWER))


def parameters_of(answer: Mapping[str, Any]) -> tuple[Number | None, Fraction]:
    """ε and δ of the question."""
    epsilon = None if answer.get("epsilon") is None else epsilon_of(answer["epsilon"])
    delta = rational(answer.get("delta", "0"), "delta")
    if not 0 <= delta <= 1:
        raise Wrong(f"delta: {delta} is no probability")
    return epsilon, delta


def question_of(answer: Mapping[str, Any], model: Model) -> tuple[str, Asked, Number | None, Fraction]:
    """The definition, the reading, the protected records, ε and δ that an answer is about."""
    key = str(answer.get("definition"))
    key = ALIASES.get(key, key)
    if key in NOT_LISTED:
        raise Unchecked(f"{key}: {NOT_LISTED[key]}")
    if key not in DEFINITIONS:
        raise Unchecked(f"the definition {key} is none of the checker's")
    reading = answer.get("reading", "default")
    if reading != "default" and reading not in DEFINITIONS[key].readings:
        raise Unchecked(f"the reading {reading} of {key}")
    shown = [x for x in (answer.get("witness"), answer.get("tightest")) if x]
    laws = [law for x in shown for entry in (x, *(x.get("terms") or ())) for law in entry.get("laws") or ()]
    if any("output" in law or "leak" in law for law in laws):  # these are listed, with the outputs of their names
        model = model.kept_apart(integers_in([*shown]))
    return key, Asked(model, reading, _restricted(answer.get("restricted_to"), model)), *parameters_of(answer)


def _restricted(named: Any, model: Model) -> Sequence[int] | None:
    """The records to which an answer is restricted; they have to be protected in the file."""
    if named is None or named == "rows":
        return None
    records = model.home.indices(named, 0)
    if model.function or not set(records) <= set(model.records):
        raise Rejected(f"restricted_to names {records}, and the file protects {model.records}")
    return records


def _only(model: Model, name: str) -> Model:
    """The same model with one θ, or one pair (θ, ζ), which is named `θ / ζ`."""
    alone = copy(model)
    pairs = [theta for theta in model.thetas() if theta.name == name]
    if not pairs:
        raise Rejected(f"there is no distribution {name[:60]}")
    alone._thetas = pairs  # noqa: SLF001 - all that the file's worlds are listed in
    shapes = [(str(shape.get("name", f"#{n}")), shape) for n, shape in enumerate(model.raw["distribution"], 1)]
    kept = [{**shape, "name": at} for at, shape in shapes if name == at or name.startswith(f"{at} / ")]
    alone.raw = {**model.raw, "distribution": kept}  # #2 stays #2
    return alone


def _checked(answer: Mapping[str, Any], model: Model) -> Word:
    if "distribution" in answer:  # it is about this θ alone
        alone = {name: value for name, value in answer.items() if name != "distribution"}
        word = _checked(alone, _only(model, answer["distribution"]))
        return word._replace(why=f"{word.why}; of {answer['distribution'][:60]} alone")
    if "laws" in answer or "proof" in answer or answer.get("definition") in simulators.KEYS:
        asked = Asked(model, answer.get("reading", "default"), _restricted(answer.get("restricted_to"), model))
        if "laws" not in answer:  # of a definition of one's own the laws are all that is known
            _require_relation(answer, str(answer["definition"]), asked)
        return _proved(answer, asked)
    key, asked, epsilon, delta = question_of(answer, model)
    claimed = answer.get("verdict")
    if claimed not in VERDICTS:
        raise Wrong(f"the verdict {claimed!r}", expected=f"one of {', '.join(VERDICTS)}")
    if claimed == "undecided":
        raise Unchecked("the answer decides nothing")
    try:
        decision = _decision(key, asked, epsilon, delta)
    except Unsupported as error:
        if claimed == "unsupported":
            _require_no_number(answer)
            _require_relation(answer, key, asked)
            return _confirmed(f"{key} is unsupported: {error}")
        if isinstance(error, NoRow) and answer.get("rows") == "some":
            raise Unchecked(str(error)) from None
        raise Rejected(f"the answer says {claimed}, and {key} is unsupported: {error}") from None
    if claimed == "unsupported":
        raise Unchecked(f"the answer decides nothing; the checker finds: {decision.verdict}")
    verdict = decision.verdict
    if key == "dps" and verdict != "vacuous" and asked.reading == "default" and delta >= model.mechanism.rate:
        verdict = "fails"  # LQS12, Definition 3: β > δ
    if claimed != verdict:
        raise Rejected(f"the verdict is {verdict}, and the answer says {claimed}")
    left = [
        require_number(answer, "tight_epsilon", decision.tight_epsilon, key != "dps"),
        require_number(answer, "tight_delta", decision.tight_delta, key != "dps"),
    ]
    for name, fails in (("witness", True), ("tightest", False)):
        witness = answer.get(name)
        if fails and witness is None and decision.verdict == "fails":
            if answer.get("left_out") != "witness":
                raise Rejected("the answer fails without a witness")
            left.append("the witness, which is left out")
        if witness is not None:
            if fails != (decision.verdict == "fails"):
                raise Rejected(f"the answer has a {name}, and the verdict is {verdict}")
            Witness(decision, witness, fails).check()
            for entry in (witness, *(witness.get("terms") or ())):
                require_same_names(entry)
    _require_relation(answer, key, asked)
    left += dict.fromkeys(unknown(answer))
    return _confirmed(f"{key} {verdict}, smallest ε {decision.tight_epsilon}", *(x for x in left if x))


def _require_no_number(answer: Mapping[str, Any]) -> None:
    """Refuse numbers and a witness of an answer that decides nothing."""
    for name in ("tight_epsilon", "tight_delta"):
        require_number(answer, name, None)
    if any(answer.get(name) is not None for name in ("witness", "tightest")):
        raise Rejected("the answer decides nothing, and has a witness")


def _require_relation(answer: Mapping[str, Any], key: str, asked: Asked) -> None:
    """Refuse another relation between databases than the definition has on this model."""
    relation = relation_of(DEFINITIONS[key].listing, asked) if key in DEFINITIONS else None
    if "relation" in answer and answer["relation"] != relation:
        raise Rejected(f"the relation is {relation}, and the answer says {answer['relation']}")


def _decision(key: str, asked: Asked, epsilon: Number | None, delta: Fraction) -> Decision:
    if delta and DEFINITIONS[key].measure not in WITH_DELTA and key not in simulators.KEYS:
        raise Unsupported("it has no δ")
    return Decision(asked, DEFINITIONS[key], epsilon, delta)
