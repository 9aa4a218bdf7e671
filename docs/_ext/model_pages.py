"""The model files that come with the package: a page for each folder, with every file and the answers it promises."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from definition_pages import cell, model_anchor
from try_it import try_line

from verifier.errors import UnsupportedError
from verifier.model import read
from verifier.model.bundled import FOLDERS
from verifier.model.library import models_folder
from verifier.show.worlds import shown_worlds

MADE = "matrix"
"""The folder of the models that a program made, which are many; their pages have no pictures."""


def files() -> dict[str, list[Path]]:
    """The model files of each folder."""
    root = models_folder()
    folders = sorted(path.name for path in root.iterdir() if path.is_dir())
    order = [name for name in FOLDERS if name in folders]
    return {name: found for name in order if (found := sorted((root / name).rglob("*.toml"), key=place))}


def place(path: Path) -> tuple[int, str]:
    """Files of a folder before those of the folders in it."""
    return len(path.parts), path.as_posix()


def places() -> dict[str, str]:
    """Where each model file stands in the site."""
    root = models_folder()
    return {
        f"models/{name}": f"models/{folder}.md#{model_anchor(name)}"
        for folder, found in files().items()
        for name in (path.relative_to(root).as_posix() for path in found)
    } | {f"models/{folder}": f"models/{folder}.md" for folder in files()}


def pages(*, explorer: bool = False) -> Iterator[tuple[str, str]]:
    """The list of the folders, and a page for each; with the `explorer` each model can be tried in the browser."""
    root, listed = models_folder(), []
    for folder, found in files().items():
        words = f"{counted(len(found))} in `models/{folder}`; `pkdp check FILE` decides each."
        parts = [f"# {FOLDERS[folder]}", words]
        for path in found:
            text = path.read_text(encoding="utf-8")
            head = tomllib.loads(text)
            name = path.relative_to(root).as_posix()
            title = str(head.get("title", path.stem)).replace("$", "\\$")
            source = f"{head['source']}. " if head.get("source") else ""
            parts.append(f"({model_anchor(name)})=\n## {title}")
            parts.append(f"{source}`models/{name}`")
            line = try_line(f"models/{folder}.md", text) if explorer else ""
            parts += [line] if line else []
            drawn = picture(path) if folder != MADE else ""
            parts += [drawn] if drawn else []
            fence = "````" if "```" in text else "```"
            parts.append(f"{fence}toml\n{text.rstrip()}\n{fence}")
        yield f"models/{folder}.md", "\n\n".join(parts) + "\n"
        listed.append((folder, FOLDERS[folder], len(found)))
    rows = "\n".join(
        f"| [{cell(title)}]({folder}.md) | `models/{folder}` | {count} |" for folder, title, count in listed
    )
    tree = "\n".join(folder for folder, _, _ in listed)
    yield "models/index.md", INDEX.format(rows=rows, tree=tree)


def picture(path: Path) -> str:
    """The worlds of a model, drawn; nothing for one that is not drawn."""
    try:
        drawing = shown_worlds(read(path))
    except UnsupportedError:  # a family
        return ""
    if drawing is None:
        return ""
    figure = f"<figure>{drawing.svg}<figcaption>{drawing.caption}</figcaption></figure>"
    return f"```{{raw}} html\n<details class='worlds'><summary>Picture of the worlds</summary>{figure}</details>\n```"


def counted(number: int) -> str:
    """How many files."""
    return "One file" if number == 1 else f"{number} files"


INDEX = """\
# Model files that come with it

Each carries the answers expected of it (`[[expect]]`); `pkdp check --expect FILE` tests them. They are part of the
package: `pk.examples()` names those of DMKB20.

| folder | place | files |
|---|---|---|
{rows}

```{{toctree}}
:hidden:

{tree}
```
"""
