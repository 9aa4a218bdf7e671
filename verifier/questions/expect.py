"""The answers that a model file promises in `[[expect]]`, compared with what is computed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from verifier.definitions import Verdict, find
from verifier.definitions.answer import Valued
from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model import Model
from verifier.model.model import Expectation, RecordSecrets
from verifier.numbers import DIGITS, Epsilon, epsilon, rational
from verifier.questions.check import check
from verifier.questions.normalization import acceptable
from verifier.questions.properties import PROPERTIES
from verifier.questions.properties.anonymity import k_anonymity, strongly_safe


@dataclass(frozen=True)
class ExpectationResult(Valued):
    """One `[[expect]]` of a model file, compared; `differences` lists (key, promised value, computed value).

    `computed` has each promised key with the text of its computed value.
    """

    question: str
    differences: tuple[tuple[str, str, str], ...]
    computed: tuple[tuple[str, str], ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether every promised value equals the computed one."""
        return not self.differences

    def __str__(self) -> str:
        if self.agrees:
            return self.question
        return self.question + "; " + "; ".join(f"{k}: promised {p}, found {f}" for k, p, f in self.differences)

    def fields(self) -> dict[str, Any]:
        """One entry of `pkdp check --expect --json`."""
        names = ("key", "promised", "found")
        return {
            "question": self.question,
            "agrees": self.agrees,
            "differences": [dict(zip(names, difference, strict=True)) for difference in self.differences],
        }


def compare(
    model: Model, engine: Engine | None = None, tick: Callable[[int, int], object] | None = None
) -> list[ExpectationResult]:
    """Compare each answer that the model file promises with the computed one; `tick(done, total)` follows each."""
    engine = engine or Engine(model)
    outcomes = []
    for promised in model.expectations:
        outcomes.append(outcome(model, promised, engine))
        if tick:
            tick(len(outcomes), len(model.expectations))
    return outcomes


def outcome(model: Model, promised: Expectation, engine: Engine) -> ExpectationResult:
    """Answer the question of one `[[expect]]` and compare the answer exactly with the promised one.

    Raises:
        InputError: for a question with a key that its definition or property does not have.

    """
    question = dict(promised.question)
    _fitting(promised, model.path)
    text = " ".join([promised.definition, *(f"{key}={value}" for key, value in question.items())])
    if promised.definition == "k-anonymity":
        computed = k_anonymity(model, question.get("k")).to_json()
    elif promised.definition == "strongly-safe":
        computed = strongly_safe(model).to_json()
    elif promised.definition == "acceptable":
        computed = _acceptable(model, question)
    elif promised.definition in PROPERTIES:
        if extra := question.keys() - {"record", "distribution"}:
            words = f"[[expect]] asks for {promised.definition} with {min(extra)}"
            raise InputError(words, where=model.path, wanted="`record` and `distribution` at most, for a property")
        submodel = restricted(model, question)
        computed = PROPERTIES[promised.definition](
            submodel, engine if submodel is model else Engine(submodel)
        ).to_json()
    else:
        digits = _digits(promised.answer)
        computed = answered(model, promised, engine, digits)[0].to_json(10**9, digits)
    differences = tuple(
        (key, str(value), str(computed.get(key)))
        for key, value in promised.answer.items()
        if not _same(key, value, computed.get(key))
    )
    texts = tuple((key, str(computed.get(key))) for key in promised.answer)
    return ExpectationResult(text, differences, texts)


def answered(model: Model, promised: Expectation, engine: Engine, digits: int = DIGITS) -> tuple[Verdict, Engine]:
    """The answer to the question of one `[[expect]]`, and the engine of the restricted model that it is about.

    `engine`, the engine of the whole model, keeps the answer for the next time.
    """
    key = "answered", promised.definition, repr(sorted(promised.question.items())), digits
    return engine.memo(key, lambda: _answered(model, promised, engine, digits))


def _answered(model: Model, promised: Expectation, engine: Engine, digits: int) -> tuple[Verdict, Engine]:
    submodel, question = restricted(model, promised.question), promised.question
    submodel_engine = engine if submodel is model else Engine(submodel)
    verdict = check(
        submodel,
        find(promised.definition),
        epsilon=question.get("epsilon"),
        delta=question.get("delta", 0),
        reading=question.get("reading", "default"),
        engine=submodel_engine,
        digits=digits,
    )
    return verdict, submodel_engine


def _fitting(promised: Expectation, path: str) -> None:
    """Refuse a question with a key that its definition or property does not have."""
    known = {"k-anonymity": {"k"}, "strongly-safe": set()}.get(promised.definition)
    wrong = [key for key in promised.question if (key == "k" if known is None else key not in known)]
    if wrong:
        raise InputError(
            f"[[expect]] asks {promised.definition} with `{wrong[0]}`", where=path, wanted="k for k-anonymity alone"
        )


def _digits(answer: Mapping[str, Any]) -> int:
    """How many digits the promised decimals have; at least the usual number."""
    texts = [str(answer[key]) for key in ("tight_delta_decimal", "tight_epsilon_decimal") if key in answer]
    numbers = [number for text in texts for number in re.findall(r"[0-9.]+(?=e|[],]|$)", text)]
    return max([DIGITS, *(len(number.replace(".", "").lstrip("0")) for number in numbers)])


def restricted(model: Model, question: Mapping[str, Any]) -> Model:
    """The model restricted to the `distribution` and the `record` that a question names; the model itself for neither.

    Raises:
        InputError: where the model has no such distribution or protected record.

    """
    if "distribution" not in question and "record" not in question:
        return model
    thetas = tuple(theta for theta in model.thetas if theta.name == question.get("distribution", theta.name))
    secrets = model.secrets
    if "record" in question:
        secrets = secrets.only(question["record"]) if isinstance(secrets, RecordSecrets) else ()
    if not thetas or not secrets:
        raise InputError(f"[[expect]] asks for {dict(question)}", where=model.path, wanted="a sensitive record of a θ")
    if len(thetas) < len(model.thetas):
        return model.changed(thetas=thetas, secrets=secrets)
    return replace(model, secrets=secrets)


def _acceptable(model: Model, question: Mapping[str, Any]) -> dict[str, Any]:
    name = question.get("distribution")
    fitting = [
        answer
        for answer in acceptable(model)
        if (name is None or answer.distribution == name)
        and ("record" not in question or answer.record == question["record"])
    ]
    if not fitting:
        raise InputError(f"[[expect]] asks for {dict(question)}", where=model.path, wanted="a sensitive record of a θ")
    return {
        "acceptable": all(answer.acceptable and not any(answer.objections) for answer in fitting),
        "reason": next((answer.reason for answer in fitting if answer.reason), None),
    }


def _same(key: str, promised: object, computed: object) -> bool:
    """Compare exactly, numbers by value: `0.5` agrees with `1/2`."""
    if promised is None or computed is None or isinstance(promised, bool):
        return promised == computed
    if key == "tight_epsilon":
        wanted: Epsilon = epsilon(promised)
        return wanted == epsilon(computed)
    if key == "tight_delta" and "exp" not in str(promised):
        return "exp" not in str(computed) and rational(promised) == rational(computed)
    return str(promised) == str(computed)
