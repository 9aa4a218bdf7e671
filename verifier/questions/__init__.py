"""The questions that are asked of a model: definitions and passports, losses, properties, acceptability, laws."""
