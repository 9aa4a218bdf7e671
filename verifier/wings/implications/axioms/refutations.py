"""Models that refute an axiom: two mechanisms, or one and a channel, whose combination is worse than the axiom allows.

The mechanisms are model files in `models/axioms`; their combination is computed here, and the deciders say for each
definition whether it violates the axiom. The data do not say which definitions a refutation is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

from verifier.definitions import Verdict
from verifier.errors import InputError, LimitError, UndecidedError, UnsupportedError
from verifier.model import Model, read
from verifier.model.compose import choose, compose, post_process, with_mechanism
from verifier.model.library import models_folder
from verifier.numbers import ZERO, Delta, Enclosure, Epsilon, Order, probability
from verifier.questions.check import check
from verifier.wings.implications.axioms.facts import AXIOMS, table

PRECISION = 64
"""Bits of the bounds at which two smallest ε are compared."""
SHOWS = ("no-bound", "not-zero", "not-added")
"""How a pair refutes composition: it is as bad as the database itself; above 0 where both are at 0; above the sum."""


@dataclass(frozen=True)
class Refutation:
    """Two mechanisms, or one and a channel, and the question that is asked of them and of their combination.

    `channel` is a step of `then`, `weight` the probability of the first mechanism in a mixture, `epsilon` and `delta`
    the question; without ε the smallest ε are compared. With a rate `sample` each mechanism, and the pair, sees a
    sample of the database.
    """

    name: str
    axiom: str
    first: str
    second: str = ""
    channel: Mapping[str, Any] = field(default_factory=dict, hash=False)
    weight: str = "1/2"
    epsilon: str | None = None
    delta: str = "0"
    shows: str = "no-bound"
    sample: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the model files under `models`, without endings."""
        return tuple(name for name in (self.first, self.second) if name)

    @property
    def combined(self) -> str:
        """The combination in words like those of the search's language, such as `post(…)` or `pair(…, …)`."""
        names = [name.rpartition("/")[2] for name in self.files]
        if self.axiom == "post-processing":
            return f"post({names[0]})"
        if len(names) == 1:
            return f"twice({names[0]})"
        return f"{'mix' if self.axiom == 'convexity' else 'pair'}({', '.join(names)})"


@dataclass(frozen=True)
class Shown:
    """A refutation of an axiom for one definition: the values before and after combination, as exact texts."""

    refutation: Refutation
    key: str
    before: tuple[str, ...]
    after: str
    asked: str

    @property
    def sentence(self) -> str:
        """The models and the values, in words."""
        before = " and ".join(self.before)
        return f"{self.refutation.combined}: {self.asked} is {before}, then {self.after}"


@cache
def refutations() -> Mapping[str, Refutation]:
    """Every refutation by its name.

    >>> refutations()["tail-merged"].combined
    'post(tail-two-thirds)'

    Raises:
        InputError: for data in another form.

    """
    listed = [Refutation(**given) for given in table("refutations")["refutation"]]
    for each in listed:
        has_channel = each.axiom == "post-processing"
        if each.axiom not in AXIOMS or each.shows not in SHOWS or bool(each.channel) is not has_channel:
            raise InputError(
                f"{each} has an unknown part", where="refutations.toml", wanted="an axiom with what it combines"
            )
    return {each.name: each for each in listed}


@cache
def model_of(name: str) -> Model:
    """The model of a file under `models`, by its name without the ending."""
    return read(models_folder() / f"{name}.toml")


@cache
def combination(name: str) -> Model:
    """The model with the combination of a refutation's mechanisms; all else is as in the first mechanism's model."""
    refutation = refutations()[name]
    models = [model_of(file) for file in refutation.files]
    if refutation.axiom == "post-processing":
        mixed = post_process(models[0].mechanism, refutation.channel)
    elif refutation.axiom == "convexity":
        weight = probability(refutation.weight, "weight")
        mixed = choose((weight, models[0].mechanism), (1 - weight, models[-1].mechanism))
    else:
        mixed = compose(models[0].mechanism, models[-1].mechanism)
    return _sampled(with_mechanism(models[0], mixed), refutation)


