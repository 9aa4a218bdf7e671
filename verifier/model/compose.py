"""Composing mechanisms in Python: each function gives what `build(mechanism=…)` takes, as a model file would say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifier.errors import InputError
from verifier.model.arguments import pair, several, table, takes
from verifier.model.distribution import every_database
from verifier.model.forms import Domain
from verifier.model.keys import Location
from verifier.model.mechanism import ADD_THE_ROW, Mechanism, refuse_outputs
from verifier.model.model import Model, need_model
from verifier.model.plain import is_frame, plain
from verifier.model.read import asked_at_once
from verifier.model.read_mechanism import read_mechanism
from verifier.numbers import shorten
from verifier.tables import Spelling

Given = Any
"""What `build(mechanism=…)` takes: a table of keys, a function of the database, or the mechanism of a model."""


def _mechanism(given: Given, place: str) -> Given:
    """A mechanism as it is.

    Raises:
        InputError: for a model, whose mechanism is meant, and for what is no mechanism.

    """
    if isinstance(given, Model):
        tip = "model.mechanism; pk.with_mechanism(model, …) puts the new one in its place"
        raise InputError("you gave a Model", where=place, wanted="a mechanism", tip=tip)
    if not (isinstance(given, Mapping | Mechanism) or callable(given) or is_frame(given)):
        wanted = "a table of keys, a function of the database, or model.mechanism"
        raise InputError(f"{shorten(given)} is not a mechanism", where=place, wanted=wanted)
    return given


def _step(given: Given, place: str) -> Given:
    """A step as it is.

    Raises:
        InputError: for a function, and for what is no table.

    """
    if isinstance(given, Mapping):
        return given
    problem = "you gave a Model" if isinstance(given, Model) else f"{shorten(given)} is not a table"
    if callable(given) and not isinstance(given, Model):
        problem = "you gave a function of the output"
    tip = '{"rows": [{"input": 0, "output": "none"}], "otherwise": "some"}; a function may be the mechanism itself'
    raise InputError(problem, where=place, wanted="a step: a table with `rows` or `kind`", tip=tip)


def compose(*mechanisms: Given) -> dict[str, Any]:
    """Several mechanisms on one database, independent given the database: M(D) = [M₁(D), M₂(D), …] (`kind = "all"`).

    >>> compose({"kind": "count", "value": 1}, {"kind": "parity", "value": 1})["kind"]
    'all'
    """
    if not mechanisms:
        raise InputError("there is no mechanism", where="compose", wanted="at least one mechanism")
    return {"kind": "all", "of": [_mechanism(one, f"mechanism {k}") for k, one in enumerate(mechanisms, start=1)]}


@takes(following=table("from outputs of the first mechanism to mechanisms"))
def adaptive(first: Given, following: Mapping[object, Given], otherwise: Given = None) -> dict[str, Any]:
    """`first`, then the mechanism that its output names: M(D) = [O₁, O₂], O₁ ~ first(D), O₂ ~ M_{O₁}(D).

    >>> follow_up = adaptive({"kind": "parity", "value": 1}, {0: {"kind": "sum"}}, {"kind": "constant", "output": "-"})
    >>> sorted(follow_up)
    ['first', 'kind', 'next', 'otherwise']
    """
    last = {} if otherwise is None else {"otherwise": _mechanism(otherwise, "otherwise")}
    after = {output: _mechanism(one, f"following[{output!r}]") for output, one in following.items()}
    return {"kind": "adaptive", "first": _mechanism(first, "first"), "next": after, **last}


@takes(records=several("records"))
def on_records(records: Sequence[int], mechanism: Given) -> dict[str, Any]:
    """The mechanism on a part of the database: it sees these records, in this order (`kind = "part"`).

    >>> on_records([0, 2], {"kind": "sum"})["records"]
    [0, 2]
    """
    return {"kind": "part", "records": plain(list(records)), "of": _mechanism(mechanism, "mechanism")}


def choose(*choices: tuple[object, Given], shown: bool = False) -> dict[str, Any]:
    """One of several mechanisms at random, from pairs (probability, mechanism); `shown` puts out which as well.

    P[M(D) = O] = Σₖ wₖ·P[Mₖ(D) = O] (DMKB20, Proposition 5).

    >>> choose(("1/3", {"kind": "sum"}), ("2/3", {"kind": "maximum"}))["of"][0]["weight"]
    '1/3'
    """
    pairs = [
        pair("entries, (probability, mechanism)")(choice, f"choice {k}") for k, choice in enumerate(choices, start=1)
    ]
    of = [{"weight": w, "mechanism": _mechanism(one, f"choice {k}")} for k, (w, one) in enumerate(pairs, start=1)]
    return {"kind": "choice", "of": of, "shown": shown}


def post_process(mechanism: Given, *steps: Given) -> dict[str, Any]:
    """The mechanism followed by channels on its outputs, as in `then`: M(D) = f(N(D)).

    >>> odd = post_process({"kind": "sum"}, {"rows": [{"input": 1, "output": "odd"}], "otherwise": "even"})
    >>> len(odd["then"])
    1
    """
    then = [_step(step, f"step {k}") for k, step in enumerate(steps, start=1)]
    return {"kind": "part", "of": _mechanism(mechanism, "mechanism"), "then": then}


def with_mechanism(model: Model, mechanism: Given) -> Model:
    """The same Θ, Z, policy and protected values with another mechanism; the file's promised answers are dropped.

    >>> from verifier.model import build
    >>> vote = build(size=2, values=[0, 1], distribution={"iid": {0: "3/4", 1: "1/4"}}, mechanism={"kind": "sum"})
    >>> with_mechanism(vote, compose(vote.mechanism, {"kind": "parity", "value": 1})).mechanism.title
    'all of (sum of the records; parity of the count of 1)'

    Raises:
        InputError: where it is no mechanism for databases of this size and these values, and where `[policy]` names a
            part of a tail of its noise.

    """
    need_model(model)
    mechanism = plain(_mechanism(mechanism, "mechanism"))
    index = {value.text: position for position, value in enumerate(model.values)}
    named = tuple(output for _, outputs in model.policy.outputs for output in outputs)
    domain = Domain(model.values, model.size, Spelling(model.values), index, model.sizes, named=named)
    location = Location(model.title, ("[mechanism]",), ("mechanism",))
    replacement = read_mechanism(mechanism, domain, location)
    refuse_outputs(model.policy.outputs, replacement, None, Location(model.title))
    if replacement.domain is not None:
        every_database(set(replacement.domain), domain, location, model.thetas, ADD_THE_ROW)
    return asked_at_once(model.changed(mechanism=replacement, expectations=(), path=""))
