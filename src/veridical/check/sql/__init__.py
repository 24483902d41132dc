"""SQL text to facts: parse, resolve every name, trace every value to the columns it is made of."""
