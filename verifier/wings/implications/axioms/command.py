"""`pkdp axioms`: what each definition keeps under channels, mixtures and pairs, beside DP22's Table 3."""

from __future__ import annotations

from typing import Annotated

import typer

from verifier.cli.common import Reply


def axioms(
    definitions: Annotated[list[str] | None, typer.Argument(help="some definitions; default: all")] = None,
) -> Reply:
    """Derive from its parts whether a definition keeps post-processing, convexity and composition, beside Table 3.

    Exit status 0 when all verdicts were derived, 3 where one of the asked definitions has none.
    """
    from verifier.wings.implications.axioms.axioms import OPEN, verdicts
    from verifier.wings.implications.axioms.parts import keys, named
    from verifier.wings.implications.axioms.sheets import axiom_sheets, axioms_json

    asked = list(dict.fromkeys(named(name) for name in definitions or ()))
    is_open = any(verdict.verdict == OPEN for key in asked for verdict in verdicts(key))
    return Reply(lambda: axioms_json(asked, keys()), lambda: axiom_sheets(asked, keys()), 3 if is_open else 0)
