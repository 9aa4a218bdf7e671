"""The independent checker of certificates: it has its own copy of the definitions, and imports no other room."""
