"""`python -m verifier` is the command `pkdp`."""

from verifier.cli.supervisor import run

if __name__ == "__main__":
    run()
