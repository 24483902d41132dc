"""A pool of processes for heavy work that can be killed: gating answers, checking calls."""
