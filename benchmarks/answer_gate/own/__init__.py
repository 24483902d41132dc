"""Answers over the generated Trustee books, true and corrupted."""

from benchmarks.answer_gate.own.samples import few, samples

__all__ = ["few", "samples"]
