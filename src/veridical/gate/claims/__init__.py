"""The claims of an answer: figures, dates, names, lists, and what is none."""

from veridical.gate.claims.find import find_claims

__all__ = ["find_claims"]
