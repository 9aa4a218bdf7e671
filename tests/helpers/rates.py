"""Models whose exchange rates are known."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import verifier as pk
from verifier.errors import InputError
from verifier.model.parameters import Family
from verifier.model.read import loads_any
from verifier.numbers import INFINITY, Epsilon, log_epsilon
from verifier.wings.exchange.answer import UNSUPPORTED
from verifier.wings.exchange.curve.answer import UNDECIDED, Curve

MODELS = Path(__file__).parents[1] / "attack" / "models"
TWINS, COIN, NOTHING_TO_COMPARE = (pk.read(MODELS / f"{name}.toml") for name in ("twins", "coin", "told-one"))
AGREEING_FILE = """
title = "two bits that agree"
size = 2
values = [0, 1]
[parameters]
agree = { above = "0", below = "1" }
[[distribution]]
table = [
  { database = [0, 0], probability = "agree/2" },
  { database = [0, 1], probability = "1/2 - agree/2" },
  { database = [1, 0], probability = "1/2 - agree/2" },
  { database = [1, 1], probability = "agree/2" },
]
"""


def write_files(folder: Path) -> Path:
    """Write files about which rates are asked: with parameters, with a mechanism and without one; return the folder."""
    twins = (MODELS / "twins.toml").read_text(encoding="utf-8")
    (folder / "agreeing.toml").write_text(AGREEING_FILE, encoding="utf-8")
    (folder / "twins.toml").write_text(twins, encoding="utf-8")
    (folder / "alone.toml").write_text(twins.partition("[mechanism]")[0], encoding="utf-8")
    return folder


def family(text: str) -> Family:
    """The models of a file with parameters, in which no mechanism stands."""
    found = loads_any(f'{text}[mechanism]\nkind = "sum"\n')
    assert isinstance(found, Family)
    return found


def agreeing(c: str) -> pk.Model:
    """Two bits that agree with probability c."""
    return family(AGREEING_FILE).at({"agree": Fraction(c)})


def three_values(**policy: object) -> pk.Model:
    """One record with three values, of which pairs are at distances, or may differ by multiples of ε."""
    return pk.build(size=1, values=[0, 1, 2], mechanism={"kind": "sum"}, policy=policy)


def rate_at(curve: Curve, at: Fraction) -> Epsilon | None:
    """The smallest ε′ on a curve at a value of its variable; None where it is not known there.

    Raises:
        InputError: for a value outside the range of the curve.

    """
    for cell in curve.cells:
        if cell.where.has(at):
            if cell.verdict in {UNDECIDED, UNSUPPORTED}:
                return None
            return INFINITY if cell.factor is None else log_epsilon(cell.factor.at(at), 1 / cell.scale)
    raise InputError(f"{curve.name} = {at} is out of range", wanted="a value in the range of the curve")
