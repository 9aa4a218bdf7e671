"""The preparation of processes that decide questions: load the program and typeset the formulas."""

from verifier.wings.explore.answers import definitions

definitions()
