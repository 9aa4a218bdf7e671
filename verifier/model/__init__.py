"""What is modelled: distributions, mechanisms, knowledge, what is protected; reading and refusing files."""

from verifier.model.dependent import Exchangeable, Network
from verifier.model.distribution import (
    NOTHING,
    Groups,
    Independent,
    Mixture,
    Shape,
    Table,
    Theta,
    Zeta,
)
from verifier.model.mechanism import (
    Database,
    Element,
    Mechanism,
    Repeated,
    Statistic,
    Threshold,
    World,
    check_size,
    counted,
    database_text,
    groups_of,
    replaced,
)
from verifier.model.model import Model, Normalization, Secret, need_distributions, need_model, subject_of
from verifier.model.read import build, loads, read

__all__ = [
    "NOTHING",
    "Database",
    "Element",
    "Exchangeable",
    "Groups",
    "Independent",
    "Mechanism",
    "Mixture",
    "Model",
    "Network",
    "Normalization",
    "Repeated",
    "Secret",
    "Shape",
    "Statistic",
    "Table",
    "Theta",
    "Threshold",
    "World",
    "Zeta",
    "build",
    "check_size",
    "counted",
    "database_text",
    "groups_of",
    "loads",
    "need_distributions",
    "need_model",
    "read",
    "replaced",
    "subject_of",
]
