"""The gate's rules, one file each."""
