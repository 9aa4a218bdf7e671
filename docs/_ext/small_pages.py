"""How to cite, from CITATION.cff."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from address import address

from verifier.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


def field(text: str, name: str) -> str:
    """One entry of the citation file, which has one a line."""
    found = re.search(rf"^{name}: *\"?(.*?)\"?$", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"CITATION.cff has no {name}")
    return found[1]


def pages() -> Iterator[tuple[str, str]]:
    """One page."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    title, date = field(text, "title"), field(text, "date-released")
    author = re.search(r'authors:\n +- name: "(.*?)"', text)
    if author is None:
        raise SystemExit("CITATION.cff has no author")
    head = text.partition("references:")[2]
    paper, year = re.search(r'title: "(.*?)"', head), re.search(r"year: (\d+)", head)
    names = list(zip(re.findall(r"family-names: (.*)", head), re.findall(r"given-names: (.*)", head), strict=True))
    if paper is None or year is None:
        raise SystemExit("CITATION.cff has no reference")
    people = " and ".join(f"{family}, {given}" for family, given in names)
    yield "cite.md", PAGE.format(
        title=title, version=VERSION, date=date, year=date[:4], author=author[1], paper=paper[1], published=year[1],
        where=f",\n  url     = {{{address()}}}" if address() else "", people=people,
        shown=", ".join(f"{given} {family}" for family, given in names), text=text.rstrip(),
    )  # fmt: skip


PAGE = """\
# How to cite

The program:

```bibtex
@software{{pkdp,
  title   = {{{title}}},
  author  = {{{{{author}}}}},
  version = {{{version}}},
  date    = {{{date}}},
  year    = {{{year}}}{where}
}}
```

The paper whose definitions it decides ({shown}, {published}):

```bibtex
@article{{dmkb20,
  title  = {{{paper}}},
  author = {{{people}}},
  year   = {{{published}}}
}}
```

An answer is named best by the version, the model file with its `sha256` (`pkdp check --json` says it), and the
question. A [certificate](proofs/FORMAT.md) holds all three, and can be re-checked by `pkdp verify` without this
program's engine.

`CITATION.cff`, for programs:

```yaml
{text}
```
"""
