"""Bad ways to look through a scope: tables that do not fit, checkpoints of other questions, clusters that are none."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

import json

from .entry import Bad

FINE = ("search", "--claim", "np(e) => cdp(e)")
DONE = {
    "shards": 1,
    "result": {
        "orbits": 1,
        "models": 1,
        "found": 0,
        "undecided": 0,
        "first": None,
        "orbits_until": 0,
        "models_until": 0,
    },
    "complete": True,
}
OTHER = json.dumps(
    {
        "format": 1,
        "question": {"scope": {}, "satisfied": [], "violated": "dp", "vacuous": False, "exhaust": False},
        "done": DONE,
    }
)
SCHEDULER = r"wanted dask://host:port of a scheduler\. Tip: dask://127\.0\.0\.1:8786\."
HUGE = ("--max-models", "9" * 60)

ENTRIES = (
    *(
        Bad(f"the workers {given}", None, rf"--workers: given {given}; {SCHEDULER}", (*FINE, "--workers", given))
        for given in ("dask://", "dask://here", "dask://here:port", "spark://here:8786")
    ),
    Bad("a checkpoint of another question", OTHER, r"FILE: this checkpoint is of another question: scope, satisfied, violated, piece differ; wanted the same scope and statements as before\. Tip: name another file, or delete this one to start again\.", (*FINE, "--checkpoint", "{file}")),
    Bad("a checkpoint with nothing done", OTHER.replace('"done"', '"gone"'), r"FILE: this file is no checkpoint of a search \(KeyError\); wanted a file that --checkpoint wrote, or a name that is free\.", (*FINE, "--checkpoint", "{file}")),
    Bad("a checkpoint in no folder", None, r"--checkpoint: the folder nowhere is not there; wanted a file in a folder that exists\.", (*FINE, "--checkpoint", "nowhere/c.json")),
    Bad(
        "distributions that do not fit",
        None,
        r"scope: 3 records, 4 values, 2 knowledge values with 4 possible worlds have [\d,]+ distributions; wanted at most 8,388,608 at once\. Tip: use fewer records, values or knowledge values, or a coarser grid \(weights\)\.",
        (*FINE, "--records", "3", "--values", "4", "--knowledge", "3", *HUGE),
        status=3,
    ),
    Bad(
        "mechanisms that have no number of 64 bits",
        None,
        r"scope: 4 records, 3 values, 2 outputs have more than 2\^62 mechanisms; wanted fewer\. Tip: .*",
        (*FINE, "--records", "4", "--values", "3", "--weights", "1", "--mechanism-weights", "1", *HUGE),
        status=3,
    ),
)  # fmt: skip
