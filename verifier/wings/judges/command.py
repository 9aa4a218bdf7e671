"""`pkdp export` and `pkdp crosscheck`: certificates for external provers, and their answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.cli.common import WRONG, AsJson, Reply, Several, about, file_to_write, write_file
from verifier.cli.exits import text_of_error
from verifier.cli.waiting import counting
from verifier.errors import InputError, LimitError, PkdpError, UnsupportedError
from verifier.machine.files import refuse_folder, text_of, write_whole
from verifier.numbers import verdict_count
from verifier.show.cells import Word
from verifier.show.sheet import Sheet
from verifier.wings.judges.coq import coq
from verifier.wings.judges.smt import smt

if TYPE_CHECKING:
    from verifier.wings.judges.judges import Opinion


EXPORTS = {"smt": smt, "coq": coq}
"""The formats in which certificates are handed to an external prover."""
SUFFIXES = {"smt": ".smt2", "coq": ".v"}


Language = Annotated[str, typer.Option("--to", help="smt (SMT-LIB 2) or coq")]


def export(
    file: Annotated[str, typer.Argument(metavar="CERTIFICATE", help="a certificate (JSON)")],
    to: Language,
    output: Annotated[Path | None, file_to_write("--output", "the file to write; default: standard output")] = None,
) -> None:
    """Write a certificate as a file for an external prover: SMT-LIB 2 for z3 and cvc5, or Coq (pkdp guide judges)."""
    if to not in EXPORTS:
        raise InputError(f"{to} is unknown", where="--to", wanted=f"one of {', '.join(EXPORTS)}")
    with about(file):
        text = EXPORTS[to](_certificate(Path(file)))
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_file(output, text, "the question")


def judge(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH…", help="certificates, models with [[expect]], exports, or folders")
    ],
    judges: Annotated[list[str] | None, typer.Option("--with", help="z3, cvc5, coq; default: z3")] = None,
    output: Annotated[Path | None, typer.Option(help="a folder that keeps the exported files")] = None,
    seconds: Annotated[int, typer.Option(min=1, help="for one claim; for Coq one file")] = 60,
    only: Annotated[str | None, typer.Option(help="only questions with this verdict: fails, holds, vacuous")] = None,
    as_json: AsJson = False,  # noqa: FBT002
) -> Reply:
    """Check answers with external provers: z3, cvc5 and Coq.

    Exit status: 0 all that could be exported agree; 1 a prover disagrees; 3 a prover gave up or is not installed, or
    nothing was exported; 2 a file is wrong.
    """
    from verifier.wings.judges.judges import JUDGES, missing

    refuse_folder(output, "--output")
    names = [name for listed in judges or ["z3"] for name in listed.split(",")]
    for name in names:
        if name not in JUDGES:
            raise InputError(f"{name} is unknown", where="--with", wanted=f"one of {', '.join(JUDGES)}")
    absent = {name: why for name in names if (why := missing(name))}
    if absent.keys() == set(names):
        raise absent[names[0]]
    several = Several(alone=len(paths) == 1, as_json=as_json)
    for why in absent.values():
        typer.echo(text_of_error(why, as_json=as_json), err=True)
    with counting("questions written down") as tick:
        jobs = []
        for path in paths:
            with several.file(path):
                for job in _jobs(path):
                    jobs += [job] if only is None or job.verdict == only else []
                    tick(len(jobs))
    rows = []
    known: dict[tuple[str, str], Opinion] = {}
    with counting("questions checked", len(jobs)) as tick:
        for number, job in enumerate(jobs, start=1):
            rows.append((job, _opinions(job, names, absent, seconds, output, f"{number:03}", known)))
            tick(number, len(jobs))
    words = {
        opinion if isinstance(opinion, str) else opinion.verdict
        for _, opinions in rows
        for opinion in opinions.values()
    }
    if "disagrees" in words or WRONG in several.statuses:
        status = WRONG if WRONG in several.statuses else 1
    else:
        status = 3 if absent or several.statuses or "unknown" in words or "agrees" not in words else 0
    return Reply(lambda: [_json(job, opinions) for job, opinions in rows], lambda: [_sheet(rows, names)], status)


@dataclass(frozen=True)
class Job:
    """A question for the judges: its certificate (`content`), or an exported file (`text`), or why there is neither."""

    source: str
    question: str
    verdict: str
    content: dict[str, Any] | None = None
    text: str | None = None
    language: str | None = None
    missing: str = ""


def _jobs(argument: str) -> Iterator[Job]:
    from verifier.model.bundled import bundled_names, located

    path = Path(located(argument) if bundled_names(argument) else argument)
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.suffix in {".json", ".toml"})
        yield from (job for file in files for job in _of_file(file, sweeping=True))
    else:
        yield from _of_file(path, sweeping=False)


def _of_file(path: Path, *, sweeping: bool) -> Iterator[Job]:
    if path.suffix == ".json":
        content = _certificate(path)
        kind = content.get("kind", "verdict")
        if kind != "verdict":
            yield Job(str(path), str(kind), "", missing=f"a certificate of the kind {kind} has no export")
        elif "question" in content and "answer" in content:
            yield Job(str(path), _asked(content["question"]), str(content["answer"].get("verdict")), content)
        elif not sweeping:
            raise InputError("this is not a certificate of a verdict", where=str(path), wanted="question and answer")
    elif path.suffix in {".smt2", ".v"}:
        language = "coq" if path.suffix == ".v" else "smt"
        yield Job(str(path), "", "", text=_read(path), language=language)
    elif path.suffix == ".toml":
        yield from _of_model(path, sweeping=sweeping)
    else:
        raise InputError(
            f"the ending of {path.name} is unknown",
            where=str(path),
            wanted="a .json, .toml, .smt2 or .v file, or a folder",
        )


def _of_model(path: Path, *, sweeping: bool) -> Iterator[Job]:
    """The questions of the `[[expect]]` entries of a model file, decided, with their certificates."""
    from verifier.definitions import find
    from verifier.engine import Engine
    from verifier.evidence import certificate
    from verifier.model import read
    from verifier.model.toml import tables_of
    from verifier.questions.check import check
    from verifier.questions.expect import restricted
    from verifier.questions.properties import PROPERTIES

    if sweeping and "mechanism" not in tables_of(_read(path), str(path)):
        return
    try:
        model = read(str(path))
    except UnsupportedError as error:  # a family of models
        if not sweeping:
            raise
        yield Job(str(path), "", "", missing=error.message)
        return
    for expectation in model.expectations:
        asked = dict(expectation.question)
        text = " ".join([expectation.definition, *(f"{key}={value}" for key, value in asked.items())])
        if expectation.definition in {"acceptable", "k-anonymity", "strongly-safe", *PROPERTIES}:
            yield Job(str(path), text, "", missing="a property, without a certificate")
            continue
        restricted_model = restricted(model, asked)
        engine = Engine(restricted_model)
        settings = {key: asked[key] for key in ("epsilon", "delta", "reading") if key in asked}
        try:
            answer = check(restricted_model, find(expectation.definition), engine=engine, **settings)
            yield Job(str(path), text, answer.verdict, {"model": str(path), **certificate(answer, engine)})
        except (UnsupportedError, LimitError) as error:
            yield Job(str(path), text, "", missing=str(error))


def _opinions(
    job: Job,
    names: list[str],
    absent: Mapping[str, PkdpError],
    seconds: int,
    output: Path | None,
    number: str,
    known: dict[tuple[str, str], Opinion],
) -> dict[str, Opinion | str]:
    """The opinion of each judge on a job, or the reason why it is not asked."""
    from verifier.wings.judges.judges import LANGUAGE
    from verifier.wings.judges.judges import judge as ask

    opinions: dict[str, Opinion | str] = {}
    written: dict[str, str | PkdpError] = {}
    for name in names:
        language = LANGUAGE[name]
        if name in absent:
            opinions[name] = absent[name].message
            continue
        if job.missing or job.language not in {None, language}:
            opinions[name] = job.missing or "another language"
            continue
        if language not in written:
            try:
                written[language] = EXPORTS[language](job.content or {}) if job.text is None else job.text
            except (UnsupportedError, LimitError) as error:
                written[language] = error
        text = written[language]
        if isinstance(text, PkdpError):
            opinions[name] = text.message
            continue
        if output is not None and job.text is None:
            write_whole(output / f"{Path(job.source).stem}.{number}{SUFFIXES[language]}".replace("-", "_"), text)
        if (name, text) not in known:  # the same question may be in a model and in a certificate
            known[name, text] = ask(text, name, seconds)
        opinions[name] = known[name, text]
    return opinions


def _sheet(rows: list[tuple[Job, dict[str, Opinion | str]]], names: list[str]) -> Sheet:
    """The table with a row for each question, and a note for each judge and each difference."""

    def cell(opinion: Opinion | str) -> str:
        if isinstance(opinion, str):
            return f"not asked: {opinion}"
        return f"{opinion.verdict}, {opinion.milliseconds:,} ms"

    lines = tuple(
        (Path(job.source).stem, job.question, Word(job.verdict), *(cell(opinions[name]) for name in names))
        for job, opinions in rows
    )
    notes = []
    for name in names:
        replies = [opinions[name] for _, opinions in rows]
        answered = [opinion for opinion in replies if not isinstance(opinion, str)]
        counts = Counter(opinion.verdict for opinion in answered)
        spent = sum(opinion.milliseconds for opinion in answered)
        words = ", ".join(
            verdict_count(counts[word], word) for word in ("agrees", "disagrees", "unknown") if counts[word]
        )
        notes.append(f"{name}: {words or 'nothing'}; {len(replies) - len(answered)} not asked; {spent:,} ms")
        reasons = Counter(opinion for opinion in replies if isinstance(opinion, str))
        notes += [f"{name} was not asked {number} of them: {why}" for why, number in reasons.most_common()]
    for job, opinions in rows:
        for name, opinion in opinions.items():
            if not isinstance(opinion, str):
                where = f"{Path(job.source).stem} {job.question}".strip()
                notes += [f"{where}: {name} says {f.reply} to: {f.claim}" for f in opinion.differences]
    return Sheet("", ("file", "question", "verdict", *names), lines, notes=tuple(notes))


def _json(job: Job, opinions: dict[str, Opinion | str]) -> dict[str, Any]:
    judges = {
        name: {"not asked": opinion}
        if isinstance(opinion, str)
        else {
            "verdict": opinion.verdict,
            "milliseconds": opinion.milliseconds,
            "claims": [{"claim": f.claim, "wanted": f.wanted, "found": f.reply} for f in opinion.findings],
        }
        for name, opinion in opinions.items()
    }
    return {"file": job.source, "question": job.question, "verdict": job.verdict, "judges": judges}


def _asked(question: Any) -> str:
    if not isinstance(question, dict):
        raise InputError("the question is missing", where="the certificate", wanted="a certificate of a verdict")
    settings = [f"{key}={question[key]}" for key in ("reading", "epsilon", "delta") if question.get(key) is not None]
    return " ".join(
        [
            str(question.get("definition")),
            *(setting for setting in settings if setting not in {"reading=default", "delta=0"}),
        ]
    )


def _read(path: Path) -> str:
    return text_of(path, "a certificate, a model or an export")


def _certificate(path: Path) -> dict[str, Any]:
    text = _read(path)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise InputError("this is not a JSON object", where=str(path), wanted="a certificate")
    return content
