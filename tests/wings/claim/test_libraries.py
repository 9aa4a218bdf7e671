"""Claims of libraries in docs/claims: decided, derived again in fractions, counted on their page, and given away."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from operator import eq, ne
from typing import Any, TypeAlias

import pytest
from documents import ROOT, blocks, commands_of, shown_of

from verifier.cli.main import run
from verifier.wings.claim.files import FiledClaim, read_claims

FOLDER = ROOT / "docs" / "claims"
PAGE = "docs/claims-of-libraries.md"
CLAIMS = {one.name: one for one in read_claims(FOLDER / "libraries.toml")}
MAINTAINERS = sorted(path for path in FOLDER.glob("test_*.py") if path.stem != "test_dp_recorder")
F = Fraction
Law: TypeAlias = Mapping[Any, Fraction]
HALF = F(1, 2)


# --- the laws of the pair that decides, without pkdp -----------------------------------------------------------------


def two(p: Fraction) -> Law:
    """A law of two outputs."""
    return {"a": p, "b": 1 - p}


def noise(k: int, r: Fraction = HALF) -> Fraction:
    """P[X = k] of two-sided geometric noise."""
    return (1 - r) / (1 + r) * r ** abs(k)


def tail(k: int, r: Fraction = HALF) -> Fraction:
    """P[X ≥ k]."""
    return r**k / (1 + r) if k > 0 else 1 - r ** (1 - k) / (1 + r)


def summed(terms: Iterable[Fraction]) -> Fraction:
    """A series that was cut where less than 2^-70 is left, whose sum is a fraction of a small denominator."""
    return sum(terms, F(0)).limit_denominator(10**8)


def noisy(center: int, *, r: Fraction = HALF, end: int = 12) -> Law:
    """Noise about a number, with each tail beyond ±`end` as one output: there two such laws have one ratio."""
    within = {k: noise(k - center, r) for k in range(-end + 1, end)}
    return {"below": 1 - tail(-end + 1 - center, r), "above": tail(end - center, r), **within}


def passed_or_not(center: int) -> Law:
    """Propose, test, release: the noise passes the test, and the answer is seen."""
    return {"nothing": 1 - tail(4), **{1000 * center + k: tail(4) / 41 for k in range(41)}}


def sampled(ones: int, runs: int) -> Law:
    """Whether one of two sampled of four, of whom some are ones, is one, told by each of some responses with 3/4."""
    pairs = list(combinations([1] * ones + [0] * (4 - ones), 2))
    hit = F(sum(1 in pair for pair in pairs), len(pairs))
    answers = {k: (F(3, 4) ** k * F(1, 4) ** (runs - k), F(1, 4) ** k * F(3, 4) ** (runs - k)) for k in range(runs + 1)}
    return {k: hit * yes + (1 - hit) * no for k, (yes, no) in answers.items()}


def answered(ones: int) -> Law:
    """Each of two sampled of four answers with 3/4."""
    law: dict[tuple[int, ...], Fraction] = {}
    for sample in permutations([1] * ones + [0] * (4 - ones), 2):
        for told in product((0, 1), repeat=2):
            p = F(3, 4) ** sum(map(eq, sample, told)) * F(1, 4) ** sum(map(ne, sample, told))
            law[told] = law.get(told, F(0)) + F(1, 12) * p
    return law


def noisy_max(first: int, second: int) -> Law:
    """The first of two scores with noise is not smaller: the difference of the noises is at least their gap."""
    return two(summed(noise(k) * tail(k + second - first) for k in range(-80, 81)))


def sparse(queries: tuple[int, ...]) -> Law:
    """All queries but the last are below the noisy threshold, and the last is not; a sum over the threshold."""
    *lower, last = queries
    return two(summed(noise(t) * prod(1 - tail(t - query) for query in lower) * tail(t - last) for t in range(-80, 81)))


def selected(a: Fraction, b: Fraction) -> Law:
    """The first accepted result, where each rejected one ends the search with 1/2."""
    ends = 1 - HALF * (1 - a - b)
    return {"a": a / ends, "b": b / ends, "none": HALF * (1 - a - b) / ends}


def votes(first: int, second: int) -> Law:
    """Permute and flip among two at r = 1/2: a coin names who is tried first; the larger is always taken."""
    behind = HALF * HALF ** abs(first - second) if first != second else HALF
    return two(1 - behind if first >= second else behind)


def weighed(first: int, second: int, base: int) -> Law:
    """The exponential mechanism between two."""
    return two(F(base) ** first / (F(base) ** first + F(base) ** second))


def geo_sample(c: int) -> Law:
    """Noise of ratio 8/9, clamped to 0 … 5, which the integer table of dp-sniper is."""
    r = F(8, 9)
    ends = {0: 1 - tail(1 - c, r), 5: tail(5 - c, r)}
    return ends | {k: noise(k - c, r) for k in range(1, 5)}


def runs(law: Law, count: int) -> Law:
    """How often `a` comes up in independent runs of two outputs."""
    a, b = law["a"], law["b"]
    ways = [1]
    for _ in range(count):
        ways = [x + y for x, y in zip([*ways, 0], [0, *ways], strict=True)]
    return {k: ways[k] * a**k * b ** (count - k) for k in range(count + 1)}


def mean(total: int, count: int) -> Law:
    """The mean of some records in halves, with noise of ratio 1/2 for one and 1/4 for two, clamped to -3 … 5."""
    center, r = 2 * total // count, HALF**count
    return {-3: 1 - tail(-2 - center, r), 5: tail(5 - center, r)} | {k: noise(k - center, r) for k in range(-2, 5)}


def kept(n: int) -> Law:
    """Partition selection by its recurrence, at e^ε = 2 and δ = 1/100."""
    p, delta = F(0), F(1, 100)
    for _ in range(n):
        p = min(2 * p + delta, 1 - (1 - p - delta) / 2, F(1))
    return two(p)


PAIRS: Mapping[str, tuple[Law, Law]] = {
    "opendp threshold": ({"shown": tail(4), "hidden": 1 - tail(4)}, {"hidden": F(1)}),
    "opendp threshold at the sensitivity": ({"shown": tail(0), "hidden": 1 - tail(0)}, {"hidden": F(1)}),
    "opendp amplification at two changes": (sampled(2, 1), sampled(0, 1)),
    "opendp amplification at one change": (sampled(1, 1), sampled(0, 1)),
    "opendp two measurements of one sample": (sampled(1, 2), sampled(0, 2)),
    "opendp select private candidate": (selected(F(3, 100), F(24, 100)), selected(F(1, 100), F(72, 100))),
    "opendp margin.max_length": (noisy(2), noisy(-2)),
    "diffprivlib linear regression": ({1: F(1)}, {2: F(1)}),
    "diffprivlib forest, a vote replaced": (votes(1, 0), votes(0, 1)),
    "diffprivlib forest, a vote added": (votes(0, 0), votes(1, 0)),
    "dp-accounting exponential mechanism, ten runs": (runs(two(HALF), 10), runs(two(F(9, 10)), 10)),
    "dp-accounting Laplace, a record replaced": (noisy(1), noisy(-1)),
    "dp-accounting Laplace, a record added": (noisy(1), noisy(0)),
    "dp_auditorium sum query, a record added": (noisy(2), noisy(0)),
    "dp_auditorium sum query, a record replaced": (noisy(2), noisy(1)),
    "opendp amplification of group privacy": (answered(2), answered(0)),
    "google partition selection, one key": (kept(1), kept(0)),
    "google monotone scores": (weighed(0, 2, 2), weighed(1, 2, 2)),
    "autodp sparse vector": (sparse((-1, -1, -1, 1)), sparse((0, 0, 0, 0))),
    "programming-dp report noisy max": (noisy_max(2, 0), noisy_max(1, 1)),
    "programming-dp report noisy max of counts": (noisy_max(2, 0), noisy_max(2, 1)),
    "programming-dp propose, test, release": (passed_or_not(0), passed_or_not(1)),
    "private-pgm AIM, a record added": (weighed(0, 2, 2), weighed(0, 4, 2)),
    "smartnoise-core mean": (mean(0, 1), mean(1, 2)),
    "private-pgm AIM, a record replaced": (two(HALF), weighed(0, 4, 2)),
    "dp-sniper truncated geometric, by its docstring": (geo_sample(0), geo_sample(1)),
}
"""The two laws that decide each claim of ε and δ, worked out by hand from the text of the library."""


def numbers(first: Law, second: Law, e: Fraction) -> tuple[Fraction, Fraction | None]:
    """δ where e^ε is a number, and the largest ratio, None where it is infinite; of both orders."""
    outputs = [*first, *(one for one in second if one not in first)]
    deltas, ratios = [], []
    for p, q in ((first, second), (second, first)):
        deltas.append(sum((max(F(0), p.get(x, F(0)) - e * q.get(x, F(0))) for x in outputs), F(0)))
        ratios += [None if not q.get(x) else p.get(x, F(0)) / q[x] for x in outputs if p.get(x)]
    return max(deltas), None if None in ratios else max(ratio for ratio in ratios if ratio is not None)


@pytest.mark.parametrize("name", PAIRS)
def test_the_pair_that_decides_gives_the_same_numbers(name: str) -> None:
    answer = CLAIMS[name].ask().answer
    e = F(str(CLAIMS[name].question.epsilon).removeprefix("ln(").removesuffix(")"))
    delta, ratio = numbers(*PAIRS[name], e)
    claimed = F(CLAIMS[name].question.delta or 0)
    if not claimed:
        assert answer.tight_epsilon == ("inf" if ratio is None else f"ln({ratio})")
    assert (answer.tight_epsilon == "inf") == (numbers(*PAIRS[name], F(10**12))[0] > claimed)
    assert answer.tight_delta == delta
    assert (answer.verdict == "violated") == (delta > claimed)


# --- divergences, curves and trade-offs ------------------------------------------------------------------------------


def log(x: Fraction) -> tuple[Fraction, Fraction]:
    """Numbers below and above ln(x), by the series of artanh."""
    if x < 1:
        low, high = log(1 / x)
        return -high, -low
    halvings = 0
    while x > 2:
        x, halvings = x / 2, halvings + 1
    z = (x - 1) / (x + 1)
    low = sum((2 * z**k / k for k in range(1, 80, 2)), F(0))
    high = low + 2 * z**81 / (1 - z * z)
    two_low, two_high = log(F(2)) if halvings else (F(0), F(0))
    return low + halvings * two_low, high + halvings * two_high


def divergence(p: Law, q: Law, order: int) -> tuple[Fraction, Fraction]:
    """Numbers below and above the Rényi divergence of an order."""
    if order == 1:
        ends = [[p[x] * end for end in log(p[x] / q[x])] for x in p]
        return sum((low for low, _ in ends), F(0)), sum((high for _, high in ends), F(0))
    low, high = log(sum((p[x] ** order / q[x] ** (order - 1) for x in p), F(0)))
    return low / (order - 1), high / (order - 1)


def many(first: Fraction, other: Fraction, count: int) -> tuple[Law, Law]:
    """k-ary randomized response on its first and its second value."""
    rest = dict.fromkeys(range(2, count), other)
    return {0: first, 1: other, **rest}, {0: other, 1: first, **rest}


def square(x: int) -> Fraction:
    """ln(x)²/8 from above; from below it is as near."""
    return log(F(x))[1] ** 2 / 8


RHO: Mapping[str, tuple[tuple[Law, Law], Fraction]] = {
    "opendp noisy max in 0.15.1": ((two(HALF), two(F(15, 16))), square(8)),
    "opendp noisy max since 0.16.0": ((two(HALF), two(F(8, 9))), square(8)),
    "opendp, tumult-core, SampCert: pure DP to zCDP": ((two(F(3, 4)), two(F(1, 4))), 4 * square(3)),
    "exponential mechanism and zCDP": ((two(HALF), two(F(9, 10))), square(9)),
    "tumult-analytics Laplace and zCDP, on integers": ((noisy(0), noisy(1)), log(F(2))[1] - HALF),
    "k-ary randomized response and zCDP, k = 6": (many(F(7, 32), F(5, 32), 6), log(F(7, 5))[1] / 16),
    "k-ary randomized response and zCDP, k = 7": (many(F(7, 37), F(5, 37), 7), log(F(7, 5))[1] * 2 / 37),
}
"""The pair, and the claimed ρ from above."""


@pytest.mark.parametrize("name", RHO)
def test_divergences_at_integer_orders(name: str) -> None:
    """A claim of all orders fails at one of them, or holds at each of these and is decided by pkdp between them."""
    (p, q), rho = RHO[name]
    exceeded = [a for a in range(1, 13) for x, y in ((p, q), (q, p)) if divergence(x, y, a)[0] > a * rho]
    assert bool(exceeded) == (CLAIMS[name].expected == "violated")


@pytest.mark.parametrize(
    ("name", "pair", "order"),
    [
        ("dp-accounting exponential mechanism, one run", (two(HALF), two(F(9, 10))), 2),
        ("autodp noisy screening for all counts", (two(F(287, 10**9)), two(F(1, 10**9))), 8),
    ],
)
def test_one_order(name: str, pair: tuple[Law, Law], order: int) -> None:
    low, high = divergence(*pair, order)
    claimed = F(CLAIMS[name].question.epsilon)
    assert CLAIMS[name].expected == "violated" if low > claimed else high < claimed


def test_permute_and_flip_by_its_formula() -> None:
    """Two in a coin's order: the largest is taken, and the other first with e^(-gap*ε/2); all scores of 0 … 3."""
    scores = list(product(range(4), repeat=2))
    claimed = CLAIMS["dp-accounting permute and flip"].question.delta
    for e, delta in ((F(1), HALF), (F(25, 16), F(3, 8)), (F(9, 4), F(1, 4)), (F(4), F(0))):
        near = [(a, b) for a in scores for b in scores if all(abs(x - y) <= 1 for x, y in zip(a, b, strict=True))]
        assert max(numbers(votes(*a), votes(*b), e)[0] for a, b in near) <= delta
        assert str(delta) == claimed["0" if e == 1 else f"ln({e})"]


