"""Whether the evidence speaks of what was asked: its period, account, currency, name, kind.

The gate holds an answer against its evidence; here the evidence is held against the question. What
can't be decided counts as covered.
"""

from veridical.answering.coverage.gaps import on_topic, uncovered

__all__ = ["on_topic", "uncovered"]
