"""The stand-ins for random modules: each name by its law and by the module itself, hidden numbers, refusals."""

# ruff: noqa: ARG005 - the modules are what is tested

from __future__ import annotations

import importlib.util
import random
import secrets
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations, product
from math import floor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from examined import at_least_one
from hypothesis import given
from hypothesis import strategies as st

import pkdp
from verifier.programs.draws import DRAWS, MOST
from verifier.programs.runner import exact_output, outcomes

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def hashable(value: Any) -> Any:
    return tuple(map(hashable, value)) if isinstance(value, list | tuple | np.ndarray) else value


def law_of(call: Callable[[], Any]) -> dict[Any, Fraction]:
    law: dict[Any, Fraction] = {}
    for output, p in outcomes(lambda _: hashable(exact_output(call()))):
        law[output] = law.get(output, Fraction(0)) + p
    return law


def alike(results: Any) -> dict[Any, Fraction]:
    """The law of one of these, all alike."""
    every = list(results)
    return {one: Fraction(every.count(one), len(every)) for one in every}


def changed(shuffle: Callable[[Any], Any], values: Any) -> Any:
    returned = shuffle(values)
    assert returned is None
    return values


def trials(n: int, p: Fraction) -> dict[int, Fraction]:
    """By all results of n trials."""
    law = dict.fromkeys(range(n + 1), Fraction(0))
    for one in product((0, 1), repeat=n):
        law[sum(one)] += p ** sum(one) * (1 - p) ** (n - sum(one))
    return law


def counts(n: int, chances: list[Fraction]) -> dict[Any, Fraction]:
    """By all results of n trials, each with several results."""
    law: dict[Any, Fraction] = {}
    for one in product(range(len(chances)), repeat=n):
        key, p = tuple(one.count(k) for k in range(len(chances))), Fraction(1)
        for k in one:
            p *= chances[k]
        law[key] = law.get(key, Fraction(0)) + p
    return law


