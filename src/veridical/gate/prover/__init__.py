"""The search prover: finds for each claim of a free text the typed expression that supports it."""
