"""What a build adds: the commit that it is built from, for `pkdp --version` (verifier.machine.commit)."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WHERE = Path("verifier", "machine", "commit.py")


class CommitHook(BuildHookInterface):  # type: ignore[type-arg]
    """Writes the commit of a git checkout into the package; a source distribution has the file already."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file where the commit is known; an editable installation reads git each time."""
        spec = importlib.util.spec_from_file_location("commit", Path(self.root) / WHERE)
        if version == "editable" or spec is None or spec.loader is None:
            return
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if found := module.commit_of_checkout(Path(self.root)):
            self.folder = Path(tempfile.mkdtemp())
            kept = self.folder / module.KEPT
            kept.write_text(found, encoding="utf-8")
            build_data["force_include"][str(kept)] = str(WHERE.with_name(module.KEPT))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was written."""
        shutil.rmtree(getattr(self, "folder", ""), ignore_errors=True)