PAIRS = list(product((0, 1, 2), repeat=2))
OWN: list[tuple[str, Callable[[Any], Any], dict[Any, Fraction]]] = [
    ("randint", lambda m: m.randint(1, 3), alike([1, 2, 3])),
    ("randrange", lambda m: m.randrange(3), alike([0, 1, 2])),
    ("randrange from", lambda m: m.randrange(1, 3), alike([1, 2])),
    ("randrange by steps", lambda m: m.randrange(7, 0, -3), alike([7, 4, 1])),
    ("getrandbits", lambda m: m.getrandbits(2), alike(range(4))),
    ("choice", lambda m: m.choice("aab"), alike("aab")),
    ("choices", lambda m: m.choices([0, 1, 2], k=2), alike(PAIRS)),
    ("choices by weights", lambda m: m.choices("ab", [1, 2]), {("a",): THIRD, ("b",): 2 * THIRD}),
    ("choices by sums", lambda m: m.choices("ab", cum_weights=[1, 3]), {("a",): THIRD, ("b",): 2 * THIRD}),
    ("sample", lambda m: m.sample([0, 1, 1], 2), alike(permutations([0, 1, 1], 2))),
    ("sample of counts", lambda m: m.sample([0, 1], 2, counts=[1, 2]), alike(permutations([0, 1, 1], 2))),
    ("shuffle", lambda m: changed(m.shuffle, [0, 1, 2]), alike(permutations(range(3)))),
    ("random", lambda m: m.random() < 0.25, {True: Fraction(1, 4), False: Fraction(3, 4)}),
    ("uniform", lambda m: m.uniform(2, 4) > 3.5, {True: Fraction(1, 4), False: Fraction(3, 4)}),
    ("Random", lambda m: m.Random().randint(0, 1), alike([0, 1])),
    ("SystemRandom", lambda m: m.SystemRandom().choice([0, 1]), alike([0, 1])),
]
SECRET: list[tuple[str, Callable[[Any], Any], dict[Any, Fraction]]] = [
    ("randbelow", lambda m: m.randbelow(3), alike([0, 1, 2])),
    ("randbits", lambda m: m.randbits(1), alike([0, 1])),
    ("choice", lambda m: m.choice("ab"), alike("ab")),
    ("SystemRandom", lambda m: m.SystemRandom().randint(0, 1), alike([0, 1])),
]
THIRDS = [0.25, 0.25, 0.5]
ARRAY = [[0, 1], [2, 3]]
NUMPY: list[tuple[str, Callable[[Any], Any], dict[Any, Fraction]]] = [
    ("randint", lambda m: m.randint(1, 3), alike([1, 2])),
    ("randint below", lambda m: m.randint(3), alike([0, 1, 2])),
    ("randint many", lambda m: m.randint(3, size=2), alike(PAIRS)),
    ("integers", lambda m: m.default_rng().integers(1, 3), alike([1, 2])),
    ("integers with both ends", lambda m: m.default_rng().integers(1, 3, endpoint=True), alike([1, 2, 3])),
    ("integers below", lambda m: m.default_rng().integers(2, size=(1, 2))[0], alike(product((0, 1), repeat=2))),
    ("random", lambda m: m.random() < 0.25, {True: Fraction(1, 4), False: Fraction(3, 4)}),
    ("random many", lambda m: (m.random(2) < [0.5, 0.25]).sum(), {0: 3 * HALF**3, 1: HALF, 2: HALF**3}),
    ("rand", lambda m: (m.rand(1, 2) < 0.5).sum(), trials(2, HALF)),
    ("random_sample", lambda m: m.random_sample() > 0.75, {True: Fraction(1, 4), False: Fraction(3, 4)}),
    ("uniform", lambda m: m.uniform(2, 4) > 3.5, {True: Fraction(1, 4), False: Fraction(3, 4)}),
    ("uniform many", lambda m: (m.uniform(size=2) > 0.5).sum(), trials(2, HALF)),
    ("choice", lambda m: m.choice(["a", "b"]), alike("ab")),
    ("choice below", lambda m: m.choice(3), alike(range(3))),
    ("choice by p", lambda m: m.choice([5, 6, 7], p=THIRDS), {5: HALF**2, 6: HALF**2, 7: HALF}),
    ("choice many", lambda m: m.choice(3, 2), alike(PAIRS)),
    ("choice once", lambda m: m.choice([4, 5, 6], 2, replace=False), alike(permutations([4, 5, 6], 2))),
    ("permutation", lambda m: m.permutation([0, 1, 1]), alike(permutations([0, 1, 1]))),
    ("permutation below", lambda m: m.permutation(3), alike(permutations(range(3)))),
    ("permutation of rows", lambda m: m.permutation(ARRAY), alike([((0, 1), (2, 3)), ((2, 3), (0, 1))])),
    ("shuffle", lambda m: changed(m.shuffle, [0, 1, 2]), alike(permutations(range(3)))),
    ("shuffle of rows", lambda m: changed(m.shuffle, np.array(ARRAY)), alike([((0, 1), (2, 3)), ((2, 3), (0, 1))])),
    ("binomial", lambda m: m.binomial(3, 0.25), trials(3, Fraction(1, 4))),
    ("hypergeometric", lambda m: m.hypergeometric(2, 3, 2), alike(sum(x) for x in combinations([1, 1, 0, 0, 0], 2))),
    ("multinomial", lambda m: m.multinomial(2, THIRDS), counts(2, [HALF**2, HALF**2, HALF])),
    ("multinomial many", lambda m: m.multinomial(1, [0.5, 0.5], size=2).sum(axis=0), counts(2, [HALF, HALF])),
    ("geometric", lambda m: min(m.geometric(0.5), 3), {1: HALF, 2: HALF**2, 3: HALF**2}),
    ("geometric many", lambda m: np.minimum(m.geometric(0.5, size=1), 2), {(1,): HALF, (2,): HALF}),
    ("default_rng", lambda m: isinstance(m.default_rng(), m.Generator), {True: Fraction(1)}),
]  # fmt: skip
CASES = [
    *(("random", random, pkdp.exact.random, *case) for case in OWN),
    *(("secrets", secrets, pkdp.exact.secrets, *case) for case in SECRET),
    *(("numpy", np.random, pkdp.exact.numpy_random, *case) for case in NUMPY),
]


@pytest.mark.parametrize(
    ("module", "stand_in", "call", "law"),
    [case[1:3] + case[4:] for case in CASES],
    ids=[f"{case[0]} {case[3]}" for case in CASES],
)
def test_a_name_means_what_it_means_in_its_module(module: Any, stand_in: Any, call: Any, law: Any) -> None:
    """The law is that of an enumeration, and its results are those of the module itself: each comes in 400 calls."""
    assert law_of(lambda: call(stand_in)) == law
    assert {hashable(call(module)) for _ in range(400)} == law.keys()


