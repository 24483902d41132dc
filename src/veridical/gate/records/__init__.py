"""What an answer says about a record in words: yes, no, nothing known, opening hours."""
