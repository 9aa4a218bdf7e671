"""Exact numbers: the one gate through which they are read, ε, comparisons with e^ε, correctly rounded decimals.

An irrational number is enclosed in Arb balls of growing precision where it is compared or written as a decimal.
"""

from verifier.numbers.algebraic import Algebraic, roots_between, value_at
from verifier.numbers.decimals import DIGITS, decimal_of
from verifier.numbers.enclosure import CoarseError, Dyadic, Enclosure, refined
from verifier.numbers.epsilon import INFINITY, ZERO, Epsilon, epsilon, ln_bracket, log_epsilon, root_epsilon
from verifier.numbers.field import FieldElement, element_text
from verifier.numbers.flints import arb_of, ball_ends, fmpq_of, fraction_of, lowest, polynomial_of
from verifier.numbers.functions import Function, inverses, quotient
from verifier.numbers.number_text import NO_VALUE, Value, decimal_form, exact_form, plural, verdict_count, with_decimal
from verifier.numbers.order import (
    SHIFT,
    Delta,
    Loss,
    Order,
    compare,
    compare_integers,
    compare_products,
    delta_bound,
    exp_bounds,
    exp_bounds_integers,
)
from verifier.numbers.rational import (
    MAX_DIGITS,
    MAX_DIGITS_READ,
    DecimalLiteral,
    Symbolic,
    common_denominator,
    cut,
    exact_text,
    latex_of,
    probability,
    rational,
    refuse_other_sum,
    shorten,
    simplest,
)

__all__ = [
    "DIGITS",
    "INFINITY",
    "MAX_DIGITS",
    "MAX_DIGITS_READ",
    "NO_VALUE",
    "SHIFT",
    "ZERO",
    "Algebraic",
    "CoarseError",
    "DecimalLiteral",
    "Delta",
    "Dyadic",
    "Enclosure",
    "Epsilon",
    "FieldElement",
    "Function",
    "Loss",
    "Order",
    "Symbolic",
    "Value",
    "arb_of",
    "ball_ends",
    "common_denominator",
    "compare",
    "compare_integers",
    "compare_products",
    "cut",
    "decimal_form",
    "decimal_of",
    "delta_bound",
    "element_text",
    "epsilon",
    "exact_form",
    "exact_text",
    "exp_bounds",
    "exp_bounds_integers",
    "fmpq_of",
    "fraction_of",
    "inverses",
    "latex_of",
    "ln_bracket",
    "log_epsilon",
    "lowest",
    "plural",
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
    "verdict_count",
    "with_decimal",
]
