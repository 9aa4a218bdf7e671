"""What is modelled: distributions, mechanisms, knowledge, what is protected; reading and refusing files."""

from verifier.model.distribution import Independent, Mixture, Network, Table, Theta, World
from verifier.model.mechanism import (
    Database,
    Element,
    Mechanism,
    Statistic,
    check_size,
    counted,
    database_text,
    replaced,
)
from verifier.model.model import NOTHING, Model, Normalization, Secret, need_model, subject_of
from verifier.model.read import build, loads, read

__all__ = [
    "NOTHING",
    "Database",
    "Element",
    "Independent",
    "Mechanism",
    "Mixture",
    "Model",
    "Network",
    "Normalization",
    "Secret",
    "Statistic",
    "Table",
    "Theta",
    "World",
    "build",
    "check_size",
    "counted",
    "database_text",
    "loads",
    "need_model",
    "read",
    "replaced",
    "subject_of",
]
