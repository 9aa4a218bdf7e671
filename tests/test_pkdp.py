"""`import pkdp` is `import verifier`: the same module, with the same parts."""

from __future__ import annotations

import subprocess
import sys

import pytest

SAME = [
    "import pkdp, verifier; assert pkdp is verifier",
    "import verifier, pkdp; assert pkdp is verifier",
    "import pkdp.model, verifier.model; assert pkdp.model is verifier.model",
    "import pkdp.model.keys as ours; import verifier.model.keys as theirs; assert ours is theirs",
    "from pkdp.model import keys; import verifier.model.keys; assert keys is verifier.model.keys",
    "from pkdp import check; import verifier; assert check is verifier.check",
    "from pkdp import np; import verifier; assert np is verifier.np",
    "from pkdp.errors import PkdpError; import verifier; assert PkdpError is verifier.PkdpError",
    "import pkdp.model; assert pkdp.model.__spec__.name == pkdp.model.__name__ == 'verifier.model'",
    "import pkdp, pickle; from pkdp.tables import label; assert pickle.loads(pickle.dumps(label(1))) == label(1)",
    "import importlib, pkdp.numbers; assert importlib.reload(pkdp.numbers) is pkdp.numbers",
]


@pytest.mark.parametrize("code", SAME)
def test_both_names_are_one_module(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_part_that_is_none_is_no_module() -> None:
    code = "import pkdp.nothing"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "No module named 'verifier.nothing'" in done.stderr
