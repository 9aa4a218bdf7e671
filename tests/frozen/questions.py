"""The questions whose answers are frozen: every command that answers in JSON, on every model file."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

DEFINITIONS = (
    "dp", "np", "apkdp", "ppkdp", "cdp", "ibcdp", "ddp",
    "tail-dp", "tail-apkdp", "tail-ppkdp", "tail-cdp", "dps", "safe", "dependency",
)  # fmt: skip

FAST_ON_ANY_MODEL = ("acceptable", "property", "reducible", "anonymity")

LARGE = frozenset(
    {
        "D20/section-3.1.3-two-thousand-voters",
        "DKM19/example-1",
        "DKM19/example-1-ninety-nine-known",
        "DMKB20/example-7-thousand-voters",
        "DMKB20/example-8-thousand-voters",
    }
)
"""Models on which one question with its re-check takes many seconds: their own [[expect]] is asked alone."""

SLOW_ATLAS = LARGE | {
    "DMKB20/example-5-two-triples-three-values",
    "DMKB20/example-7-twelve-voters",
    "DMKB20/example-7-twelve-voters-zero",
    "DMKB20/section-4.3-difference",
    "LQS12/section-2.6-second",
    "LQS12/theorem-3.9-twenty",
    "bounds/proposition-7-nine-hundred",
    "composition/disjoint-parts",
}
"""Models on which all definitions of DP22 together take many seconds."""


@dataclass(frozen=True)
class Question:
    """A command line whose standard output is JSON, and the group whose fields it shares."""

    group: str
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        """The command line as a user types it."""
        return " ".join(self.arguments)


def model_files() -> list[Path]:
    """Every bundled model file, relative to the root."""
    return sorted(path.relative_to(ROOT) for path in (ROOT / "models").rglob("*.toml"))


def _key(path: Path) -> str:
    return path.relative_to("models").with_suffix("").as_posix()


def about_models() -> Iterator[Question]:
    """Passports, single questions at no ε and at (ln 2, 1/10), losses, properties and promised answers."""
    for path in model_files():
        file = path.as_posix()
        tables = tomllib.loads((ROOT / path).read_text(encoding="utf-8"))
        yield Question("check --expect", ("check", file, "--expect", "--json"))
        if _key(path) in LARGE or path.parts[1] == "referendum":
            continue
        yield Question("passport", ("check", file, "--json"))
        for definition in DEFINITIONS:
            asked = ("check", file, "--definition", definition, "--json")
            if "parameters" not in tables:
                yield Question("check", (*asked, "--profile"))
            yield Question("check", (*asked, "--epsilon", "ln(2)", "--delta", "1/10"))
        yield Question("loss", ("loss", file, "--json"))
        for command in FAST_ON_ANY_MODEL:
            yield Question(command, (command, file, "--json"))


def about_atlas() -> Iterator[Question]:
    """All definitions of DP22 at no ε and at (ln 2, 1/10): verdict, smallest ε and δ, witness; without a re-check."""
    for path in model_files():
        tables = tomllib.loads((ROOT / path).read_text(encoding="utf-8"))
        if _key(path) in SLOW_ATLAS or path.parts[1] == "referendum" or "parameters" in tables:
            continue
        asked = ("check", path.as_posix(), "--atlas", "--json", "--no-replay")
        yield Question("atlas", asked)
        yield Question("atlas", (*asked, "--epsilon", "ln(2)", "--delta", "1/10"))


def about_claims() -> Iterator[Question]:
    """What is said of papers, bounds, relations and searches, where no model file is asked."""
    for command in ("conventions", "definitions", "relations", "ledger"):
        yield Question(command, (command, "--json"))
    for bound in BOUNDS:
        yield Question("bound", ("bound", *bound.split(), "--json"))
    for statements in SEARCHES:
        yield Question("search", ("search", *statements, "--json"))
    for file, maximise, assuming in WORST:
        arguments = ("worst", f"models/{file}.toml", "--maximise", maximise)
        yield Question("worst", (*arguments, *(x for each in assuming for x in ("--assuming", each)), "--json"))
    for more, less in STRONGER:
        yield Question("stronger", ("stronger", f"models/{more}.toml", f"models/{less}.toml", "--json"))


def every_question() -> list[Question]:
    """All questions, without repetition, those about one model side by side."""
    return list(dict.fromkeys([*about_models(), *about_atlas(), *about_claims()]))


BOUNDS = (
    "theorem-3 --n 2 --lambda 1/4 --epsilon 2",
    "theorem-4 --n 1000 --p 1/200 --threshold 30",
    "proposition-7 --n 900 --p 1/2 --epsilon 1",
)

SEARCHES = (
    ("--satisfies", "ppkdp(epsilon=0, delta=1/2)", "--violates", "apkdp(epsilon=0, delta=1/2)", "--knowledge", "2"),
    ("--satisfies", "np(e)", "--violates", "cdp(2*e)"),
    ("--satisfies", "cdp(ln(2))", "--violates", "np(ln(2))"),
    ("--satisfies", "cdp(ln(2))", "--violates", "np(ln(2))", "--find", "z3"),
    ("--satisfies", "acceptable", "--satisfies", "apkdp(ln(2), 1/10)", "--violates", "ppkdp(ln(2), 1/10)",
     "--knowledge", "2"),
    ("--claim", "independent => np iff cdp"),
    ("--claim", "np(e) => dp(e)", "--records", "1", "--knowledge", "2", "--weights", "2"),
    ("--claim", "np(e) => post(np(e))"),
    ("--claim", "dp(e, d) => cdp(e, d)"),
)  # fmt: skip

WORST = (
    ("DMKB20/example-4-repaired", "cdp delta at ln(2)", ("np(epsilon=ln(2))",)),
    ("DMKB20/example-4-repaired", "np delta at ln(2)", ("dp(epsilon=ln(2))",)),
    ("relations/tails-do-not-mix", "cdp delta at ln(2)", ("np(ln(2))",)),
    ("DMKB20/example-6-partner-known", "apkdp delta at ln(2)", ("ppkdp(ln(2), 1/10)",)),
)

STRONGER = (
    ("DMKB20/example-1-side-known", "DMKB20/example-1-side"),
    ("DMKB20/proposition-3-other-known", "DMKB20/proposition-3-nothing-known"),
    ("DMKB20/proposition-3-nothing-known", "DMKB20/proposition-3-other-known"),
    ("course/household-season-known", "course/household-season"),
    ("course/partner-published-known", "course/partner-published"),
)
