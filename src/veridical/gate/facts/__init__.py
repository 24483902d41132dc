"""What an answer says about a record in words: yes, no, nothing known, opening hours."""

from veridical.gate.facts.find import find_facts

__all__ = ["find_facts"]
