"""Whether the evidence covers the question: its period, account, currency, name, kind.

The gate compares an answer with its evidence; this package compares the evidence with the question.
An undecidable case counts as covered.
"""

from veridical.answering.coverage.gaps import on_topic, uncovered

__all__ = ["on_topic", "uncovered"]
