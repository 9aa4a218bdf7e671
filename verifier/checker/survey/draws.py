"""Random pairs of databases, samples, leaks, images and events: the rows of DP22 that are no plain relation.

Random, distributional[Rot], weak Bayesian, Bayesian[TF20] and on-average KL privacy draw databases from the law π of
one record (DP22, sections 5.2 and 5.3); SamDP samples them (LQS12, Definition 3); bounded leakage conditions on a part
of the output, subspace privacy looks at its image (section 8.1); semantic privacy compares events (Definition 37).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod

from verifier.checker import Beyond, Rejected, require
from verifier.checker.laws import Law, Row, Tables, against, chance, conditioned, database_text, mixture, summed
from verifier.checker.measures import events_of, refuse_events
from verifier.checker.model.policy import Database, JointLeak
from verifier.checker.survey.relations import differing, neighbours, pairs_of, related

MOST = 1 << 20
"""Most databases that are drawn."""


def _drawn(tables: Tables) -> tuple[dict[str, Fraction], list[tuple[Database, Fraction]]]:
    """π, and the databases of records that are independent with the law π."""
    if not tables.lists:
        raise Rejected("a fixed number of records is drawn, but the databases have several sizes")
    prior: dict[str, Fraction] = tables.need("prior")
    if len(prior) > 1 and (tables.size > MOST.bit_length() or len(prior) ** tables.size > MOST):
        raise Beyond("there are too many databases to draw")
    if len(prior) ** min(tables.size, MOST.bit_length()) > len(tables.mechanism):
        raise Rejected("the mechanism has no law for a database that is drawn")
    return prior, [
        (tuple(v for v, _ in chosen), prod((p for _, p in chosen), start=Fraction(1)))
        for chosen in product(prior.items(), repeat=tables.size)
    ]


def _row(tables: Tables, d: Database, e: Database, weight: Fraction, group: object) -> Row:
    return tables.row(d, e)._replace(weight=weight, group=group)


def _redrawn(tables: Tables) -> tuple[dict[str, Fraction], list[tuple[Database, Fraction]]]:
    """The same, for a record that is drawn again: it is there before and after, and so π does not let it be absent."""
    prior, databases = _drawn(tables)
    if tables.policy.get("absent") in prior:
        raise Rejected("[policy] prior lets a record be absent, where a record is replaced by another")
    return prior, databases


def redrawn(tables: Tables) -> Iterator[Row]:
    """D₁ ~ πⁿ against D₁ with the value of a uniform record drawn again; one group for each pair, of both orders."""
    prior, databases = _redrawn(tables)
    for d, p in databases:
        for i in tables.records:
            for v, q in prior.items():
                e = (*d[:i], v, *d[i + 1 :])
                share = p * q / len(tables.records)
                yield _row(tables, d, e, share, (d, i, v))
                yield _row(tables, e, d, share, (d, i, v))


def two_samples(tables: Tables) -> Iterator[Row]:
    """D₁ against D₂ with the law πⁿ; one group for each pair, of both orders.

    Given the records that are not protected, in which they agree, they are independent.
    """
    prior, databases = _drawn(tables)
    kept = [i for i in range(tables.size) if i not in tables.secrets] if tables.of_records else []
    for (d, p), (e, q) in product(databases, repeat=2):
        if all(d[i] == e[i] for i in kept):
            share = p * q / prod((prior[d[i]] for i in kept), start=Fraction(1))
            yield _row(tables, d, e, share, (d, e))
            yield _row(tables, e, d, share, (d, e))


def mean_over_pairs(tables: Tables) -> Iterator[Row]:
    """The pairs of `redrawn`, one group for each order."""
    for k, row in enumerate(redrawn(tables)):
        yield row._replace(group=k % 2)


def mean_over_values(tables: Tables) -> Iterator[Row]:
    """Every D against D with the value of its record i drawn again; one group for each D, i and order."""
    prior, _ = _redrawn(tables)
    for d in tables.databases:
        for i in (i for i in tables.records if d[i] != tables.policy.get("absent")):
            pairs = [((*d[:i], v, *d[i + 1 :]), q) for v, q in prior.items()]
            for order in (0, 1):
                for e, q in pairs:
                    row = _row(tables, *((d, e) if order == 0 else (e, d)), q, (d, i, order))
                    yield row._replace(record=i)


def sampled(tables: Tables) -> Iterator[Row]:
    """M on random samples of neighbours, in which each record is kept with probability β."""
    rate: Fraction = tables.need("rate")
    if tables.lists:
        if "absent" not in tables.policy:
            raise Rejected("samples of databases may be empty: sizes from 0, or `absent` in [policy], are needed")
        laws = {d: _law_of_a_list(tables, d, rate) for d in tables.databases}
    elif tables.first:
        raise Rejected("samples of databases may be empty: sizes from 0 are needed")
    else:
        laws = {d: _law_of_a_multiset(tables, d, rate) for d in tables.databases}
    for d, e, _ in pairs_of(tables, neighbours):
        yield Row(laws[d], laws[e], against(d, e), _only_samples(tables, (d, e), rate))


def _only_samples(tables: Tables, pair: tuple[Database, Database], rate: Fraction) -> tuple[Database, Database] | None:
    """The samples of two databases where chance has no part: all records at rate 1, none at rate 0."""
    if rate == 1:
        return pair
    if rate != 0:
        return None
    nobody: Database = (tables.policy["absent"],) * tables.size if tables.lists else ()
    return nobody, nobody


def samples(database: Database, rate: Fraction) -> Iterator[tuple[Database, Fraction]]:
    """Yield the samples of a multiset with their probabilities: of each value's copies, a binomial number is kept."""
    copies = Counter(database)
    for kept in product(*(range(times + 1) for times in copies.values())):
        weight, sample = Fraction(1), []
        for (value, times), j in zip(copies.items(), kept, strict=True):
            weight *= comb(times, j) * rate**j * (1 - rate) ** (times - j)
            sample += [value] * j
        yield tuple(sample), weight


