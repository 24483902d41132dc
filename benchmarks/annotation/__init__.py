"""Annotated texts: true ones, wrong ones, and a prover that cheats."""