def _sampled(model: Model, refutation: Refutation) -> Model:
    """The model whose mechanism sees a sample of the database, if the refutation has a rate."""
    if not refutation.sample:
        return model
    return with_mechanism(model, {"kind": "part", "of": model.mechanism, "sample": refutation.sample})


def shown(refutation: Refutation, key: str, *, replay: bool = False) -> Shown | None:
    """The values by which a refutation refutes the axiom for a definition; None where it does not, or cannot be asked.

    >>> print(shown(refutations()["tail-merged"], "prodp").sentence)
    post(tail-two-thirds): δ at ε = 0 is 2/3, then 5/6
    """
    models = [_sampled(model_of(file), refutation) for file in refutation.files]
    combined = combination(refutation.name)
    try:
        answers = [_asked(model, refutation, key, replay=replay) for model in models]
        after = _asked(combined, refutation, key, replay=replay)
        if any(answer.verdict in {"unsupported", "undecided", "vacuous"} for answer in (*answers, after)):
            return None
        if not _violated(refutation, key, answers, after):
            return None
    except (UnsupportedError, UndecidedError, LimitError, InputError):
        return None
    return Shown(refutation, key, tuple(map(_text, answers)), _text(after), _words(refutation, after))


def _asked(model: Model, refutation: Refutation, key: str, *, replay: bool) -> Verdict:
    return check(model, key, epsilon=refutation.epsilon, delta=refutation.delta, replay=replay)


def _violated(refutation: Refutation, key: str, answers: list[Verdict], after: Verdict) -> bool:
    """Whether the combination is worse than the axiom allows."""
    if refutation.axiom != "composition":
        return all(_less(answer, after) for answer in answers)
    if refutation.shows == "not-zero":
        return all(answer.tight_epsilon == ZERO for answer in answers) and _less(answers[0], after)
    if refutation.shows == "not-added":
        parts = [answers[0], answers[-1]]
        if any(map(_infinite, (*parts, after))):
            return _infinite(after) and not any(map(_infinite, parts))
        return sum((_ends(answer)[1] for answer in parts), Fraction(0)) < _ends(after)[0]
    model = model_of(refutation.first)
    worst = _asked(with_mechanism(model, {"kind": "identity"}), refutation, key, replay=False)
    return _same(worst, after) and all(_less(answer, after) for answer in answers)


def _same(first: Verdict, second: Verdict) -> bool:
    """Whether two answers are equal, so that the pair tells as much as the database itself."""
    values = [(each.tight_epsilon, each.tight_delta, each.verdict) for each in (first, second)]
    return values[0] == values[1]


def _less(first: Verdict, second: Verdict) -> bool:
    """Whether the first answer is strictly better, by δ at the asked ε, else by the smallest ε, else by the verdict."""
    x, y = first.tight_delta, second.tight_delta
    if first.epsilon is not None and isinstance(x, Delta) and isinstance(y, Delta):
        return x.order(y) is Order.LESS
    if first.epsilon is not None or first.tight_epsilon is None or second.tight_epsilon is None:
        return first.verdict == "holds" and second.verdict == "fails"
    if _infinite(first) or _infinite(second):
        return not _infinite(first)
    return _ends(first)[1] < _ends(second)[0]


def _infinite(answer: Verdict) -> bool:
    return isinstance(answer.tight_epsilon, Epsilon) and answer.tight_epsilon.is_infinite


def _ends(answer: Verdict) -> tuple[Fraction, Fraction]:
    """Rational bounds of a finite smallest ε."""
    value = answer.tight_epsilon
    if isinstance(value, Enclosure):
        return value.low.value, value.high.value
    if not isinstance(value, Epsilon):
        raise UndecidedError(f"{answer.definition} has no smallest ε here")
    return value.bracket(PRECISION)


def _text(answer: Verdict) -> str:
    value = answer.tight_epsilon if answer.epsilon is None else answer.tight_delta
    return answer.verdict if value is None else str(value)


def _words(refutation: Refutation, answer: Verdict) -> str:
    if refutation.epsilon is not None and answer.tight_delta is None:
        return f"at ε = {refutation.epsilon} it"
    if refutation.epsilon is not None:
        return f"δ at ε = {refutation.epsilon}"
    return "the verdict" if answer.tight_epsilon is None else "smallest ε"