def test_binomialvariate_is_that_of_newer_pythons() -> None:
    assert law_of(lambda: pkdp.exact.random.binomialvariate(3, 0.25)) == trials(3, Fraction(1, 4))
    assert law_of(pkdp.exact.random.binomialvariate) == trials(1, HALF)


# --- numbers that are not known ---------------------------------------------------------------------------------------

GRID = 24
LINE = st.tuples(st.sampled_from([1, -1, 2, -3, HALF]), st.integers(-2, 2), st.integers(-2 * GRID, 2 * GRID))


@given(st.lists(st.tuples(st.sampled_from("<>≤≥if|"), LINE), min_size=1, max_size=4))
def test_comparisons_are_those_of_a_fine_grid(tests: list[Any]) -> None:
    """The ends of all pieces are multiples of 1/288, so that the middles of these have the law, by counting.

    Most are multiples of 1/144; where -3u is compared with u, of 1/96.
    """

    def answers(u: Any) -> Any:
        said: list[Any] = []
        for kind, (times, plus, at) in tests:
            number, end = u * times + plus, Fraction(at, GRID)
            match kind:
                case "<":
                    said.append(number < end)
                case ">":
                    said.append(end < number)
                case "≤":
                    said.append(number <= end)
                case "≥":
                    said.append(number >= u + end)
                case "i":
                    said.append(int(number))
                case "f":
                    said.append(floor(number - end))
                case "|":
                    said.append(abs(number) < abs(end))
        return tuple(said)

    fine = 288
    middles = [Fraction(2 * k + 1, 2 * fine) for k in range(fine)]
    assert law_of(lambda: answers(pkdp.exact.random.random())) == alike(map(answers, middles))


@given(st.sampled_from([HALF, THIRD, Fraction(1)]), st.lists(st.integers(-6, 6), min_size=1, max_size=3))
def test_trials_are_those_of_a_long_list(p: Fraction, ends: list[int]) -> None:
    """What is told of them does not change from 12 trials on."""

    def answers(g: Any) -> Any:
        return [(2 * g - 1 < end, g == end, -g <= end, g < 7) for end in ends], min(g, 9)

    law: dict[Any, Fraction] = {}
    for k in range(1, 13):
        key = hashable(answers(k))
        law[key] = law.get(key, Fraction(0)) + (p * (1 - p) ** (k - 1) if k < 12 else (1 - p) ** 11)
    found = law_of(lambda: answers(pkdp.exact.numpy_random.geometric(p)))
    assert found == {key: chance for key, chance in law.items() if chance}


def test_a_decimal_is_what_it_says_and_a_number_is_one() -> None:
    tenth = law_of(lambda: pkdp.exact.random.random() < 0.1)
    assert tenth == {True: Fraction(1, 10), False: Fraction(9, 10)}

    def thirds() -> Any:
        u = pkdp.exact.random.random()
        return "a" if u < THIRD else "b" if u < 2 * THIRD else "c"

    assert law_of(thirds) == dict.fromkeys("abc", THIRD)
    numbers = law_of(lambda: (pkdp.exact.numpy_random.random(2) * 2).astype(int))
    assert numbers == alike(product((0, 1), repeat=2))
    assert law_of(lambda: sorted(range(3), key=lambda _: pkdp.exact.secrets.randbelow(1))) == {(0, 1, 2): 1}


# --- refusals ---------------------------------------------------------------------------------------------------------