def test_curves_between_two_outputs() -> None:
    for e in (F(1), F(5, 3), F(2), F(5), F(9)):
        assert numbers(two(HALF), two(F(9, 10)), e)[0] <= max(F(0), F(9, 10) - F(1, 10) * e)
    for alpha in (F(0), F(1, 10), F(1, 4), HALF, F(1)):
        best = max(1 - 3 * alpha, (1 - alpha) / 3)
        assert max(F(1, 4) - alpha, F(0)) <= best
    assert numbers(two(F(1, 4)), two(F(3, 4)), F(1))[1] == 3
    assert log(F(3))[0] > F(1, 3)
    assert log(F(9, 8))[0] > F(1, 10)
    assert numbers(geo_sample(0), geo_sample(1), F(1))[1] == F(9, 8)


def test_every_claim_was_derived_again() -> None:
    by_hand = {"dp-accounting permute and flip", "PipelineDP exponential mechanism", "riskcal trade-off curve"}
    by_hand |= {"autodp noisy screening at order infinity", "dp-sniper truncated geometric, by its parameter"}
    by_hand |= {"dp-accounting exponential mechanism, one run", "autodp noisy screening for all counts"}
    assert {*PAIRS, *RHO, *by_hand} == set(CLAIMS)


# --- the file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_a_claim_is_as_expected(claim: FiledClaim) -> None:
    outcome = claim.ask()
    assert outcome.mark == "ok  ", str(outcome)
    assert outcome.answer.replayed is not False


