"""Answers over the generated Trustee books, true and corrupted."""

from benchmarks.answer_gate.own.samples import samples

__all__ = ["samples"]