def _law_of_a_multiset(tables: Tables, database: Database, rate: Fraction) -> Law:
    """The outputs on a sample of a multiset."""
    return mixture((tables.law(sample), weight) for sample, weight in samples(database, rate))


def _law_of_a_list(tables: Tables, database: Database, rate: Fraction) -> Law:
    """The outputs on a sample of a list: the records that are there are kept or become absent, one by one."""
    absent = tables.policy["absent"]
    samples: dict[Database, Fraction] = {database: Fraction(1)}
    for i, value in enumerate(database):
        if value != absent:
            samples = {
                (*d[:i], v, *d[i + 1 :]): p * chance
                for d, p in samples.items()
                for v, chance in ((value, rate), (absent, 1 - rate))
            }
    return mixture((tables.law(d), p) for d, p in samples.items())


def leaking(tables: Tables) -> Iterator[Row]:
    """Definition 40: neighbours, each given the same leak, where both can leak it."""
    for row in related(tables, neighbours):
        if row.databases is None:
            raise Rejected("what leaks is known of single databases")
        leaked_laws = [_by_leak(tables, database) for database in row.databases]
        for leaked in leaked_laws[0]:
            if leaked in leaked_laws[1]:
                first, second = (conditioned(part[leaked]) for part in leaked_laws)
                yield row._replace(p=first, q=second, words=f"{row.words}, given the leak {leaked}")


def _by_leak(tables: Tables, database: Database) -> dict[str, Law]:
    """P[M(D) = o, P(D) = l], by l: a leak read off the output, or one with a joint law, in which M has its own law."""
    leak, law = tables.need("leak"), tables.law(database)
    if isinstance(leak, JointLeak):
        if database not in leak.laws:
            raise Rejected(f"[policy] leak has no law on {list(database)}")
        joint = leak.laws[database]
        require(leak.outputs(database) == dict(law), "[policy] leak has other outputs than the mechanism")
    else:
        joint = {(output, _looked_up(leak, output, "leak")): p for output, p in law.items()}
    parts: dict[str, Law] = {}
    for (output, leaked), p in joint.items():
        if p:
            parts.setdefault(leaked, {})[output] = p
    return parts


def images(tables: Tables) -> Iterator[Row]:
    """Neighbours, by the law of the image of the output under [policy] image."""
    image = tables.need("image")
    for row in related(tables, neighbours):
        p, q = (summed((_looked_up(image, o, "image"), x) for o, x in law.items()) for law in (row.p, row.q))
        yield row._replace(p=p, q=q)


def federated(tables: Tables, *, together: bool) -> Iterator[Row]:
    """Neighbours that differ in a record of one client, by what each other client sees, or all others together."""
    blocks, views = tables.need("blocks"), tables.need("views")
    if len(blocks) != len(views) or not tables.lists:
        raise Rejected("[policy] views: one for each of the blocks is needed")
    for d, e, _ in pairs_of(tables, neighbours):
        for i, block in enumerate(blocks):
            if not set(differing(d, e)) <= block:
                continue
            others = [views[j] for j in range(len(blocks)) if j != i]
            for observed_views in [others] if together and others else [[view] for view in others]:
                p, q = (
                    summed(
                        ("\n".join(repr(_looked_up(view, o, "views")) for view in observed_views), x)
                        for o, x in tables.law(database).items()
                    )
                    for database in (d, e)
                )
                yield Row(p, q, against(d, e), (d, e))


def _looked_up(table: dict[str, str], output: str, field: str) -> str:
    if output not in table:
        raise Rejected(f"[policy] {field} has no entry for the output {output[:40]!r}")
    return table[output]


def with_and_without(tables: Tables) -> Iterator[Row]:
    """For each record and event S the chances of S on all databases that hold the record, and on the same without it.

    P and Q are no laws here: they have a number for each database. A record that no database holds has no prior, and
    nothing is compared. (DP22, Definition 37)
    """
    if not tables.lists or "absent" not in tables.policy:
        raise Rejected("a database without record i is needed: `absent` in [policy]")
    absent = tables.policy["absent"]
    outputs = list(dict.fromkeys(o for d in tables.databases for o in tables.law(d)))
    refuse_events(len(tables.records) * len(tables.databases), len(outputs))
    for i in tables.records:
        with_record = [d for d in tables.databases if d[i] != absent]
        for event in events_of(outputs) if with_record else ():
            p, q = (
                {database_text(d): chance(tables.law(at), event)
                 for d, at in zip(with_record, databases, strict=True)}
                for databases in (with_record, [(*d[:i], absent, *d[i + 1 :]) for d in with_record])
            )  # fmt: skip
            yield Row(p, q, "with the record against without it", record=i, event=frozenset(event))
