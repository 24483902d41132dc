"""Ticks for free text: green only for claims that the prover has bound with certainty."""
