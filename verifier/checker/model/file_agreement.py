"""The comparison of all tables that a certificate lists with the tables of its model file.

`model` and `kinds` read the file; where they do not go so far, `Uncovered` says why, and the certificate
is accepted with the words "tables not compared with the file".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.checker import Rejected, reading
from verifier.checker.laws import DATABASES, DEFINITIONS, DEPENDENCY, RECODINGS
from verifier.checker.model.file import File, Group, joined, law_of
from verifier.checker.model.labels import NOTHING, Raw, Uncovered, connected, exact, indices, outcome, text
from verifier.checker.model.mechanisms import Database
from verifier.checker.model.policy import Policy, Reader
from verifier.checker.numbers import number, signed
from verifier.checker.survey.definitions import SURVEY

OWN_LAWS = "the laws of a definition of one's own come from its code"
"""Why the tables of a certificate that gives the laws itself are not compared."""


def need(valid: object, reason: str) -> None:
    """Reject unless the certificate says what the file says."""
    if not valid:
        raise Rejected(f"the certificate has other tables than its model file: {reason}")


def compare(certificate: Mapping[str, Any], model_bytes: bytes, part: Mapping[str, Any] | None) -> None:
    """Compare the tables of a certificate with those of its model file, or of the part of it that is meant.

    Raises:
        Rejected: where they differ.
        Uncovered: where the file has what this reader does not read; then nothing is said.

    """
    engine = certificate.get("engine", "table")
    if engine == "laws":
        raise Uncovered(OWN_LAWS)
    with reading("the model file does not go with the certificate"):
        file = File(model_bytes, part)
        file.whole()
        need(file.texts == [str(v) for v in certificate["values"]], "the values")
        need("policy" in certificate or file.absent == certificate.get("absent"), "the value of an absent record")
        if part is not None:
            _restricted(file, part)
        _applies(certificate.get("question", {}).get("definition"), file)
        one_order = certificate.get("question", {}).get("reading") == "one-order" and file.protected == ["S"]
        need(file.ordered or not one_order, "no order of the values of what is protected")
        if engine == "sizes":
            _compare_sizes(certificate, file)
        elif engine == "sums":
            _compare_sums(certificate, file)
        elif engine == "schemes":
            _compare_schemes(certificate, file)
        else:
            _compare_tables(certificate, file)


def _restricted(file: File, part: Mapping[str, Any]) -> None:
    need(file.thetas, "part names no distribution of the file")
    need("record" not in part or file.protected == [part["record"]], "part names no record that is protected")


def _applies(key: str | None, file: File) -> None:
    """Refuse an answer, vacuous too, about a mechanism of which the definition says nothing."""
    compares = DEFINITIONS[key].compares if key in DEFINITIONS else None
    spec = file.table.get("mechanism", {})
    while spec.get("kind") == "part" and "sample" not in spec and not spec.get("then"):
        spec = spec["of"]
    if compares == DEPENDENCY:
        two = spec.get("kind") == "all" and len(spec["of"]) == 2
        need(
            two and "sample" not in spec and not spec.get("then"),
            'dependency is of two mechanisms: kind = "all" of two',
        )
    if compares == RECODINGS:
        recoding = spec.get("kind") in {"apply", "k-anonymization"}
        need(recoding and not spec.get("then"), "safe is about the choice of a recoding, which this mechanism has not")


def _compare_tables(certificate: Mapping[str, Any], file: File) -> None:
    """Worlds and mechanism; of acceptability the worlds alone."""
    need(file.size == certificate["size"], "the size")
    if "secrets" in certificate:
        need(file.protected == certificate["secrets"], "what is protected")
        need(file.domain == certificate["domain"], "the sensitive values")
    elif "records" in certificate:
        need(file.protected == (certificate["records"] or ["S"]), "what is protected")
    if "policy" in certificate:
        need(_policy(certificate.get("policy", {}), file) == file.policy, "the policy")
        need(certificate.get("distributions", {}) == file.distributions, "the names of θ")
    definition = DEFINITIONS.get(certificate.get("question", {}).get("definition"))
    if certificate["worlds"] or definition is None or definition.compares != DATABASES:
        _compare_worlds(certificate["worlds"], file.tables())
    if certificate.get("question"):
        _compare_mechanism(certificate, file, file.mechanism.law)


def _compare_mechanism(certificate: Mapping[str, Any], file: File, law: Callable[[Database], Raw]) -> None:
    for database, claimed in certificate["mechanism"]:
        _compare_law(f"the mechanism on {database}", claimed, law(file.reached(database)))


def _compare_worlds(claimed: Mapping[str, Any], tables: Mapping[str, Mapping[Any, Fraction]]) -> None:
    need(list(claimed) == list(tables), "the names of the distributions")
    for name, rows in claimed.items():
        listed: dict[tuple[Any, ...], Fraction] = {}
        for database, known, secret, p in rows:
            need(number(p) > 0, f"{name} lists an impossible world")
            key = tuple(database), NOTHING if known is None else known, secret
            listed[key] = listed.get(key, Fraction(0)) + number(p)
        table = tables[name]
        wrong = next((key for key in [*listed, *table] if listed.get(key) != table.get(key)), None)
        need(wrong is None, f"the worlds of {name}, at {list(wrong[0]) if wrong else ''}")


def _compare_law(subject: str, claimed: Mapping[str, str], law: Raw) -> None:
    need({o: number(p) for o, p in claimed.items()} == {text(o): p for o, p in law}, subject)


def _compare_sizes(certificate: Mapping[str, Any], file: File) -> None:
    """Compare sizes, rate, and the mechanism without its sample; for recodings the mechanism that chooses one."""
    spec = file.table["mechanism"]
    if DEFINITIONS[certificate["question"]["definition"]].compares == RECODINGS:
        always = {"kind": "constant", "output": "the only recoding"}
        spec = spec["choose"] if spec.get("kind") == "k-anonymization" else always
    need(list(file.size) == certificate["sizes"], "the sizes")
    need(exact(spec.get("sample", 1)) == number(certificate["rate"]), "the rate of the sample")
    _compare_mechanism(certificate, file, file.made(spec, sampled=False).law)


def _compare_schemes(certificate: Mapping[str, Any], file: File) -> None:
    """Size, what is protected, worlds, policy, and the mechanism on every database on which it has a law."""
    need(file.size == certificate["size"], "the size")
    need(_policy(certificate["policy"], file) == file.policy, "the policy")
    need(certificate.get("distributions", {}) == file.distributions, "the names of θ")
    if file.sizes is None:
        need(file.protected == certificate["secrets"], "what is protected")
        _compare_worlds(certificate["worlds"], file.tables() if file.thetas else {})
    else:
        need(not certificate["worlds"] and not file.thetas, "the distributions")
    scheme = SURVEY.get(certificate.get("question", {}).get("definition"))
    by_sets = scheme is not None and scheme.sets and file.mechanism.tails
    need(not by_sets, "noise has infinitely many outputs, and all their sets count here")
    _compare_mechanism(certificate, file, file.mechanism.law)


def _policy(fields: Mapping[str, Any], file: File) -> Policy:
    """The policy that a certificate has."""
    return Reader(file.texts, file.largest, file.kinds.least).read(fields)


def _compare_sums(certificate: Mapping[str, Any], file: File) -> None:
    """The components and their groups, what is known, what each record adds, and the output of every sum."""
    need(file.size == certificate["size"], "the size")
    need([_typed(v) for v in file.values] == [_typed(outcome(v)) for v in certificate["shown"]], "the values")
    need(file.protected == certificate["secrets"], "what is protected")
    need([theta.name for theta in file.thetas] == list(certificate["thetas"]), "the names of the distributions")
    for theta in file.thetas:
        knowledge = certificate["knowledge"].get("of", {theta.name: certificate["knowledge"]})[theta.name]
        need(
            _plain(theta.known, file.size) == (knowledge["kind"], knowledge["records"]),
            f"what is known with {theta.name}",
        )
        components, claimed = file.components(theta.shape, file.size), certificate["thetas"][theta.name]
        need(len(components) == len(claimed), f"the components of {theta.name}")
        for component, entry in zip(components, claimed, strict=True):
            need(
                (component.name, component.weight) == (entry["name"], number(entry["weight"])),
                f"the components of {theta.name}",
            )
            groups = [
                (
                    tuple(g["records"]),
                    law_of({file.database(row, len(g["records"])): number(p) for row, p in g["rows"]}),
                )
                for g in entry["groups"]
            ]
            need(_same_groups(component.groups, groups), f"the groups of {theta.name}")
    total = file.mechanism
    if total.listed:
        raise Uncovered("this mechanism by sums")
    claimed = certificate["mechanism"]
    need(list(total.operations) == claimed["operations"], "the operations")
    need(_state(total.zero) == claimed["zero"], "the zero")
    need(len(claimed["elements"]) == file.size, "what records add")
    for i, record in enumerate(claimed["elements"]):
        for v, draws in enumerate(record):
            added = {tuple(_state(e)): p for e, p in total.draw(i, v)}
            need({tuple(e): number(p) for e, p in draws} == added, f"what record {i} adds")
    for state, law in claimed["finish"]:
        try:
            output = total.finish(tuple(_read(x) for x in state))
        except (ValueError, TypeError, IndexError, ArithmeticError):
            raise Rejected(f"finish has {state}, which is no sum of the model file's mechanism") from None
        _compare_law(f"the output of the sum {state}", law, output)


def _typed(value: Any) -> tuple[str, Any]:
    return type(value).__name__, value


def _state(state: Sequence[Any]) -> list[str]:
    return [str(x) for x in state]


def _read(written: str) -> Any:
    value = signed(written)
    return value.numerator if value.denominator == 1 else value


def _plain(known: Mapping[str, Any] | None, size: int) -> tuple[str, list[int]]:
    """The kind and the records of knowledge, as certificates about sums name them: nothing, component, or records."""
    if known is None:
        return "nothing", []
    if known.get("kind") == "component":
        return "component", []
    if known.get("kind", "records") not in {"records", "identity"} or {"table", "rows", "then", "sample"} & set(known):
        raise Uncovered("this knowledge by sums")
    return "records", list(indices(known["records"], size)) if "records" in known else list(range(size))


def _same_groups(groups: list[Group], claimed: list[Group]) -> bool:
    """Whether two partitions into groups have one joint law: group by group, or overlapping groups together."""
    by_records = dict(groups)
    if len(groups) == len(claimed) and all(by_records.get(records) == law for records, law in claimed):
        return True
    every = sorted(i for records, _ in groups for i in records)
    if sorted(i for records, _ in claimed for i in records) != every:
        return False
    at = connected(every, [records for records, _ in [*groups, *claimed]])
    for first in set(at.values()):
        overlapping = [[group for group in groups if at[group[0][0]] == first] for groups in (groups, claimed)]
        if dict(joined(overlapping[0])) != dict(joined(overlapping[1])):
            return False
    return True
