"""The one gate for numbers: exact parsing, ε, comparison, correctly rounded decimals. May use Arb balls."""

from verifier.numbers.algebraic import Algebraic, roots_between, value_at
from verifier.numbers.decimals import DIGITS, decimal_of
from verifier.numbers.enclosure import CoarseError, Dyadic, Enclosure, refined
from verifier.numbers.epsilon import INFINITY, ZERO, Epsilon, epsilon, ln_bracket, log_epsilon, root_epsilon
from verifier.numbers.field import Element, element_text
from verifier.numbers.flints import arb_of, ball_ends, fmpq_of, lowest, polynomial_of
from verifier.numbers.functions import Function, inverses, quotient
from verifier.numbers.order import (
    SHIFT,
    Delta,
    Loss,
    Order,
    compare,
    compare_integers,
    compare_products,
    delta_bound,
    near,
    near_integers,
)
from verifier.numbers.rational import (
    MAX_DIGITS_READ,
    DecimalLiteral,
    Symbolic,
    common_denominator,
    cut,
    exact_text,
    probability,
    rational,
    refuse_other_sum,
    shorten,
    simplest,
)

__all__ = [
    "DIGITS",
    "INFINITY",
    "MAX_DIGITS_READ",
    "SHIFT",
    "ZERO",
    "Algebraic",
    "CoarseError",
    "DecimalLiteral",
    "Delta",
    "Dyadic",
    "Element",
    "Enclosure",
    "Epsilon",
    "Function",
    "Loss",
    "Order",
    "Symbolic",
    "arb_of",
    "ball_ends",
    "common_denominator",
    "compare",
    "compare_integers",
    "compare_products",
    "cut",
    "decimal_of",
    "delta_bound",
    "element_text",
    "epsilon",
    "exact_text",
    "fmpq_of",
    "inverses",
    "ln_bracket",
    "log_epsilon",
    "lowest",
    "near",
    "near_integers",
    "polynomial_of",
    "probability",
    "quotient",
    "rational",
    "refined",
    "refuse_other_sum",
    "root_epsilon",
    "roots_between",
    "shorten",
    "simplest",
    "value_at",
]
