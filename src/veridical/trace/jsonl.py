"""Trace store in JSON Lines files: one file a day, append-only, readable with any text tool.

A line is written in one go, so it survives the end of the process. Where a crash left half a line,
the next write starts a new one, and reading leaves the half out with a note.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from veridical.contracts.trace import AgentTrace, Event, RunStarted
from veridical.trace.event_json import from_stored, to_stored_text
from veridical.trace.recorder import Skipped, StoreError, note_skipped
from veridical.trace.timestamps import moment

_HEAD = re.compile(rb'\{"traceId":"(?:[^"\\]|\\.)*"')
_STARTS = re.compile(_HEAD.pattern + rb',"sequence":\d+,"event":\{"kind":"runStarted"')
_SKEW = 2
"""A run is looked for from its first day on, and in the day before: clocks are set back."""
_DAY = 86_400
_BINARY = getattr(os, "O_BINARY", 0)


class JsonLines:
    """A folder of traces that only its owner can read."""

    def __init__(self, folder: Path, on_skip: Skipped = note_skipped) -> None:
        self.folder = folder
        self._on_skip = on_skip

    def save_event(self, trace_id: str, sequence: int, event: Event) -> None:
        """Append one event."""
        line = _line(_head(trace_id), sequence, to_stored_text(event))
        self._append(self._file_of(event), line)

    def save(self, trace: AgentTrace, texts: Sequence[str] = ()) -> None:
        """Append a whole run, with one write for each day that it touches.

        ``texts`` are the events' texts (``to_stored_text``) where the caller has them already.
        """
        head = _head(trace.trace_id)
        events = zip(trace.events, texts or map(to_stored_text, trace.events), strict=True)
        for _, day in groupby(enumerate(events), key=lambda each: each[1][0].at // _DAY):
            numbered = list(day)
            _, (first, _) = numbered[0]
            lines = (_line(head, sequence, text) for sequence, (_, text) in numbered)
            self._append(self._file_of(first), b"".join(lines))

    def load(self, trace_id: str, tenant: str | None = None) -> AgentTrace | None:
        """The run, if there is one and it belongs to this tenant."""
        head = _head(trace_id)
        days = self._newest_days()
        for position, day in enumerate(days):
            if any(line.startswith(head) and _STARTS.match(line) for _, line in _lines(day)):
                days = days[: position + _SKEW]
                break
        found = self._read(days, {head}).get(trace_id)
        return found if found is not None and _belongs(found, tenant) else None

    def recent(self, limit: int = 20, tenant: str | None = None) -> tuple[AgentTrace, ...]:
        """The runs that started last, the newest first."""
        started: dict[str, float] = {}
        days = self._newest_days()
        for position, day in enumerate(days):
            started |= {
                trace_id: event.at
                for trace_id, event in _started(day).items()
                if tenant in (None, event.tenant)
            }
            if len(started) >= limit:
                days = days[: position + _SKEW]
                break
        newest = sorted(started, key=lambda trace_id: started[trace_id], reverse=True)[:limit]
        found = self._read(days, {_head(trace_id) for trace_id in newest})
        return tuple(found[trace_id] for trace_id in newest)

    def close(self) -> None:
        """Nothing is held open between two writes."""

    def _file_of(self, event: Event) -> Path:
        return self.folder / f"{moment(event.at):%Y-%m-%d}.jsonl"

    def _append(self, file: Path, lines: bytes) -> None:
        try:
            handle = self._opened(file)
            try:
                written = os.write(handle, b"\n" + lines if _is_torn(handle) else lines)
            finally:
                os.close(handle)
        except OSError as error:
            raise StoreError(f"can't write traces to {self.folder}") from error
        if written < len(lines):
            raise StoreError(f"no room for traces in {self.folder}")

    def _opened(self, file: Path) -> int:
        how = os.O_RDWR | os.O_APPEND | os.O_CREAT | _BINARY
        try:
            return os.open(file, how, 0o600)
        except FileNotFoundError:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(file, how, 0o600)

    def _newest_days(self) -> list[Path]:
        return sorted(self.folder.glob("*.jsonl"), reverse=True)

    def _read(self, newest_days: list[Path], heads: set[bytes]) -> dict[str, AgentTrace]:
        events: dict[str, dict[int, Event]] = {}
        for day in reversed(newest_days):
            for number, line in _lines(day):
                head = _HEAD.match(line)
                if head and head[0] not in heads:
                    continue
                record = _parsed(line)
                if record is None:
                    self._on_skip(f"{day}:{number}")
                else:
                    trace_id, sequence, event = record
                    events.setdefault(trace_id, {}).setdefault(sequence, event)
        return {
            trace_id: AgentTrace(
                trace_id=trace_id, events=tuple(numbered[sequence] for sequence in sorted(numbered))
            )
            for trace_id, numbered in events.items()
        }


def _line(head: bytes, sequence: int, text: str) -> bytes:
    return b'%s,"sequence":%d,"event":%s}\n' % (head, sequence, text.encode())


def _head(trace_id: str) -> bytes:
    """The beginning of each line of this run."""
    return b'{"traceId":' + json.dumps(trace_id, ensure_ascii=False).encode()


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, line
    except OSError as error:
        raise StoreError(f"can't read traces from {file}") from error


def _is_torn(handle: int) -> bool:
    """True when the file ends within a line."""
    size = os.fstat(handle).st_size
    if not size:
        return False
    os.lseek(handle, -1, os.SEEK_END)
    return os.read(handle, 1) != b"\n"


def _started(day: Path) -> dict[str, RunStarted]:
    """The first event of each run of a day."""
    found: dict[str, RunStarted] = {}
    for _, line in _lines(day):
        record = _parsed(line) if _STARTS.match(line) else None
        if record is not None and isinstance(record[2], RunStarted):
            found.setdefault(record[0], record[2])
    return found


def _parsed(line: bytes) -> tuple[str, int, Event] | None:
    try:
        record = json.loads(line)
        return record["traceId"], record["sequence"], from_stored(record["event"])
    except (ValueError, KeyError, TypeError):
        return None


def _belongs(trace: AgentTrace, tenant: str | None) -> bool:
    return tenant is None or any(
        isinstance(event, RunStarted) and event.tenant == tenant for event in trace.events
    )
