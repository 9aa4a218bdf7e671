"""The smallest δ′ of the second definition, at an ε′, for the ε and δ of the first."""
