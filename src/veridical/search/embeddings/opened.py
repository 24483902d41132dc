"""The embedder of the settings."""

from typing import overload

from veridical.contracts.extras import require
from veridical.search.embeddings.embedder import Embedder
from veridical.search.embeddings.settings import EmbedderSettings


@overload
def opened_embedder(settings: EmbedderSettings) -> Embedder: ...


@overload
def opened_embedder(settings: EmbedderSettings | None) -> Embedder | None: ...


def opened_embedder(settings: EmbedderSettings | None) -> Embedder | None:
    """The embedder, which is first called when it is needed; none where none is set.

    Raises ``MissingExtraError``.
    """
    if settings is None:
        return None
    if settings.onnx is not None:
        require("onnx")
        from veridical.search.embeddings.onnx_file import OnnxEmbedder

        return OnnxEmbedder(
            settings.onnx,
            settings.model,
            query_prefix=settings.query_prefix,
            passage_prefix=settings.passage_prefix,
        )
    from veridical.search.embeddings.endpoint import EndpointEmbedder

    key = settings.api_key.get_secret_value() if settings.api_key else ""
    return EndpointEmbedder(
        settings.model,
        settings.endpoint,
        key or "none",
        settings.query_prefix,
        settings.passage_prefix,
        settings.timeout_seconds,
        settings.query_seconds,
    )
