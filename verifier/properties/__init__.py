"""Properties of models and mechanisms that are no (ε, δ) verdicts."""
