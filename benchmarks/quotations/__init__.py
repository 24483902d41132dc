"""Quotations and citations: right, altered, spliced and mis-cited ones in three languages."""
