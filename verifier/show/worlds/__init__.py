"""The drawing of worlds: what can happen, what is published, what is believed then."""

from verifier.show.worlds.drawings import bars_of, shown_worlds, worlds, worlds_of

__all__ = ["bars_of", "shown_worlds", "worlds", "worlds_of"]
