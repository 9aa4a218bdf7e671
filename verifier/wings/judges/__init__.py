"""Certificates for foreign judges: SMT-LIB 2 files for z3 and cvc5, Coq files.

This room reads the plain dictionaries of certificates: no engine, no model. It writes the tables down with the
definition spelled out, and leaves every sum and every decision to the judge; for definitions of DP22 the checker's copy
of the definition lists the rows. `docs/judges.md` says what an agreement confirms.
"""
