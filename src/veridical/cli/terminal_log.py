"""What a command that runs for long logs: to the terminal, with its time, without secrets."""

import logging

from veridical.server.log_redaction import redact_logs

_FORM = "%(asctime)s %(levelname)s %(name)s %(message)s"


def log_to_terminal(level: int = logging.INFO) -> None:
    """Log from this level on what Veridical says, and of all others what needs attention."""
    logging.basicConfig(level=logging.WARNING, format=_FORM)
    logging.getLogger("veridical").setLevel(level)
    redact_logs()
