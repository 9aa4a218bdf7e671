"""What each definition asks, in one plain sentence; and which of two that are often confused is meant."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from verifier.definitions import Definition

NP_OR_CDP = """\
NP compares what can happen, CDP what would happen.

Two friends always vote alike, and the parity of their two votes is published. The parity is always even.

- **NP** (`np`) compares the outputs of the people who can exist: two who voted no, and two who voted yes. Both give
  "even", so the attacker learns nothing: `np` holds with ε = 0.
- **CDP** (`cdp`) compares what is published with what would have been published if somebody had changed one vote and
  nothing else. A single changed vote turns "even" into "odd", so `cdp` fails for every ε.

If records are independent, NP and CDP agree. Choose `np` to ask what an attacker can learn about a record, also through
the records that go with it. Choose `cdp` to ask what the mechanism itself does with that record."""
"""The section *NP or CDP?* of the pages about definitions; the model is `DMKB20/example-4-repaired`."""


def plainly(definition: Definition) -> str:
    """What a definition asks, in one sentence; empty for one of the user's own.

    >>> from verifier.definitions import find
    >>> plainly(find("bodp"))
    'If one record changes, the output distribution hardly changes.'
    """
    return "" if definition.own else _sentences().get(definition.key, "")


@cache
def _sentences() -> Mapping[str, str]:
    text = (files("verifier.show") / "plainly.toml").read_text(encoding="utf-8")
    sentences: Mapping[str, str] = tomllib.loads(text)
    return sentences
