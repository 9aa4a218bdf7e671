"""Certificates in SMT-LIB 2: each definition spelled out over its tables, and claims that a solver must refute."""
