"""Log redaction: removes keys, tokens and passwords from log records."""

import logging
import traceback
from collections.abc import Iterable

from veridical.trace.redact import redact_text


class RedactingFilter(logging.Filter):
    """Lets every record pass, cleaned: its message, its trace and its stack. The message becomes
    one line, so that no message can look like another record.

    To be put on handlers: a filter of a logger does not see what its children log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean the record."""
        try:
            message = record.getMessage()
        except (TypeError, ValueError, KeyError):
            message = f"{record.msg!s} {record.args!r}"
        record.msg, record.args = " ".join(redact_text(message).split("\n")), None
        if record.exc_info and record.exc_info[0] is not None:
            text = "".join(traceback.format_exception(*record.exc_info))
            # A formatter takes this text as it is and does not write the trace once more.
            record.exc_text = redact_text(text.rstrip("\n"))
        if record.stack_info:
            record.stack_info = redact_text(record.stack_info)
        return True


def redact_logs(
    loggers: Iterable[str] = ("", "uvicorn", "uvicorn.access", "uvicorn.error"),
) -> None:
    """Redact everything that the handlers of these loggers write; repeating it has no effect."""
    for name in loggers:
        for handler in logging.getLogger(name or None).handlers:
            if not any(isinstance(each, RedactingFilter) for each in handler.filters):
                handler.addFilter(RedactingFilter())
