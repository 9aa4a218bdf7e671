"""Composing mechanisms in Python: each function gives what `build(mechanism=…)` takes, as a model file would say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from verifier.errors import InputError
from verifier.model.domain import Domain
from verifier.model.keys import Location
from verifier.model.mechanism import ADD_THE_ROW
from verifier.model.model import Model, need_model
from verifier.model.ranges import refuse_outputs
from verifier.model.read_distribution import every_database
from verifier.model.read_mechanism import read_mechanism
from verifier.tables import Spelling

Given = Any
"""What `build(mechanism=…)` takes: a table of keys, a function of the database, or the mechanism of a model."""


def compose(*mechanisms: Given) -> dict[str, Any]:
    """Several mechanisms on one database, independent given the database: M(D) = [M₁(D), M₂(D), …] (`kind = "all"`).

    >>> compose({"kind": "count", "value": 1}, {"kind": "parity", "value": 1})["kind"]
    'all'
    """
    return {"kind": "all", "of": list(mechanisms)}


def adaptive(first: Given, following: Mapping[object, Given], otherwise: Given = None) -> dict[str, Any]:
    """`first`, then the mechanism that its output names: M(D) = [O₁, O₂], O₁ ~ first(D), O₂ ~ M_{O₁}(D).

    >>> follow_up = adaptive({"kind": "parity", "value": 1}, {0: {"kind": "sum"}}, {"kind": "constant", "output": "-"})
    >>> sorted(follow_up)
    ['first', 'kind', 'next', 'otherwise']
    """
    last = {} if otherwise is None else {"otherwise": otherwise}
    return {"kind": "adaptive", "first": first, "next": dict(following), **last}


def on_records(records: Sequence[int], mechanism: Given) -> dict[str, Any]:
    """The mechanism on a part of the database: it sees these records, in this order (`kind = "part"`).

    >>> on_records([0, 2], {"kind": "sum"})["records"]
    [0, 2]
    """
    return {"kind": "part", "records": list(records), "of": mechanism}


def choose(*choices: tuple[object, Given], shown: bool = False) -> dict[str, Any]:
    """One of several mechanisms at random, from pairs (probability, mechanism); `shown` puts out which as well.

    P[M(D) = O] = Σₖ wₖ·P[Mₖ(D) = O] (DMKB20, Proposition 5).

    >>> choose(("1/3", {"kind": "sum"}), ("2/3", {"kind": "maximum"}))["of"][0]["weight"]
    '1/3'
    """
    return {"kind": "choice", "of": [{"weight": w, "mechanism": mechanism} for w, mechanism in choices], "shown": shown}


def post_process(mechanism: Given, *steps: Given) -> dict[str, Any]:
    """The mechanism followed by channels on its outputs, as in `then`: M(D) = f(N(D)).

    >>> odd = post_process({"kind": "sum"}, {"rows": [{"input": 1, "output": "odd"}], "otherwise": "even"})
    >>> len(odd["then"])
    1
    """
    return {"kind": "part", "of": mechanism, "then": list(steps)}


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
    if isinstance(mechanism, Model):
        raise InputError("you gave a Model", where="mechanism", wanted="a mechanism", tip="model.mechanism")
    index = {value.text: position for position, value in enumerate(model.values)}
    named = tuple(output for _, outputs in model.policy.outputs for output in outputs)
    domain = Domain(model.values, model.size, Spelling(model.values), index, model.sizes, named=named)
    location = Location(model.title, ("[mechanism]",), ("mechanism",))
    replacement = read_mechanism(mechanism, domain, location)
    refuse_outputs(model.policy.outputs, replacement, None, Location(model.title))
    if replacement.domain is not None:
        every_database(set(replacement.domain), domain, location, model.thetas, ADD_THE_ROW)
    return replace(model, mechanism=replacement, expectations=(), path="", sha256="", text="")
