"""The untrusted search for the smallest model that tells statements apart; each model is checked before it is shown."""
