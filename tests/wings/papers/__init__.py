"""Tests of the wing of the papers; a package, so that its conftest has a name of its own."""
