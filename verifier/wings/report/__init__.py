"""The counterexample report: pages of models and claims, written by what the other rooms decide. It decides nothing."""
