"""The taken places of a text, looked up in one step however many there are."""

from collections.abc import Iterable

from veridical.gate.text.passage import Span


class Taken:
    """The places of a text that are in use already."""

    def __init__(self, length: int, spans: Iterable[Span] = ()) -> None:
        self._places = bytearray(length)
        for start, end in spans:
            self.add(start, end)

    def add(self, start: int, end: int) -> None:
        """Marks a span as taken."""
        self._places[start:end] = b"\1" * (min(end, len(self._places)) - start)

    def meets(self, start: int, end: int) -> bool:
        """True if any place of a span is taken."""
        return self._places.find(1, start, end) >= 0
