"""The numbers that installed libraries return, beside the exact ones: `pip install 'pkdp[libraries]'`, else skipped.

A number of a library is a binary fraction, and is claimed as that fraction; the claim is the one of docs/claims.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from math import inf, log
from typing import Any

import pytest
from documents import ROOT

from verifier.wings.claim.answer import ClaimAnswer
from verifier.wings.claim.files import read_claims

CLAIMS = {one.name: one for one in read_claims(ROOT / "docs" / "claims" / "libraries.toml")}
KEYS = 20_000
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::SyntaxWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]


def installed(name: str, read: str) -> None:
    """Skip where the library is not installed, or has another version than the one that was read."""
    try:
        found = version(name)
    except PackageNotFoundError:
        pytest.skip(f"{name} is not installed: pip install 'pkdp[libraries]'")
    if found != read:
        pytest.skip(f"{name} {found} is installed, and the claims are those of {read}")


def answer_of(name: str, **amounts: float) -> ClaimAnswer:
    """The answer to a claim of the file with the numbers that the library returns."""
    exact: dict[str, Any] = {word: Fraction(number) for word, number in amounts.items()}
    return replace(CLAIMS[name].question, **exact).answer()


# --- OpenDP ----------------------------------------------------------------------------------------------------------


@pytest.fixture(name="dp")
def opendp() -> Iterator[Any]:
    installed("opendp", "0.16.0")
    dp = pytest.importorskip("opendp.prelude")
    features = ("contrib", "honest-but-curious", "private-selection-v2", "idealized-numerics")
    dp.enable_features(*features)
    yield dp
    dp.disable_features(*features)


def thresholded(dp: Any, threshold: int) -> Any:
    metric = dp.l01inf_distance(dp.absolute_distance(T=int))
    space = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)), metric
    return dp.m.make_laplace_threshold(*space, scale=1 / log(2), threshold=threshold)


@pytest.mark.parametrize(
    ("name", "threshold", "truth"),
    [("opendp threshold", 5, "1/24"), ("opendp threshold at the sensitivity", 1, "2/3")],
)
def test_a_key_of_one_person(dp: Any, name: str, threshold: int, truth: str) -> None:
    epsilon, delta = thresholded(dp, threshold).map((1, 1, 1))
    assert answer_of(name, delta=delta).verdict == "violated"
    assert answer_of(name, delta=delta).tight_delta == Fraction(truth)
    assert 0 <= epsilon - log(2) < 1e-12


def test_keys_are_shown_more_often_than_reported() -> None:
    """At T = 2 a key of one person is shown with 1/3, and 1/6 is reported; 20,000 keys tell that apart for certain."""
    installed("opendp", "0.16.0")
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    try:
        mechanism = thresholded(dp, 2)
        assert mechanism.map((1, 1, 1))[1] < 0.17
        assert len(mechanism({str(key): 1 for key in range(KEYS)})) > KEYS / 4
    finally:
        dp.disable_features("contrib")


def test_population_amplification(dp: Any) -> None:
    space = dp.vector_domain(dp.atom_domain(T=int), size=2), dp.symmetric_distance(), dp.max_divergence()
    answered = dp.m.make_user_measurement(
        *space, function=any, privacy_map=lambda distance: log(3) if distance > 1 else 0.0, TO=bool
    )
    amplified = dp.c.make_population_amplification(answered, 4)
    one, two = amplified.map(2), amplified.map(4)
    assert answer_of("opendp amplification at one change", epsilon=one).verdict == "holds, loose"
    assert answer_of("opendp amplification at two changes", epsilon=two).verdict == "violated"
    composed = dp.c.make_composition([amplified, amplified]).map(2)
    assert answer_of("opendp two measurements of one sample", epsilon=composed).verdict == "violated"
    growing = dp.m.make_user_measurement(
        *space, function=any, privacy_map=lambda distance: log(3) * (distance // 2), TO=bool
    )
    epsilon = dp.c.make_population_amplification(growing, 4).map(4)
    assert answer_of("opendp amplification of group privacy", epsilon=epsilon).verdict == "holds, loose"


def test_select_private_candidate(dp: Any) -> None:
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance(), dp.max_divergence()
    base = dp.m.make_user_measurement(
        *space, function=len, privacy_map=lambda distance: log(3) * distance, TO="(f64, ExtrinsicObject)"
    )
    epsilon = dp.c.make_select_private_candidate(base, stop_probability=0.5, threshold=0.5).map(1)
    assert answer_of("opendp select private candidate", epsilon=epsilon).verdict == "holds, loose"


def test_pure_to_zero_concentrated(dp: Any) -> None:
    rho = dp.c.make_pureDP_to_zCDP(dp.m.make_randomized_response_bool(prob=0.75)).map(1)
    assert answer_of("opendp, tumult-core, SampCert: pure DP to zCDP", rho=rho).verdict == "holds, loose"


def test_noisy_max(dp: Any) -> None:
    """The first of 1 and -1 is named with 8/9 under zCDP, and with 15/16 where pure DP is asked."""
    domain = dp.vector_domain(dp.atom_domain(T=int), size=2), dp.linf_distance(T=int)
    for measure, low, high in (
        (dp.zero_concentrated_divergence(), 0.87, 0.91),
        (dp.max_divergence(), 0.92, 0.95),
    ):
        mechanism = dp.m.make_noisy_max(*domain, measure, scale=2 / log(8))
        assert low < sum(mechanism([1, -1]) == 0 for _ in range(KEYS)) / KEYS < high
    rho = dp.m.make_noisy_max(*domain, dp.zero_concentrated_divergence(), scale=2 / log(8)).map(1)
    assert answer_of("opendp noisy max since 0.16.0", rho=rho).verdict == "holds, loose"
    assert answer_of("opendp noisy max in 0.15.1", rho=rho).verdict == "violated"


# --- diffprivlib -----------------------------------------------------------------------------------------------------


def test_squares_without_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    installed("diffprivlib", "0.6.6")
    numpy = pytest.importorskip("numpy")
    regression = pytest.importorskip("diffprivlib.models.linear_regression")
    met: list[float] = []

    class Seen(regression.LaplaceFolded):  # type: ignore[misc, name-defined, unused-ignore]
        def __init__(self, **words: Any) -> None:
            met.append(words["sensitivity"])
            super().__init__(**words)

    monkeypatch.setattr(regression, "LaplaceFolded", Seen)
    data = numpy.array([[0.0], [1.0]]), numpy.array([0.0, 1.0])
    bounds = (numpy.array([0.0]), numpy.array([1.0])), (numpy.array([0.0]), numpy.array([1.0]))
    regression._construct_regression_obj(*data, *bounds, epsilon=1, alpha=0, random_state=None)
    of_y, of_x = met
    assert (of_y, of_x) == (1, 0)
    assert CLAIMS["diffprivlib linear regression"].ask().answer.tight_delta == 1


def test_a_leaf_of_a_forest() -> None:
    installed("diffprivlib", "0.6.6")
    mechanisms = pytest.importorskip("diffprivlib.mechanisms")
    flip = mechanisms.PermuteAndFlip(epsilon=log(2), sensitivity=1, monotonic=True, utility=[1, 0])
    best, other = flip._probabilities
    assert best == 0
    assert abs(other + log(2)) < 1e-12
    assert CLAIMS["diffprivlib forest, a vote replaced"].ask().answer.tight_epsilon == "ln(3)"


# --- dp-accounting ---------------------------------------------------------------------------------------------------


def spent(event: Any, count: int = 1, delta: float = 1e-6, accountant: str = "rdp", **words: Any) -> float:
    """ε of so many runs by one of the accountants."""
    accounting = pytest.importorskip(f"dp_accounting.{accountant}")
    one = getattr(accounting, f"{accountant.capitalize() if accountant == 'rdp' else 'PLD'}Accountant")(**words)
    return float(one.compose(event, count).get_epsilon(delta))


def test_one_number_for_every_relation() -> None:
    installed("dp-accounting", "0.6.0")
    accounting = pytest.importorskip("dp_accounting")
    relations = accounting.NeighboringRelation
    laplace, gaussian = accounting.LaplaceDpEvent(1 / log(2)), accounting.GaussianDpEvent(1.0)
    added, replaced = ({"neighboring_relation": one} for one in (relations.ADD_OR_REMOVE_ONE, relations.REPLACE_ONE))
    epsilon = spent(laplace, delta=1e-9, **replaced)
    assert epsilon == spent(laplace, delta=1e-9, **added)
    answer = answer_of("dp-accounting Laplace, a record replaced", epsilon=epsilon, delta=1e-9)
    assert answer.verdict == "violated"
    assert answer_of("dp-accounting Laplace, a record added", epsilon=epsilon).verdict == "holds, loose"
    assert spent(gaussian, **replaced) == spent(gaussian, **added)
    assert spent(gaussian, accountant="pld", **replaced) > 2 * spent(gaussian, accountant="pld", **added)
    with pytest.raises(accounting.UnsupportedEventError, match="ADD_OR_REMOVE_ONE"):
        spent(laplace, accountant="pld", **replaced)


def test_runs_of_an_exponential_mechanism() -> None:
    events = pytest.importorskip("dp_accounting.dp_event", reason="dp-accounting is not installed")
    if not hasattr(events, "ExponentialMechanismDpEvent"):
        pytest.skip("this dp-accounting has no ExponentialMechanismDpEvent: it is in no release up to 0.6.0")
    event = events.ExponentialMechanismDpEvent(log(9))
    one, ten = spent(event), spent(event, 10)
    assert one == ten
    name = "dp-accounting exponential mechanism, ten runs"
    assert answer_of(name, epsilon=ten).verdict == "violated"
    assert replace(CLAIMS[name].question, runs=1, epsilon=Fraction(one)).answer().verdict == "holds, loose"
    order_two = pytest.importorskip("dp_accounting.rdp").RdpAccountant([2.0]).compose(event)._rdp[0]
    assert answer_of("dp-accounting exponential mechanism, one run", epsilon=float(order_two)).verdict == "holds, loose"
    flips = events.PermuteAndFlipDpEvent(log(4))
    assert spent(flips) == spent(events.LaplaceDpEvent(1 / log(4)))


# --- autodp, riskcal -------------------------------------------------------------------------------------------------


def test_bounds_of_autodp() -> None:
    installed("autodp", "0.2.3.1")
    bank = pytest.importorskip("autodp.rdp_bank")
    epsilon = bank.RDP_svt_laplace({"b": 1 / log(2), "k": 4, "c": 1}, inf)
    assert answer_of("autodp sparse vector", epsilon=epsilon).verdict == "violated"
    ratio = bank.RDP_noisy_screen({"logp": log(1 / 4), "logq": log(3 / 4)}, inf)
    assert answer_of("autodp noisy screening at order infinity", epsilon=float(ratio)).verdict == "violated"
    last = bank.RDP_independent_noisy_screen({"thresh": 6, "k": 10, "sigma": 1}, 8)
    assert answer_of("autodp noisy screening for all counts", epsilon=float(last)).verdict == "violated"


def test_trade_off_of_riskcal() -> None:
    installed("riskcal", "1.5.1")
    analysis = pytest.importorskip("riskcal.analysis")
    losses = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    numpy = pytest.importorskip("numpy")
    response = losses.from_randomized_response(noise_parameter=0.5, num_buckets=2)
    alphas = [Fraction(k, 20) for k in range(21)]
    betas = analysis.get_beta_from_pld(response, numpy.array([float(alpha) for alpha in alphas]))
    exact = [max(1 - 3 * alpha, (1 - alpha) / 3) for alpha in alphas]
    assert all(Fraction(float(beta)) <= truth for beta, truth in zip(betas, exact, strict=True))
    assert betas[0] < 0.26
    assert CLAIMS["riskcal trade-off curve"].ask().answer.verdict == "holds, loose"
