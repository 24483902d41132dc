"""Files of requirements: one reader a format, chosen by the ending of the name."""
