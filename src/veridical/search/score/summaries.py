"""What a store knows of a question, as summaries that are kept for a limited time."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

from veridical.contracts.search_candidate import FacetCoverage, SearchCandidate
from veridical.contracts.wire import Wire
from veridical.reading.punctuation import wide_marks
from veridical.search.score.facets import coverage_of
from veridical.search.score.settings import ScoreSettings
from veridical.search.score.tokens import tokens

Value = TypeVar("Value")


MOST_ENTRIES = 10_000


class ExpiringCache(Generic[Value]):
    """Values by key, each for a limited time; the one unused for longest makes room."""

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = monotonic,
        most: int = MOST_ENTRIES,
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._most = most
        self._entries: OrderedDict[str, tuple[float, Value]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> Value | None:
        """The value, unless it has expired."""
        with self._lock:
            found = self._entries.get(key)
            if found is None:
                return None
            expires, value = found
            if self._clock() >= expires:
                del self._entries[key]
                return None
            self._entries.move_to_end(key)
            return value

    def put(self, key: str, value: Value) -> None:
        """Keep the value from now on."""
        with self._lock:
            self._entries[key] = self._clock() + self._seconds, value
            self._entries.move_to_end(key)
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)


_ENDS = ".!?"
_SENTENCE_END = re.compile(
    rf"(?<=[{_ENDS}])\s+(?=\W*[A-Z0-9\u00c0-\u00de])|(?<=[{wide_marks(_ENDS)}])|\n+"
)
LONGEST_POINT = 400
"""Characters; a longer sentence is cut."""


class Summary(Wire):
    """The key points of a stored document, in the order of the text, and what it covers."""

    candidate_id: str
    key_points: tuple[str, ...]
    coverage: FacetCoverage


class SummaryCache(ExpiringCache[Summary]):
    """Summaries by document, content and question."""


def summaries_of(
    stored: Sequence[SearchCandidate],
    question: str,
    settings: ScoreSettings,
    cache: SummaryCache | None,
) -> tuple[tuple[Summary, ...], bool]:
    """The summary of each document, and whether all came from the cache."""
    found: list[Summary] = []
    hits = 0
    for document in stored:
        key = _key(document, question, settings)
        summary = cache.get(key) if cache else None
        hits += summary is not None
        if summary is None:
            summary = _summary(document, question, settings)
            if cache:
                cache.put(key, summary)
        found.append(summary)
    return tuple(found), bool(found) and hits == len(found)


def key_points(text: str, question: str, least: int, most: int) -> tuple[str, ...]:
    """The sentences with most words of the question, and further ones from the beginning up to
    ``least``; fewer only where the text has no more."""
    pieces = (each.strip() for each in _SENTENCE_END.split(text))
    sentences = list(dict.fromkeys(each[:LONGEST_POINT] for each in pieces if each))
    words = tokens(question)
    shared = [len(words & tokens(each)) for each in sentences]
    order = sorted(range(len(sentences)), key=lambda place: (-shared[place], place))
    chosen = [place for count, place in enumerate(order[:most]) if shared[place] or count < least]
    return tuple(sentences[place] for place in sorted(chosen))


def _summary(document: SearchCandidate, question: str, settings: ScoreSettings) -> Summary:
    points = key_points(
        document.snippet, question, settings.min_key_points, settings.max_key_points
    )
    return Summary(candidate_id=document.id, key_points=points, coverage=coverage_of(document))


def _key(document: SearchCandidate, question: str, settings: ScoreSettings) -> str:
    lengths = f"{settings.min_key_points}-{settings.max_key_points}"
    parts = "\0".join((document.id, document.fingerprint, document.snippet, question, lengths))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()
