"""The untrusted search for the smallest model that tells statements apart; what it finds is checked before it shows."""
