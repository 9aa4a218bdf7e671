"""Foreign judges: z3 and cvc5 for SMT-LIB 2 files, Coq for its own."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic_ns

from verifier.errors import InputError, PkdpError, UnsupportedError
from verifier.machine.extras import not_installed
from verifier.model.library import proofs_folder

SECONDS = 60
"""Default of the seconds that a judge may spend on one claim, or Coq on one file."""
LIBRARY = "PartialKnowledge"
COQ = "apt install coq on Debian and Ubuntu, else rocq-prover.org; `coqc` is looked for on the path"
"""The tip on how to install Coq, which no extra brings."""
NOTHING = "Closed under the global context"
"""The words of Coq for a theorem that assumes nothing."""
STATUS = r"^\(set-info :status (\w+)\)$"


@dataclass(frozen=True)
class Finding:
    """One claim, the reply that would confirm it (`wanted`), and the judge's reply."""

    claim: str
    wanted: str
    reply: str

    @property
    def agrees(self) -> bool:
        """Whether the claim is confirmed."""
        return self.reply == self.wanted


@dataclass(frozen=True)
class Opinion:
    """The opinion of one judge on one file."""

    judge: str
    findings: tuple[Finding, ...]
    milliseconds: int

    @property
    def verdict(self) -> str:
        """`agrees`, `disagrees`, or `unknown` where the judge gave up on a claim and contradicts none."""
        if all(finding.agrees for finding in self.findings):
            return "agrees" if self.findings else "unknown"
        gave_up = all(finding.agrees or finding.reply == "unknown" for finding in self.findings)
        return "unknown" if gave_up else "disagrees"

    @property
    def differences(self) -> tuple[Finding, ...]:
        """The claims that are not confirmed."""
        return tuple(finding for finding in self.findings if not finding.agrees)


def judge(text: str, name: str, seconds: int = SECONDS) -> Opinion:
    """Ask a judge about all claims of an exported file; `seconds` bounds one claim, or one file for Coq.

    Raises:
        InputError: for an unknown judge, and for a file without clear claims.
        NotInstalledError: for z3 or cvc5, where it is not installed.
        UnsupportedError: for Coq, where it is not installed, or refuses the library.

    """
    if name not in JUDGES:
        raise InputError(f"{name} is unknown", where="the prover", wanted=f"one of {', '.join(JUDGES)}")
    started = monotonic_ns()
    findings = JUDGES[name](text, seconds)
    return Opinion(name, tuple(findings), (monotonic_ns() - started) // 10**6)


def available(name: str) -> bool:
    """Whether a judge is installed."""
    return bool(shutil.which("coqc")) if name == "coq" else find_spec(name) is not None


def missing(name: str) -> PkdpError | None:
    """The error that says that a judge is not installed, and how to get it; None where it is installed."""
    if available(name):
        return None
    return UnsupportedError("coq is not installed", tip=COQ) if name == "coq" else not_installed(name, "judges")


def _need(name: str) -> None:
    if why := missing(name):
        raise why


def claims_of(text: str) -> list[tuple[str, str]]:
    """The claims of an SMT-LIB 2 file with the statuses that confirm them, in order.

    Raises:
        InputError: for a file in which claims, statuses and `(check-sat)` do not match.

    """
    claims, statuses = (re.findall(pattern, text, re.MULTILINE) for pattern in (r"^; claim: (.*)$", STATUS))
    if not claims or len(claims) != len(statuses) or len(claims) != text.count("\n(check-sat)"):
        raise InputError("the claims are not clear", where="the SMT-LIB file", wanted="one that `pkdp export` wrote")
    return list(zip(claims, statuses, strict=True))


def unmarked(text: str) -> str:
    """The text of an SMT-LIB 2 file without the statuses, so that no judge reads which replies are wanted."""
    return re.sub(STATUS, "", text, flags=re.MULTILINE)


def _compared(text: str, words: list[str]) -> list[Finding]:
    """The findings of a judge: each reply beside its claim; an error stands at the claim at which the judge stopped."""
    claims = claims_of(text)
    answers = ["unknown" if word.startswith("unknown") else word for word in words]
    answers += ["no answer"] * (len(claims) - len(answers))
    if len(answers) > len(claims):
        return [Finding("the file is read", "no error", "; ".join(answers))]
    return [Finding(claim, wanted, answer) for (claim, wanted), answer in zip(claims, answers, strict=True)]


def _z3(text: str, seconds: int) -> list[Finding]:
    _need("z3")
    z3 = import_module("z3")
    context = z3.Context()
    try:
        printed = z3.Z3_eval_smtlib2_string(context.ref(), f"(set-option :timeout {1000 * seconds})\n{unmarked(text)}")
    except z3.Z3Exception as error:
        printed = f"error: {error}"
    return _compared(text, printed.split("\n")[:-1] if printed.endswith("\n") else printed.split("\n"))


def _cvc5(text: str, seconds: int) -> list[Finding]:
    _need("cvc5")
    cvc5 = import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("incremental", "true")
    solver.setOption("tlimit-per", str(1000 * seconds))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, unmarked(text), "certificate")
    words: list[str] = []
    try:
        while not (command := parser.nextCommand()).isNull():
            answer = str(command.invoke(solver, parser.getSymbolManager())).strip()
            words += [answer] if answer else []
    except RuntimeError as error:
        words.append(str(error))
    return _compared(text, words)


