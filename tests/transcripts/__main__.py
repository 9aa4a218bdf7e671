"""Write every transcript anew: `make transcripts`."""

from __future__ import annotations

from . import all_files, remade, terminal

with terminal():
    for path in all_files():
        path.write_text(remade(path.read_text(encoding="utf-8")), encoding="utf-8")
