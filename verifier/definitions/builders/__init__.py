"""Builders: each lists what a definition compares, by names of laws or as rows of databases; and the views of a row."""
