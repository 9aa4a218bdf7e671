"""The parameters of the bounds: what the command and Python call them, and what each is."""

PARAMETERS = {
    "n": "number of records, the target included",
    "p": "probability of all records, or one for each, with commas",
    "threshold": "T: counts of at most T are hidden",
    "known": "number of records that the attacker knows, the first ones",
    "b-max": "b_max of Theorem 4",
    "p-max": "p of Theorem 4, above every p_i",
    "lambda": "λ of the theorem: in Theorem 3, λ < p_i < 1 - λ",
    "options": "K, the number of values",
    "k": "k of k-anonymity",
    "beta": "β, the sampling rate",
    "beta-1": "β₁, the sampling rate at which (ε₁, δ₁)-DP holds",
    "beta-2": "β₂, the smaller sampling rate",
    "epsilon": 'ε in nats: "ln(p/q)", "r*ln(p/q)" or a rational',
    "epsilon-1": "ε₁ in nats, as ε",
    "delta": "δ, a rational",
    "delta-1": "δ₁, a rational",
    "delta-2": "δ₂ of Proposition 7, a rational",
}
"""What each parameter of a bound is."""
