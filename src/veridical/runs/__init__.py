"""Durable runs: started once, resumed by any worker, waiting for people without holding a slot."""
