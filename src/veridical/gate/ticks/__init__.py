"""Ticks for free text: green only for what the prover has bound with certainty."""
