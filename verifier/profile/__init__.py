"""The privacy profile: δ as an exact convex piecewise-linear function of e^ε."""

from verifier.profile.profile import NO_LOSS, Profile, maximum, profile_of, weighted_sum

__all__ = ["NO_LOSS", "Profile", "maximum", "profile_of", "weighted_sum"]
