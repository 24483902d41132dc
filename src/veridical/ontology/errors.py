"""What goes wrong when something is loaded by its name or path."""


class LoadError(ValueError):
    """A reference that leads nowhere; the message says what was tried."""
