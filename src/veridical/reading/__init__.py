"""What a text says in figures and times, however the language writes them."""