R, N, S = pkdp.exact.random, pkdp.exact.numpy_random, pkdp.exact.secrets
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (R.random, "real numbers, and the number is an output.*int"),
    (lambda: [1, [R.random() + 1]], "is an output"),
    (lambda: N.random(2), "is an output"),
    (lambda: f"{R.random()}", "by its digits"),
    (lambda: str([R.random()]), "by its digits"),
    (lambda: round(R.random(), 2), "by its digits"),
    (lambda: np.log(N.random()), "log"),
    (lambda: {R.random(): 1}, "by its digits"),
    (lambda: R.random() ** 2 < HALF, "by its digits"),
    (lambda: 1 / R.random() < 2, "by its digits"),
    (lambda: R.random() < R.random(), "with another one"),
    (lambda: R.random() * R.random() < HALF, "with another one"),
    (lambda: int(R.random() * 10**6), "1,000,000 results"),
    (lambda: N.geometric(0.5), "infinitely many results.*min"),
    (lambda: N.geometric(0.5) + N.geometric(0.5), "with another one"),
    (lambda: N.geometric(0.5) < 10**9, "is compared with 1000000000"),
    (lambda: N.geometric(0), "no trial ever succeeds"),
    (lambda: N.laplace(0, 1), r"numpy\.random\.laplace: .*geometric_noise"),
    (N.normal, "binomial"),
    (lambda: R.gauss(0, 1), r"random\.gauss.*binomial"),
    (lambda: N.exponential(1), "geometric"),
    (N.gumbel, "exponential_mechanism"),
    (lambda: N.poisson(3), "binomial"),
    (N.standard_cauchy, r"numpy\.random\.standard_cauchy"),
    (S.token_hex, r"secrets\.token_hex"),
    (lambda: N.integers(0, 2, size=15), "15 draws of 2 results have more than 20,000 outcomes"),
    (lambda: N.integers(0, 10**9), "more than 20,000 results"),
    (lambda: S.randbits(64), "more than 20,000 results"),
    (lambda: R.getrandbits(10**15), "more than 20,000 results"),
    (lambda: N.hypergeometric(10**30, 10**30, 10**30), "more than 20,000 results"),
    (lambda: N.choice(10**12), "out of range"),
    (lambda: N.permutation(10**12), "out of range"),
    (lambda: R.sample([1], 1, counts=[10**12]), "out of range"),
    (lambda: N.permutation(8), "more than 20,000 results"),
    (lambda: N.random(MOST + 1), "out of range"),
    (lambda: N.uniform([1, 2]), r"numpy and random is a real number; pkdp's rng.uniform"),
    (lambda: R.uniform([1, 2]), r"pkdp's rng.uniform"),
    (lambda: N.choice({0: "1/2", 1: "1/2"}), r"pkdp's rng.choice"),
    (lambda: R.choice({0: "1/2", 1: "1/2"}), r"pkdp's rng.choice"),
    (lambda: N.geometric("1/2", -5, 5), "counts trials from 1; pkdp's"),
    (lambda: R.randint(5), "both ends, as in random; numpy's"),
    (lambda: R.choice([]), "nothing to draw from"),
    (lambda: N.randint(3, 3), "no integer is from 3 and below 3"),
    (lambda: N.choice([1, 2], p=[0.5, 0.25]), "sum to 3/4"),
    (lambda: N.choice([1, 2], p=[1]), "do not fit"),
    (lambda: R.choices([1, 2], [0, 0]), "sum to nothing"),
    (lambda: R.random() < np.array([HALF, 1]), "meets a whole array; compare it with one number at a time"),
    (lambda: np.array([0, 1]) < N.random(), "meets a whole array"),
    (lambda: R.random() + np.array([0, 1]), "meets a whole array"),
    (lambda: R.random() * np.array([0, 1]), "meets a whole array"),
    (lambda: N.default_rng(7), "with a seed nothing is random"),
    (lambda: N.hypergeometric(1, 1, 3), "do not fit"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_has_no_exact_law_is_refused(call: Any, message: str) -> None:
    with pytest.raises((pkdp.PkdpError, TypeError), match=message):
        law_of(call)


def test_floats_that_were_computed_are_refused() -> None:
    with pytest.raises(pkdp.InexactError, match="is a float that was computed"):
        law_of(lambda: R.random() < 1 / 3)


def test_what_a_module_does_not_have_its_stand_in_does_not_have() -> None:
    for stand_in, name in ((R, "integers"), (N, "randrange"), (S, "random"), (R, "__path__")):
        assert not hasattr(stand_in, name)


def test_a_refusal_that_the_function_catches_is_one_all_the_same() -> None:
    def caught() -> Any:
        try:
            return N.laplace()
        except Exception:  # noqa: BLE001
            return 0

    with pytest.raises(pkdp.InputError, match="laplace"):
        law_of(caught)


def test_a_number_of_one_run_is_none_of_another() -> None:
    kept: list[Any] = []

    def keeps() -> Any:
        kept.append(R.random())
        return kept[0] < HALF

    with pytest.raises(pkdp.InputError, match="of one run is used in another"):
        law_of(keeps)


def test_outside_of_a_run_a_stand_in_draws_nothing() -> None:
    calls: list[Callable[[], Any]] = [R.random, lambda: N.choice([0, 1]), lambda: S.randbelow(2)]
    for call in at_least_one(calls):
        with pytest.raises(pkdp.InputError, match="draws only while pkdp finds the law of a function"):
            call()


# --- a library, as it is ----------------------------------------------------------------------------------------------

LIBRARY = '''
import random
import secrets

import numpy as np


def response(answers, keep=0.5):
    """A coin; tails is answered by another one."""
    shown = []
    for answer in answers:
        if np.random.random() < keep:
            shown.append(answer)
        elif random.choice(["heads", "tails"]) == "heads":
            shown.append(secrets.randbelow(2))
        else:
            shown.append(1 - answer)
    return shown


class Mechanism:
    def __init__(self, rng=None):
        self.rng = np.random.default_rng() if rng is None else rng

    def count(self, db):
        """A count plus the trials up to a success, with an end."""
        return min(sum(db) + self.rng.geometric(0.5), 3)
'''


@pytest.fixture
def library(tmp_path: Path) -> ModuleType:
    path = tmp_path / "library.py"
    path.write_text(LIBRARY, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("library", path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return module


def asked(function: Any, definition: str = "dp") -> Any:
    return pkdp.check(pkdp.build(size=1, values=[0, 1], mechanism=function), definition)


def test_a_library_runs_as_it_is(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer is kept with 1/2, turned with 1/4, and else a coin: 5/8 to 3/8. Decided again by the checker."""
    with pytest.raises(pkdp.InputError, match=r"draws from Python's own `random`.*pkdp\.exact\.numpy_random"):
        asked(library.response)
    monkeypatch.setattr(library, "np", pkdp.exact.numpy)
    monkeypatch.setattr(library, "random", pkdp.exact.random)
    monkeypatch.setattr(library, "secrets", pkdp.exact.secrets)
    for function in (library.response, lambda db: library.response(list(db)), lambda db, rng: library.response(db)):
        answer = asked(function)
        assert (answer.tight_epsilon, answer.replayed) == (pkdp.epsilon("ln(5/3)"), True)
    always = pkdp.program(lambda db, rng: library.response(db, keep=0.25)).law([1])
    assert always == {"[1]": Fraction(1, 4) + Fraction(3, 16), "[0]": Fraction(9, 16)}


def test_a_stand_in_is_a_generator(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """P[min(g, 3)] is 1/2, 1/4, 1/4, and P[min(1 + g, 3)] 0, 1/2, 1/2."""
    given_it = library.Mechanism(pkdp.exact.numpy_random)
    monkeypatch.setattr(library.np, "random", pkdp.exact.numpy_random)
    for mechanism in (given_it, library.Mechanism()):
        model = pkdp.build(size=1, values=[0, 1], mechanism=mechanism.count)
        assert pkdp.check(model, "dp", epsilon="ln(2)").tight_delta == "1/2"


def test_modules_whose_draws_are_seen_in_the_answers_alone_are_refused_with_the_stand_ins() -> None:
    rng = np.random.default_rng(1)
    for bits in (lambda: secrets.randbelow(1 << 60), lambda: int(rng.integers(0, 1 << 60))):
        with pytest.raises(pkdp.InputError, match=r"called again on .*pkdp\.exact\.random, numpy_random or secrets"):
            asked(lambda db, bits=bits: bits() + db[0])


def test_a_function_that_draws_on_some_databases_only() -> None:
    model = pkdp.build(size=1, values=[0, 1], mechanism=lambda db: db[0] and R.randint(0, 1))
    assert pkdp.check(model, "dp", epsilon="ln(2)").tight_delta == "1/2"


def test_a_step_is_no_place_for_a_stand_in() -> None:
    mechanism = {"kind": "identity", "then": [lambda output: R.randint(0, 1)]}
    with pytest.raises(pkdp.InputError, match=r"draws from pkdp\.exact"):
        asked(mechanism)


def test_both_readings_of_a_name_are_said_on_our_own_generator() -> None:
    forms: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
        "geometric": [((), {"p": "1/2"}), (("1/2",), {"size": 3}), (("1/2", 3), {})],
        "exponential": [((), {"scale": 2}), ((2,), {}), ((1, 3), {})],
        "uniform": [((0, 1), {}), ((), {"low": 0, "high": 1}), ((), {"size": 3}), ((5,), {})],
        "choice": [(([0, 1],), {"p": ["1/2", "1/2"]}), (([0, 1],), {"size": 3}), ((5,), {})],
        "randint": [((5,), {}), ((0, 10), {"size": 3}), ((0, 10, 3), {})],
    }
    for name, calls in at_least_one(list(forms.items())):
        for args, named in calls:
            with pytest.raises(pkdp.InputError, match=r"numpy.*pkdp's|both ends, as in random; numpy's"):
                DRAWS[name].law(*args, **named)
