"""The explorer: a page on this machine that edits a model, and a server that decides it."""