def _coq(text: str, seconds: int) -> list[Finding]:
    _need("coq")
    theorems = re.findall(r"^Theorem (\w+)", text, re.MULTILINE)
    if not theorems or "PartialKnowledge" not in text:
        raise InputError("there is no theorem", where="the Coq file", wanted="one that `pkdp export` wrote")
    assumptions = "".join(f"Print Assumptions {theorem}.\n" for theorem in theorems)
    with TemporaryDirectory() as folder:
        (Path(folder) / "certificate.v").write_text(f"{text}\n{assumptions}", encoding="utf-8")
        wanted = "accepted"
        try:
            done = coqc(Path(folder) / "certificate.v", coq_library(), seconds)
        except subprocess.TimeoutExpired:
            return [Finding(theorem, wanted, "unknown") for theorem in theorems]
    if done.returncode == 0:
        word = wanted if _nothing_assumed(done.stdout, len(theorems)) else "assumes something"
        return [Finding(theorem, wanted, word) for theorem in theorems]
    return _refused(text, done.stderr, theorems)


def _refused(text: str, error: str, theorems: list[str]) -> list[Finding]:
    """The findings after an error of Coq: it accepted the theorems before, refused one, and did not read the others."""
    match = re.search(r"line ([0-9]+), characters", error)
    line = int(match[1]) if match else 0
    before = re.findall(r"^Theorem (\w+)", "\n".join(text.split("\n")[:line]), re.MULTILINE)
    stopped = len(before) - 1
    reason = " ".join(error.split())[-200:]
    words = ["accepted" if k < stopped else f"refused: {reason}" if k == max(stopped, 0) else "not read"
             for k in range(len(theorems))]  # fmt: skip
    return [Finding(theorem, "accepted", word) for theorem, word in zip(theorems, words, strict=True)]


def coqc(file: Path, library: Path, seconds: int) -> subprocess.CompletedProcess[str]:
    """Compile a Coq file; `library` is the folder that it calls PK."""
    program = shutil.which("coqc") or "coqc"
    command = [program, "-q", "-Q", str(library), "PK", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)  # noqa: S603


_compiled: list[TemporaryDirectory[str]] = []


def coq_library() -> Path:
    """A temporary folder with the compiled library PartialKnowledge, which is compiled once.

    Raises:
        UnsupportedError: for a library that Coq refuses, for example in another version.

    """
    if not _compiled:
        folder = TemporaryDirectory()
        copy = Path(folder.name) / f"{LIBRARY}.v"
        copy.write_text((proofs_folder() / "coq" / f"{LIBRARY}.v").read_text(encoding="utf-8"), encoding="utf-8")
        done = coqc(copy, Path(folder.name), 10 * SECONDS)
        if done.returncode or not _nothing_assumed(done.stdout):
            raise UnsupportedError(f"Coq refuses proofs/coq/{LIBRARY}.v: {' '.join(done.stderr.split())[-200:]}")
        _compiled.append(folder)
    return Path(_compiled[0].name)


def _nothing_assumed(printed: str, times: int | None = None) -> bool:
    """Whether every answer to `Print Assumptions` says that nothing is assumed."""
    lines = printed.split("\n")[:-1]
    return set(lines) == {NOTHING} and times in {None, len(lines)}


JUDGES: dict[str, Callable[[str, int], list[Finding]]] = {"z3": _z3, "cvc5": _cvc5, "coq": _coq}
LANGUAGE = {"z3": "smt", "cvc5": "smt", "coq": "coq"}
"""The language that each judge reads."""
