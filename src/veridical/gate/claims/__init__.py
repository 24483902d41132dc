"""The claims of an answer: figures, dates, names, lists, and what is none."""
