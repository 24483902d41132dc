"""A sixth set of databases with planted traps and decoys, by an author blind to the miner."""
