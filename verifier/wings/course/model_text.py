"""The models that students make, as the text of model files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from verifier.errors import LimitError
from verifier.model.write import toml_text
from verifier.numbers import exact_text
from verifier.programs.runner import Program, takes_generator

MOST_DATABASES = 256
"""Most databases on which a Python function is listed as a table."""


def model_text(keys: Mapping[str, Any]) -> str:
    """Return the text of a model file with these keys, which `verifier.build` takes as well.

    A mechanism, or knowledge, that is a Python function from databases is listed as a table, also if it is random.

    >>> print(
    ...     model_text(
    ...         {
    ...             "size": 1,
    ...             "values": [0, 1],
    ...             "distribution": {"iid": {0: "1/2", 1: Fraction(1, 2)}},
    ...             "mechanism": lambda database: f"saw {database[0]}",
    ...         }
    ...     )
    ... )
    size   = 1
    values = [0, 1]
    <BLANKLINE>
    [[distribution]]
    iid = { 0 = "1/2", 1 = "1/2" }
    <BLANKLINE>
    [mechanism]
    table = [{ database = [0], output = "saw 0" }, { database = [1], output = "saw 1" }]
    <BLANKLINE>

    Raises:
        LimitError: where a function would be listed on more than 256 databases.

    """
    tables = {key: _listed(value, keys) for key, value in keys.items()}
    distribution = tables.pop("distribution", None)
    if distribution is not None:
        tables["distribution"] = distribution if isinstance(distribution, list) else [distribution]
    return toml_text(_exact(tables))


def _listed(value: Any, keys: Mapping[str, Any]) -> Any:
    return {"table": _rows(value, keys["values"], keys["size"])} if callable(value) else value


def _rows(function: Callable[..., Any], values: Sequence[Any], size: int) -> list[dict[str, Any]]:
    count = len(values) ** size
    if count > MOST_DATABASES:
        raise LimitError(f"the function has {count:,} databases", wanted=f"at most {MOST_DATABASES} to be listed")
    rows = []
    called = Program(function).law if takes_generator(function) else function
    for database in product(values, repeat=size):
        output = called(database)
        key = "outputs" if isinstance(output, Mapping) else "output"
        rows.append({"database": list(database), key: output})
    return rows


def _exact(value: Any) -> Any:
    """Return the value with texts in place of fractions, and text keys, as a model file writes them."""
    if isinstance(value, Mapping):
        return {str(key): _exact(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_exact(item) for item in value]
    return exact_text(value) if isinstance(value, Fraction) else value
