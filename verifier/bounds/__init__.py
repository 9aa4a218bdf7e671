"""What the papers' theorems claim, as printed and under each reading, beside the exact truth."""

from verifier.bounds.assess import CLAIMS, assess, find_claim
from verifier.bounds.claim import OPTIONS, Claim, Claimed, Row
from verifier.bounds.real import Real

__all__ = ["CLAIMS", "OPTIONS", "Claim", "Claimed", "Real", "Row", "assess", "find_claim"]
