"""How well the walls around the data hold: hidden calls, hostile traffic, a real server."""
