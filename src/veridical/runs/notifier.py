"""Notifies people of what waits for them: a thread of a worker. Each notice is sent once; one that
can't be sent is tried again as long as the item waits."""

import logging
import threading

from veridical.runs.inbox_rows import mark_notified
from veridical.runs.notice import send_notice
from veridical.runs.notice_settings import NoticeSettings
from veridical.runs.retry import DATABASE_ERRORS
from veridical.store.connection import Store

_LOOK_SECONDS = 5.0
_AGAIN_SECONDS = 60.0
_log = logging.getLogger("veridical.inbox")


class Notifier:
    """Looks for items that nobody was notified of. Beside the maintenance, which must not wait for
    a mail server."""

    def __init__(
        self, settings: NoticeSettings, store: Store, look_seconds: float = _LOOK_SECONDS
    ) -> None:
        self._settings = settings
        self._store = store
        self._look_seconds = look_seconds
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="notices", daemon=True)

    def start(self) -> None:
        """Start the thread, if there is somebody to notify."""
        if self._settings.is_on:
            self._thread.start()

    def stop(self) -> None:
        """Stop after the current notice."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        wait = 0.0
        while not self._stopping.wait(wait):
            try:
                while not self._stopping.is_set() and self.notify_one():
                    pass
                wait = self._look_seconds
            except (OSError, *DATABASE_ERRORS) as error:
                _log.warning("a notice can't be sent: %s", error)
                wait = _AGAIN_SECONDS

    def notify_one(self) -> bool:
        """Send the most urgent notice that is due; false where none is. Raises ``OSError``."""
        with self._store.system() as connection:
            entry, is_first = mark_notified(connection)
            if entry is None:
                return False
            send_notice(self._settings, entry, "pending" if is_first else "expiring")
        return True
