"""Mutated programs: every text is answered or refused, in time and memory, and nothing of it is executed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MEGABYTES, SECONDS, TEXTS = 1024, 60, 1500
MUTATED = """
import json, random, re, resource, sys, time, tomllib
from pathlib import Path
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds} + 1))
from verifier.errors import PkdpError
from verifier.programs import Interpreter, Source

resource.setrlimit(resource.RLIMIT_AS, ({megabytes} << 20, {megabytes} << 20))
folder, seed = Path(sys.argv[1]), int(sys.argv[2])
rules = tomllib.loads((folder / "rules.toml").read_text(encoding="utf-8"))["rule"]
texts = [(rule["program"], rule.get("on", [0])) for rule in rules]
parts = ["rng", "db", "x", "xs", "0", "-1", "10**9", '"a"', "[", "(", ")", "]", ":", " + ", " * ", " ** ", "//", " in ",
         "not ", "None", "sorted", "sum", "{{}}", "rng.flip(1/2)", "range(10**6)", "while True:", "for x in db:",
         "lambda x: x", ".append(x)", "return ", "\\n    ", "\\n", " = ", "zip", "open('x')",
         "__import__('os').getcwd()"]
said, slowest = {{}}, 0
choose = random.Random(seed)
for _ in range({texts}):
    text, database = choose.choice(texts)
    for _ in range(choose.choice([1, 1, 2])):
        word = choose.choice([*re.finditer(r"\\w+|[^\\w ]", text)])
        other = choose.choice([*re.findall(r"\\w+|[^\\w ]", text), *parts])
        text = text[: word.start()] + other + text[choose.choice([word.start(), word.end(), word.end()]) :]
    begun = time.process_time()
    try:
        Interpreter(Source(text, "program")).returned(database)
        word = "answered"
    except PkdpError as error:
        word = type(error).__name__
    said[word] = said.get(word, 0) + 1
    slowest = max(slowest, time.process_time() - begun)
print(json.dumps([said, int(slowest)]))
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_a_mutated_program_is_answered_or_refused(seed: int) -> None:
    code = MUTATED.format(seconds=SECONDS, megabytes=MEGABYTES, texts=TEXTS)
    command = [sys.executable, "-c", code, str(Path(__file__).parent), str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.stderr
    said, slowest = json.loads(done.stdout)
    assert min(said["answered"], said["InputError"]) > TEXTS // 20
    assert slowest < 4
