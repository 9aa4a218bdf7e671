"""Several runs of one mechanism on one database: their exact curve, beside k·ε and k·δ."""
