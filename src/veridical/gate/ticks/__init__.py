"""Ticks for free text: what the prover found, with green withheld where a binding is not certain."""
