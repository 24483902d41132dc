"""The list of a person's conversations: pinned, today, the last week, older."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from veridical.store.conversations import SavedConversation

RAIL = 30
"""Conversations beside the one that is shown."""
MOST_LISTED = 200
"""Conversations on a page of their own."""
Groups = tuple[tuple[str, tuple[SavedConversation, ...]], ...]


def groups_of(found: Iterable[SavedConversation], now: datetime | None = None) -> Groups:
    """The conversations by when they went on last, each group named by its message."""
    today = (now or datetime.now(UTC)).astimezone(UTC).date()
    named: dict[str, list[SavedConversation]] = {
        "pinned": [],
        "today": [],
        "last_week": [],
        "older_ones": [],
    }
    for each in found:
        age = today - each.used_at.astimezone(UTC).date()
        name = "today" if age <= timedelta() else "older_ones"
        if timedelta() < age <= timedelta(days=7):
            name = "last_week"
        named["pinned" if each.pinned else name].append(each)
    return tuple((name, tuple(group)) for name, group in named.items() if group)
