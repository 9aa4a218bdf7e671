"""What every process that decides questions has done before it starts: the program is loaded, formulas are typeset."""

from verifier.wings.explore.answers import definitions

definitions()
