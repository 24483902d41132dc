"""The Python client behind ``veridical.open``: ask, check, run and gate from a program."""
