"""The command line: parses options and prints results, and decides nothing itself."""
