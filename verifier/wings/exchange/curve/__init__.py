"""The exchange rate as a function of ε: pieces between breakpoints, each proved."""
