"""Indexes beside PostgreSQL: they find passages, whose documents and texts PostgreSQL has."""
