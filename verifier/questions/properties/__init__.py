"""Properties: questions about a model without ε, each with its verdict and evidence."""

from __future__ import annotations

from collections.abc import Callable

from verifier.engine import Engine
from verifier.model import Model
from verifier.questions.properties.anonymity import k_anonymity, strongly_safe
from verifier.questions.properties.bijection import check_bijection
from verifier.questions.properties.property import Property
from verifier.questions.properties.reducible import reducible
from verifier.questions.properties.strength import stronger

PROPERTIES: dict[str, Callable[[Model, Engine], Property]] = {
    "reducible": reducible,
    "k-anonymity": lambda model, _: k_anonymity(model).as_property(),
    "strongly-safe": lambda model, _: strongly_safe(model).as_property(),
}
"""The properties that `pkdp property` lists, by name."""

__all__ = ["PROPERTIES", "Property", "check_bijection", "k_anonymity", "reducible", "stronger", "strongly_safe"]
