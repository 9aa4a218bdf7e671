"""Certificates for foreign judges: SMT-LIB 2 files for z3 and cvc5, Coq files.

This room takes the plain dictionaries of certificates and nothing else: no engine, no model, no replay. It writes the
tables down with the definition spelled out, and leaves every sum and every decision to the judge. `docs/judges.md` says
what that confirms.
"""
