"""The comparisons of definitions of DP22 that are linear in the mechanism, as laws on databases.

The survey's rows are asked of the mechanism that puts out the database itself: a law of outputs is then a law on
databases. Only definitions whose rows look at outputs alone, and bound P(o) - e^(c·ε)·Q(o), are listed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from verifier.checker import scalars
from verifier.checker.curves import Curve
from verifier.checker.numbers import Rejected
from verifier.checker.setting import Setting, on_databases, telling
from verifier.checker.survey import SURVEY, WORST

LINEAR = frozenset(
    (
        # relations between databases, at a multiple of ε
        "dp-any", "adp", "ubodp", "attdp", "bitdp", "osdp", "asdp", "cldp", "eldp", "grdp", "depdp", "flpr",
        "individual-dp", "pidp", "gcdp-km", "consdp", "dlpr-zlw", "sidp", "induced-neighbours-dp", "bfpr", "perdp",
        "taidp", "outpr", "pardp", "iddp", "ddpr", "smdp", "psdp", "indpr",
        # laws of databases under θ
        "baydp-ysn", "cordp", "pridp", "baydp-ll", "pfpr", "dnpr", "pbdp", "ednpr",
    )
)  # fmt: skip
"""The survey's keys of the definitions that are linear in the mechanism."""
Db: TypeAlias = tuple[str, ...]
Law: TypeAlias = dict[Db, Fraction]


def compared(kind: str, certificate: dict[str, Any], delta: Fraction | None) -> dict[str, tuple[int, Law, Law]]:
    """The multiple of ε and the two laws of each row, by its words; `delta` is None for the δ that is maximised.

    Raises:
        Rejected: for a definition that is not linear, has no δ, or allows no whole multiple of ε.

    """
    if kind not in LINEAR:
        raise Rejected(f"{kind!r} is no definition that is linear in the mechanism")
    setting = _identity(certificate)
    scheme = SURVEY[kind]
    measure = scheme.measure(setting)
    is_curve = measure == Curve()
    if scheme.counts != WORST or not (is_curve or measure is scalars.ratio):
        raise Rejected(f"{kind} is not linear in the mechanism")
    if not is_curve and delta != 0:
        raise Rejected(f"{kind} has no δ")
    rows: dict[str, tuple[int, Law, Law]] = {}
    for row in scheme.rows(setting):
        if row.scale.denominator != 1:
            raise Rejected(f"{kind} allows {row.scale}·ε, whose exponential need not be rational")
        p, q = (on_databases(law) for law in (row.p, row.q))
        entry = row.scale.numerator, p, q
        if rows.setdefault(row.words, entry) != entry:
            raise Rejected(f"two rows are called {row.words}")
    return rows


def _identity(certificate: dict[str, Any]) -> Setting:
    """The setting of a certificate of a worst mechanism, with the mechanism that puts out its database."""
    records, tables = certificate["records"], {key: certificate[key] for key in ("values", "size", "worlds")}
    secrets = ["S"] if records is None else records
    policy = certificate.get("policy", {})
    return telling(Setting({**tables, "secrets": secrets, "policy": policy, "mechanism": []}))