# --- the page, and the files to take along ---------------------------------------------------------------------------


def truth(claim: FiledClaim) -> str:
    """The smallest number that holds and the claimed one, as a cell of the page shows them."""
    question, answer = claim.question, claim.ask().answer
    if answer.value is not None:
        return f"ρ {number(answer.value)}; {question.rho} claimed"
    if question.order is not None:
        return f"D {number(answer.tight_epsilon)}; {question.epsilon} claimed"
    if answer.tight_epsilon is None:
        return "the whole curve"
    if question.delta is None:
        return f"ε {number(answer.tight_epsilon)}; {question.epsilon} claimed"
    return f"δ {number(answer.tight_delta)}; {question.delta} claimed"


def number(value: Any) -> str:
    """A number as a page shows it: whole where it is short, else some digits."""
    text = "∞" if value == "inf" else value.text(40)
    short = len(text) <= 24 and "[" not in text
    return text if short else f"{value.decimal(6).strip('[').partition(',')[0]}…"


def row(claim: FiledClaim, given: Mapping[str, str]) -> str:
    """The row of a claim: where it is made, what it says, of which neighbours, the truth, and the verdict."""
    question, verdict = claim.question, claim.ask().answer.verdict
    relation = {"REPLACE_ONE": "replace-one", "ADD_OR_REMOVE_ONE": "add-or-remove-one"}.get(
        str(question.relation), question.relation
    )
    between = (
        "the two laws" if isinstance(question.mechanism, Mapping) and "program" not in question.mechanism else None
    )
    near = between or ("the given pair" if question.pairs else relation or "replace-one")
    near += ", twice" if question.distance == 2 else ""
    said = f"**{verdict}**" if verdict == "violated" else verdict
    cells = claim.name, given["source"], given["says"].replace("|", "\\|"), near, truth(claim), said
    return f"| {' | '.join(cells)} |"


