"""The `[policy]` of a search: the same fields in every model, for the definitions of DP22 that read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from verifier.definitions import find
from verifier.errors import InputError, UnsupportedError, Where
from verifier.model import Model, build
from verifier.model.policy import CONSTANT
from verifier.model.read import tables_of
from verifier.model.write import toml_text
from verifier.numbers import plural, shorten
from verifier.questions.check import check
from verifier.questions.statement import Holds, Scaled, Statement, atoms
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.scope import Scope

ALIKE = frozenset((*CONSTANT, "neighbours"))
"""Fields that name no value, record, database or output, so that a renamed model has the same answers."""
TIP = "every model of the scope has the same [policy], those with one record, two values and one output too"


LINES = "lines of [policy], such as `order = 2`"


def policy_text(policy: object) -> str:
    """The lines of `[policy]` of all models of a search, from a table or its lines; empty without a policy.

    >>> policy_text({"order": 2}), policy_text("order = 2"), policy_text(None)
    ('order = 2', 'order = 2', '')

    Raises:
        InputError: for a policy that is no table.

    """
    if policy is None or (isinstance(policy, str) and not policy):
        return ""
    fields: Mapping[str, Any]
    if isinstance(policy, str):
        try:
            tables = tables_of(f"[policy]\n{policy}")
        except InputError as error:
            raise InputError(error.message, where="policy=", wanted=LINES) from None
        if set(tables) != {"policy"}:
            raise InputError("there is more than one table", where="policy=", wanted=LINES)
        fields = tables["policy"]
    elif isinstance(policy, Mapping):
        fields = policy
    else:
        raise InputError(f"{shorten(policy)} is not a table", where="policy=", wanted='a table such as {"order": 2}')
    return toml_text({"policy": dict(fields)}).strip().removeprefix("[policy]").strip()


def policy_keys(text: str) -> dict[str, Any]:
    """The key `policy` of a model file with its fields, from the lines of `[policy]`; empty without lines."""
    return {"policy": tables_of(f"[policy]\n{text}")["policy"]} if text else {}


def absent_value(text: str) -> int | None:
    """The position in T of the value of an absent record; the values of a search are 0, 1, …; None without one."""
    named = policy_keys(text).get("policy", {}).get("absent")
    return None if named is None else int(named)


def names_nothing(text: str) -> bool:
    """Whether a policy stays the same when values, records and outputs are renamed."""
    fields = policy_keys(text).get("policy", {})
    return set(fields) <= ALIKE and fields.get("distance", "hamming") == "hamming"


def admit_policy(text: str, scope: Scope, statements: Iterable[Statement]) -> None:
    """Refuse a policy that some model of the scope cannot have, and definitions of DP22 that no model of it decides.

    Raises:
        InputError: for a policy that is invalid in some model of the scope.
        UnsupportedError: for a definition that misses a field, or is asked about an ε or a δ that it does not have.

    """
    if text:
        for shape in dict.fromkeys((shape.records, shape.values, shape.outputs) for shape in scope.shapes()):
            _smallest(*shape, text)
    for atom in (atom for statement in statements for atom in atoms(statement)):
        if isinstance(atom, Holds) and find(atom.definition).reads_policy:
            _admit(atom, text)


def _smallest(records: int, values: int, outputs: int, text: str) -> Model:
    """The model of a shape with one possible database, whose outputs are equally likely, with a policy."""
    databases = values**records
    mechanism = ((1,) * outputs,) * databases
    candidate = Candidate(records, values, outputs, 1, 1, outputs, (1, *[0] * (databases - 1)), mechanism)
    try:
        return build(**candidate.keys(), **policy_keys(text))
    except InputError as error:
        shape = f"{plural(records, 'record')}, {plural(values, 'value')} and {plural(outputs, 'output')}"
        raise error.but(where=Where(f"policy=, in models of {shape}", ("policy",)), tip=TIP) from None


def _admit(atom: Holds, text: str) -> None:
    """Refuse a definition of DP22 that is unsupported in the smallest model, as it would be in all."""
    definition = find(atom.definition)
    if atom.epsilon is not None and not definition.has_epsilon:
        raise UnsupportedError(
            f"{definition.key} has no ε: its parameters stand in [policy]", tip=f"ask {definition.key} alone"
        )
    if not definition.has_delta and (isinstance(atom.delta, Scaled) or atom.delta):
        raise UnsupportedError(f"{definition.key} has no δ", tip=f"ask {definition.key}(epsilon=…) alone")
    if definition.undecided:
        raise UnsupportedError(f"{definition.key} is not decided: {definition.undecided}")
    answer = check(_smallest(1, 2, 1, text), definition, replay=False)
    if answer.verdict == "unsupported":
        reason = (answer.reason or "").partition(" Hint: ")[0].removesuffix(".")
        raise UnsupportedError(
            f"no model of this search decides {definition.key}: {reason}",
            tip="policy= gives all models the same [policy], such as `order = 2`, `sensitive = [0]` or `absent = 0`",
        )
