"""Ask the explorer's questions, and print the answers; with `--slim` where only what the core needs may be imported.

Run as a program by tests/wings/explore/test_slim.py, in a process of its own.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "explorer_page"))
from program import WINGS  # type: ignore[import-not-found]  # noqa: E402

REFUSED = {
    *(
        "numpy",
        "typer",
        "click",
        "rich",
        "jinja2",
        "markupsafe",
        "matplotlib",
        "networkx",
        "sympy",
        "z3",
        "highspy",
    ),
    *("distributed", "multiprocessing", "concurrent.futures", "signal", "subprocess", "asyncio"),
}
"""Packages of extras, and what no browser has; `threading` and `socket` the standard library imports by itself."""
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("passport", {"epsilon": "ln(2)", "delta": "1/10"}),
    ("passport", {}),
    *(
        ("answer", {"definition": definition, "epsilon": epsilon, "delta": "1/20"})
        for definition in ("dp", "apkdp", "ppkdp", "cdp", "ibcdp", "ddp", "tail-ppkdp", "dps", "safe", "dependency")
        for epsilon in ("ln(3/2)", None)
    ),
    ("answer", {"definition": "ppkdp", "epsilon": "1/10", "delta": "0"}),
    *(
        ("recheck", {"definition": definition, "epsilon": "ln(3/2)", "delta": "1/20"})
        for definition in ("dp", "apkdp", "ppkdp", "cdp", "ibcdp", "ddp", "tail-ppkdp", "dps", "safe", "dependency")
    ),
    ("profile", {"definition": "ppkdp"}),
    ("profile", {"definition": "dp", "delta": "1/10"}),
    ("loss", {}),
    ("loss", {"record": 0}),
    ("acceptable", {}),
    ("exchange", {"from": "cdp", "to": "dp", "epsilon": "ln(2)"}),
    ("exchange", {"from": "np", "to": "cdp", "over": "ε"}),
    ("exchange", {"from": "dp", "to": "osdp", "epsilon": "ln(2)"}),
    ("exchange", {"from": "np", "to": "cdp", "epsilon": "ln(2)", "over": "agree"}),
    *(("expand", {"to": to}) for to in ("table", "mechanism-table", "knowledge-table")),
)


def _is_folder(name: str) -> bool:
    """Whether a module is a package: its file is `__init__.py`."""
    return (ROOT / name.replace(".", "/") / "__init__.py").is_file() and not WINGS.search(
        f"{name.removeprefix('verifier.').replace('.', '/')}/__init__.py"
    )


class Refusing:
    """Refuses to find what the core does not need."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """Refuse a module that is not the core's business, and one that is left out of the explorer's page."""
        if WINGS.search(f"{name.removeprefix('verifier.').replace('.', '/')}.py") and not _is_folder(name):
            raise ImportError(f"the explorer's page has no {name}", name=name)
        if name in REFUSED or name.partition(".")[0] in REFUSED:
            raise ImportError(f"the explorer's questions do not need {name}", name=name)


def no_thread(_thread: threading.Thread) -> None:
    """Refuse to start a thread."""
    raise RuntimeError("the explorer's questions start no thread")


def answers(files: Sequence[str]) -> dict[str, Any]:
    """Every question about every model file; how long it took is left out."""
    from verifier.wings.explore.routes import LISTS, Session

    session = Session()
    found: dict[str, Any] = {"definitions": LISTS["definitions"]({}), "examples": LISTS["examples"]({})}
    found["names"] = LISTS["names"]({})
    for name in files:
        text = Path(name).read_text(encoding="utf-8")
        read = found[f"{name} read"] = json.loads(session.answer("read", json.dumps({"text": text}).encode()))
        questions = [*ASKED, ("write", {})]
        for kind, asked in questions:
            body = json.dumps({"document": read["document"], **asked}).encode()
            found[f"{name} {kind} {json.dumps(asked)}"] = json.loads(session.answer(kind, body))
    for answer in found.values():
        if isinstance(answer, dict):
            answer.pop("milliseconds", None)
    return found


if __name__ == "__main__":
    slim = sys.argv[1] == "--slim"
    if slim:
        sys.meta_path.insert(0, Refusing())
        for name in REFUSED & sys.modules.keys():
            del sys.modules[name]
        threading.Thread.start = no_thread  # type: ignore[method-assign,assignment]
    json.dump(answers(sys.argv[2:]), sys.stdout)
