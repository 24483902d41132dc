"""One source of truth: descriptors compiled to prompt, rules and tool enums under one hash."""
