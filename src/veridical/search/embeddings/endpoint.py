"""Embeddings from any server with an OpenAI-compatible ``/v1/embeddings``."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openai import APIStatusError, OpenAI, OpenAIError

from veridical.search.embeddings.embedder import EmbeddingError, RefusedTextError, Vector

_AT_ONCE = 64
"""Texts in one request: what servers commonly take."""
_REFUSALS = frozenset({400, 413, 422})
"""Statuses of servers for a text that is too long for their model."""


@dataclass(frozen=True)
class EndpointEmbedder:
    """A model behind an endpoint."""

    model: str
    base_url: str
    api_key: str = field(default="none", repr=False)
    query_prefix: str = ""
    """The prefix that some models need before a question, such as ``query: ``."""
    passage_prefix: str = ""
    timeout_seconds: float = 30
    query_seconds: float = 5

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of passages. Raises ``EmbeddingError``."""
        prefixed = [self.passage_prefix + text for text in texts]
        return self._requested(prefixed, self.timeout_seconds, retries=2)

    def embed_query(self, text: str) -> Vector:
        """The vector of a question, without retries: a user waits for it.

        Raises ``EmbeddingError``.
        """
        return self._requested([self.query_prefix + text], self.query_seconds, retries=0)[0]

    def _requested(self, texts: Sequence[str], seconds: float, *, retries: int) -> list[Vector]:
        vectors: list[Vector] = []
        try:
            with OpenAI(
                base_url=self.base_url, api_key=self.api_key, timeout=seconds, max_retries=retries
            ) as client:
                for start in range(0, len(texts), _AT_ONCE):
                    part = list(texts[start : start + _AT_ONCE])
                    reply = client.embeddings.create(
                        model=self.model, input=part, encoding_format="float"
                    )
                    in_order = sorted(reply.data, key=lambda each: each.index)
                    vectors += [each.embedding for each in in_order]
        except APIStatusError as error:
            refused = error.status_code in _REFUSALS
            kind = RefusedTextError if refused else EmbeddingError
            raise kind(type(error).__name__) from error
        except (OpenAIError, ValueError, TypeError) as error:  # the last two: no vectors in it
            raise EmbeddingError(type(error).__name__) from error
        if len(vectors) != len(texts) or len({len(each) for each in vectors}) > 1:
            raise EmbeddingError("the endpoint returned other vectors than requested")
        return vectors
