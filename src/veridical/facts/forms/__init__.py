"""The forms of facts, one in each file: arguments, evaluation, parts, claim."""
