"""A candidate as a short model file, with the answers that it promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from verifier.model.write import inline
from verifier.wings.search.candidate import Candidate


def table(name: str, rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The lines of a TOML array of tables, with a line for each row."""
    return [f"{name} = [", *(f"  {inline(dict(row))}," for row in rows), "]"]


def promised(answer: Mapping[str, Any]) -> list[str]:
    """The lines of an `[[expect]]` entry: an answer that the file promises."""
    return ["", "[[expect]]", *(f"{key} = {inline(value)}" for key, value in answer.items())]


def mechanism(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The lines of a mechanism's table; the law that most databases share, if several do, is `otherwise`."""
    outputs = [{key: value for key, value in row.items() if key != "database"} for row in rows]
    texts = list(map(inline, outputs))
    counts = Counter(texts)
    # the most frequent law; of equally frequent ones a single output before a random one, else the first
    common = max(counts, key=lambda text: (counts[text], "outputs" not in text))
    shared = next(output for output, text in zip(outputs, texts, strict=True) if text == common)
    label = shared.get("output", shared.get("outputs"))
    if counts[common] == len(rows) and isinstance(label, str):
        return ['kind   = "constant"', f"output = {inline(label)}"]
    if counts[common] == 1:
        return table("table", rows)
    listed = [row for row, text in zip(rows, texts, strict=True) if text != common] or list(rows[:1])
    return [*table("table", listed), f"otherwise = {inline(label)}"]


def file_text(
    candidate: Candidate, title: str, notes: str, expected: Sequence[Mapping[str, Any]], policy: str = ""
) -> str:
    """The text of a candidate's model file; `expected` has the promised answers, `policy` the lines of `[policy]`.

    >>> coin = Candidate(1, 2, 2, 1, 2, 1, (1, 1), ((1, 0), (0, 1)))
    >>> print(file_text(coin, "a bit", "", [{"definition": "np", "verdict": "fails"}]))
    title  = "a bit"
    size   = 1
    values = [0, 1]
    <BLANKLINE>
    [[distribution]]
    table = [
      { database = [0], probability = "1/2" },
      { database = [1], probability = "1/2" },
    ]
    <BLANKLINE>
    [mechanism]
    table = [
      { database = [0], output = "u" },
      { database = [1], output = "v" },
    ]
    <BLANKLINE>
    [[expect]]
    definition = "np"
    verdict = "fails"
    <BLANKLINE>
    """
    keys = candidate.keys()
    lines = [f"title  = {inline(title)}"]
    lines += [f"notes  = {inline(notes)}"] if notes else []
    lines += [f"size   = {keys['size']}", f"values = {inline(keys['values'])}", ""]
    lines += ["[[distribution]]", *table("table", keys["distribution"][0]["table"]), ""]
    if "sensitive" in keys:
        lines += ["[sensitive]", f"records = {inline(keys['sensitive']['records'])}", ""]
    lines += ["[mechanism]", *mechanism(keys["mechanism"]["table"])]
    lines += ["", "[policy]", policy] if policy else []
    for answer in expected:
        lines += promised(answer)
    return "\n".join(lines) + "\n"
