"""An embedder that remembers: the vectors of recent questions, and that it was away just now."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic

from veridical.search.embeddings.embedder import Embedder, EmbeddingError, Vector

_QUESTIONS = 256
_PAUSE_SECONDS = 10.0
"""How long an embedder that failed is not called: a search waits for it once, and not once for each
of its collections."""


class RememberingEmbedder:
    """Asks the embedder behind it, for each question once."""

    def __init__(self, behind: Embedder, clock: Callable[[], float] = monotonic) -> None:
        self.model = behind.model
        self._behind = behind
        self._clock = clock
        self._known: OrderedDict[str, Vector] = OrderedDict()
        self._away_until = 0.0
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of passages. Raises ``EmbeddingError``."""
        return self._behind.embed(texts)

    def embed_query(self, text: str) -> Vector:
        """The vector of a question. Raises ``EmbeddingError``."""
        with self._lock:
            if text in self._known:
                self._known.move_to_end(text)
                return self._known[text]
            if self._clock() < self._away_until:
                raise EmbeddingError("the embedder was away a moment ago")
        try:
            vector = self._behind.embed_query(text)
        except EmbeddingError:
            with self._lock:
                self._away_until = self._clock() + _PAUSE_SECONDS
            raise
        with self._lock:
            self._known[text] = vector
            if len(self._known) > _QUESTIONS:
                self._known.popitem(last=False)
        return vector
