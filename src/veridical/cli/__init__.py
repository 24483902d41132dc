"""The command line: it translates and prints, and decides nothing."""
