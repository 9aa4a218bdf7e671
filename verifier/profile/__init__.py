"""The privacy profile: δ as an exact convex piecewise-linear function of e^ε."""

from verifier.profile.profile import NO_LOSS, Profile, envelope, maximum, profile_of, weighted_sum
from verifier.profile.runs import Classes, classes_of, runs_of
from verifier.profile.shared import Edges, Line, Window, averaged, largest, lines_of
from verifier.profile.steps import Steps, highest
from verifier.profile.trade_off import TradeOff, Vertex

__all__ = [
    "NO_LOSS",
    "Classes",
    "Edges",
    "Line",
    "Profile",
    "Steps",
    "TradeOff",
    "Vertex",
    "Window",
    "averaged",
    "classes_of",
    "envelope",
    "highest",
    "largest",
    "lines_of",
    "maximum",
    "profile_of",
    "runs_of",
    "weighted_sum",
]
