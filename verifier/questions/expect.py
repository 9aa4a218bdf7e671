"""The answers that a model file promises in `[[expect]]`, compared with what is computed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from verifier.definitions import Verdict, find
from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model import Model
from verifier.model.model import Expectation, RecordSecrets
from verifier.numbers import DIGITS, Epsilon, epsilon, rational
from verifier.questions.ask import check
from verifier.questions.normalization import acceptable
from verifier.questions.properties import PROPERTIES
from verifier.questions.properties.anonymity import k_anonymity, strongly_safe


@dataclass(frozen=True)
class Outcome:
    """One expectation and what was found; `differences` lists (key, promised, found)."""

    question: str
    differences: tuple[tuple[str, str, str], ...]

    @property
    def agrees(self) -> bool:
        """Whether every promised answer was found."""
        return not self.differences

    def __str__(self) -> str:
        if self.agrees:
            return self.question
        return self.question + "; " + "; ".join(f"{k}: promised {p}, found {f}" for k, p, f in self.differences)

    def to_json(self) -> dict[str, Any]:
        """One entry of `pkdp check --expect --json`."""
        names = ("key", "promised", "found")
        return {
            "question": self.question,
            "agrees": self.agrees,
            "differences": [dict(zip(names, one, strict=True)) for one in self.differences],
        }


def compare(
    model: Model, engine: Engine | None = None, tick: Callable[[int, int], object] | None = None
) -> list[Outcome]:
    """Answer every question of the file and compare, exactly; `tick` is told how many are answered, and of how many."""
    engine = engine or Engine(model)
    outcomes = []
    for promised in model.expectations:
        outcomes.append(outcome(model, promised, engine))
        if tick:
            tick(len(outcomes), len(model.expectations))
    return outcomes


def outcome(model: Model, promised: Expectation, engine: Engine) -> Outcome:
    """Answer one question and compare, exactly."""
    question = dict(promised.question)
    _fitting(promised, model.path)
    text = " ".join([promised.definition, *(f"{key}={value}" for key, value in question.items())])
    if promised.definition == "k-anonymity":
        found = k_anonymity(model, question.get("k")).to_json()
    elif promised.definition == "strongly-safe":
        found = strongly_safe(model).to_json()
    elif promised.definition == "acceptable":
        found = _acceptable(model, question)
    elif promised.definition in PROPERTIES:
        if extra := question.keys() - {"record", "distribution"}:
            words = f"[[expect]] asks for {promised.definition} with {min(extra)}"
            raise InputError(words, where=model.path, wanted="`record` and `distribution` at most, for a property")
        asked = restricted(model, question)
        found = PROPERTIES[promised.definition](asked, engine if asked is model else Engine(asked)).to_json()
    else:
        digits = _digits(promised.answer)
        found = answered(model, promised, engine, digits)[0].to_json(10**9, digits)
    differences = tuple(
        (key, str(value), str(found.get(key)))
        for key, value in promised.answer.items()
        if not _same(key, value, found.get(key))
    )
    return Outcome(text, differences)


def answered(model: Model, promised: Expectation, engine: Engine, digits: int = DIGITS) -> tuple[Verdict, Engine]:
    """The answer about a definition that is asked, and the engine of the part of the model that it is about.

    The engine of the whole model keeps it for the next time that the same is asked.
    """
    key = "answered", promised.definition, repr(sorted(promised.question.items())), digits
    return engine.once(key, lambda: _answered(model, promised, engine, digits))


def _answered(model: Model, promised: Expectation, engine: Engine, digits: int) -> tuple[Verdict, Engine]:
    asked, question = restricted(model, promised.question), promised.question
    mine = engine if asked is model else Engine(asked)
    verdict = check(
        asked,
        find(promised.definition),
        epsilon=question.get("epsilon"),
        delta=question.get("delta", 0),
        reading=question.get("reading", "default"),
        engine=mine,
        digits=digits,
    )
    return verdict, mine


def _fitting(promised: Expectation, path: str) -> None:
    """Refuse a question with a key that its definition, or property, does not have."""
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
    """The model with only the asked distribution and record, where the question names them."""
    if "distribution" not in question and "record" not in question:
        return model
    thetas = tuple(one for one in model.thetas if one.name == question.get("distribution", one.name))
    secrets = model.secrets
    if "record" in question:
        secrets = secrets.only(question["record"]) if isinstance(secrets, RecordSecrets) else ()
    if not thetas or not secrets:
        raise InputError(f"[[expect]] asks for {dict(question)}", where=model.path, wanted="a sensitive record of a θ")
    return replace(model, thetas=thetas, secrets=secrets)


def _acceptable(model: Model, question: Mapping[str, Any]) -> dict[str, Any]:
    name = question.get("distribution")
    fitting = [
        one
        for one in acceptable(model)
        if (name is None or one.distribution == name) and ("record" not in question or one.record == question["record"])
    ]
    if not fitting:
        raise InputError(f"[[expect]] asks for {dict(question)}", where=model.path, wanted="a sensitive record of a θ")
    return {
        "acceptable": all(one.acceptable and not any(one.given) for one in fitting),
        "reason": next((one.reason for one in fitting if one.reason), None),
    }


def _same(key: str, promised: object, found: object) -> bool:
    """Compare exactly, numbers by value: `0.5` agrees with `1/2`."""
    if promised is None or found is None or isinstance(promised, bool):
        return promised == found
    if key == "tight_epsilon":
        wanted: Epsilon = epsilon(promised)
        return wanted == epsilon(found)
    if key == "tight_delta" and "exp" not in str(promised):
        return "exp" not in str(found) and rational(promised) == rational(found)
    return str(promised) == str(found)
