"""How the gate reads a text: its passages and its figures."""
