"""Terminal logging of long-running commands: with timestamps, without secrets."""

import logging

from veridical.server.log_redaction import redact_logs

_FORM = "%(asctime)s %(levelname)s %(name)s %(message)s"


def log_to_terminal(level: int = logging.INFO) -> None:
    """Log Veridical from this level on, and other libraries from warnings on."""
    logging.basicConfig(level=logging.WARNING, format=_FORM)
    logging.getLogger("veridical").setLevel(level)
    redact_logs()
