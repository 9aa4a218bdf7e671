"""How long each definition takes on every example model: processor time, one fresh engine a question, replay included.

    python benchmarks/definitions.py [FOLDER …]      default: DMKB20 DKM19 LQS12 relations composition

Printed for each definition: the number of models that it was decided on, the median, and the slowest model.
"""

from __future__ import annotations

import sys
import time
from statistics import median

from verifier import DEFINITIONS, check, read
from verifier.model.library import models_folder

FOLDERS = ("DMKB20", "DKM19", "LQS12", "relations", "composition")
EPSILON = "ln(2)"
SMALL = 64
"""Models of more records are left to referendum.py."""


def main(folders: list[str]) -> None:
    """Ask everything once, and print a table."""
    times: dict[str, list[tuple[float, str]]] = {}
    for path in sorted(path for one in folders for path in (models_folder() / one).glob("*.toml")):
        model = read(path)
        if model.size > SMALL:
            continue
        for name in DEFINITIONS:
            began = time.process_time()
            answer = check(model, name, epsilon=EPSILON)
            spent = time.process_time() - began
            if answer.verdict != "unsupported":
                times.setdefault(name, []).append((spent, f"{path.parent.name}/{path.stem}"))
    print(f"ε = {EPSILON}; models of up to {SMALL} records; seconds of processor time, replay included\n")
    print("| definition | models | median | slowest | model |\n|---|---|---|---|---|")
    for name, found in times.items():
        slowest, where = max(found)
        print(f"| {name} | {len(found)} | {median(t for t, _ in found):.3f} | {slowest:.2f} | {where} |")


if __name__ == "__main__":
    main(sys.argv[1:] or list(FOLDERS))
