"""How findings are handled: modes by rule and type, a baseline of known ones, dismissals."""