def test_the_page_has_a_row_for_each_claim_and_counts_them() -> None:
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    given = tomllib.loads((FOLDER / "libraries.toml").read_text(encoding="utf-8"))["claim"]
    rows = [row(claim, texts) for claim, texts in zip(CLAIMS.values(), given, strict=True)]
    shown = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| claim |")]
    assert shown == rows
    counts = Counter(claim.ask().answer.verdict for claim in CLAIMS.values())
    words = " ".join(page.split())
    assert f"{len(CLAIMS)} claims" in words
    for verdict, count in counts.items():
        assert f"{count} {verdict.replace('holds, ', 'hold, ').replace('violated', 'are violated')}" in words


def test_commands_of_the_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "120")
    commands = [command for block in blocks(PAGE, "") if "$ pkdp" in block for command in commands_of(block)]
    assert len(commands) == 2
    for arguments, output, status in commands:
        with pytest.raises(SystemExit) as stop:
            run(arguments)
        assert stop.value.code == status
        assert shown_of(output, [line.rstrip() for line in capsys.readouterr().out.splitlines()])


def test_files_that_maintainers_may_take(pytester: pytest.Pytester) -> None:
    """Each is a file of its own, whose known failures are violations; `--runxfail` shows the attacks."""
    assert len(MAINTAINERS) == 9
    taken = [pytester.makepyfile(**{path.stem: path.read_text(encoding="utf-8")}) for path in MAINTAINERS]
    outcomes = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", *taken).parseoutcomes()
    assert outcomes == {"passed": 14, "xfailed": 10}
    shown = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", "--runxfail", *taken)
    assert shown.parseoutcomes() == {"passed": 14, "failed": 10}
    # Each is counted where it is shown: a summary may say it again, whole or cut, as pytest finds a CI or none.
    assert sum(line.startswith("E       pkdp.ClaimViolated: claim violated") for line in shown.outlines) == 10
    assert all(path.name in (ROOT / PAGE).read_text(encoding="utf-8") for path in MAINTAINERS)


def test_bugs_of_dp_recorder_and_what_pytest_shows(pytester: pytest.Pytester) -> None:
    """docs/claims/dp_recorder.txt has what pytest prints of each failure."""
    source = FOLDER / "test_dp_recorder.py"
    taken = pytester.makepyfile(**{source.stem: source.read_text(encoding="utf-8")})
    assert pytester.runpytest_inprocess("-q", taken).parseoutcomes() == {"passed": 1, "xfailed": 6}
    lines = pytester.runpytest_inprocess("-q", "--runxfail", taken).outlines
    said = [line for line in lines if line.startswith("E ")]
    assert said == (FOLDER / "dp_recorder.txt").read_text(encoding="utf-8").splitlines()
