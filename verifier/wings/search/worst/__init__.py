"""The mechanism that violates one definition most, among all that satisfy others, for a θ and B."""
