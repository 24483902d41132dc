"""Days as a database stores them: seconds since 1970, milliseconds, 20251231, ISO text."""

from datetime import UTC, date, datetime
from typing import Any

from veridical.ontology.model import Encoding


def stored_date(value: Any, encoding: Encoding) -> date:
    """The day. Raises ``ValueError`` or ``OverflowError`` for an invalid one."""
    match encoding:
        case Encoding.UNIX_SECONDS:
            return datetime.fromtimestamp(int(value), UTC).date()
        case Encoding.UNIX_MILLISECONDS:
            return datetime.fromtimestamp(int(value) / 1000, UTC).date()
        case Encoding.YYYYMMDD:
            return datetime.strptime(str(value), "%Y%m%d").replace(tzinfo=UTC).date()
        case Encoding.ISO_TEXT:
            return date.fromisoformat(str(value)[:10])
