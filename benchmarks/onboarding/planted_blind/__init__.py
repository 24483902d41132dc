"""Databases with planted traps and decoys, written by somebody who had not seen the miner."""
