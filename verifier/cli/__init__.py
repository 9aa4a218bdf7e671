"""The commands of `pkdp`."""
