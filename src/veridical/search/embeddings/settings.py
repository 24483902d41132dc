"""Settings of the embedder: ``[search.embedder]``, then ``VERIDICAL_SEARCH_EMBEDDER__*``."""

from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator


class EmbedderSettings(BaseModel):
    """Which model makes the vectors, and where it runs."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    model: str = ""
    """The name under which its vectors are stored, and by which an endpoint knows it; without one,
    the name of the folder."""
    endpoint: str = ""
    """``http://HOST/v1`` of a server with an OpenAI-compatible ``/embeddings``."""
    onnx: Path | None = None
    """A folder with ``model.onnx`` and ``tokenizer.json``."""
    api_key: SecretStr | None = None
    """Of the endpoint."""
    query_prefix: str = ""
    """The prefix that some models need before a question, such as ``query: ``."""
    passage_prefix: str = ""
    """What some models want before a passage, such as ``passage: ``."""
    timeout_seconds: float = Field(default=30, gt=0)
    """For a request with passages."""
    query_seconds: float = Field(default=5, gt=0)
    """For a question: after that, words alone are searched."""

    @model_validator(mode="after")
    def _is_in_one_place(self) -> Self:
        if bool(self.endpoint) == (self.onnx is not None):
            raise ValueError("embedder needs either endpoint or onnx")
        if self.endpoint and not self.model:
            raise ValueError("embedder.endpoint needs embedder.model")
        return self
