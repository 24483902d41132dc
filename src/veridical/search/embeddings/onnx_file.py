"""Embeddings from an ONNX file on this machine, with the tokenizer that belongs to it."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy
from onnxruntime import (
    InferenceSession,
    SessionOptions,  # pyright: ignore[reportAttributeAccessIssue] # comes from its compiled part
)
from tokenizers import Tokenizer

from veridical.search.embeddings.embedder import EmbeddingError, Vector

_AT_ONCE = 16


class OnnxEmbedder:
    """A folder with ``model.onnx`` and ``tokenizer.json``, as sentence models are exported.

    Token vectors are averaged over the text; a model that returns one vector per text is taken at
    its word. Vectors have the length 1.
    """

    def __init__(
        self,
        folder: Path,
        model: str = "",
        *,
        query_prefix: str = "",
        passage_prefix: str = "",
        longest: int = 256,
        threads: int = 0,
    ) -> None:
        self.model = model or folder.resolve().name
        self._folder = folder
        self._query_prefix = query_prefix
        self._passage_prefix = passage_prefix
        self._longest = longest
        self._threads = threads

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of passages. Raises ``EmbeddingError``."""
        # Texts of like length together: a batch is as long as its longest text.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        vectors: dict[int, Vector] = {}
        for start in range(0, len(order), _AT_ONCE):
            places = order[start : start + _AT_ONCE]
            prefixed = [self._passage_prefix + texts[at] for at in places]
            vectors.update(zip(places, self._run(prefixed), strict=True))
        return [vectors[place] for place in range(len(texts))]

    def embed_query(self, text: str) -> Vector:
        """The vector of a question. Raises ``EmbeddingError``."""
        return self._run([self._query_prefix + text])[0]

    @cached_property
    def _session(self) -> InferenceSession:
        options = SessionOptions()
        options.intra_op_num_threads = self._threads
        try:
            return InferenceSession(
                self._folder / "model.onnx", options, providers=["CPUExecutionProvider"]
            )
        except (
            Exception
        ) as error:  # the runtime has no error class of its own for what it can't read
            raise EmbeddingError(str(error)) from error

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        try:
            tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        except Exception as error:  # the library raises plain exceptions
            raise EmbeddingError(str(error)) from error
        tokenizer.enable_truncation(self._longest)
        tokenizer.enable_padding()
        return tokenizer

    def _run(self, texts: Sequence[str]) -> list[Vector]:
        encoded = self._tokenizer.encode_batch(list(texts))
        mask = numpy.array([each.attention_mask for each in encoded], dtype=numpy.int64)
        given: dict[str, Any] = {
            "input_ids": numpy.array([each.ids for each in encoded], dtype=numpy.int64),
            "attention_mask": mask,
            "token_type_ids": numpy.zeros_like(mask),
        }
        wanted = {each.name for each in self._session.get_inputs()}
        made: Any = self._session.run(None, {name: given[name] for name in wanted})[0]
        if made.ndim == 3:  # one vector per token
            weights = mask[:, :, None].astype(made.dtype)
            made = (made * weights).sum(axis=1) / numpy.maximum(weights.sum(axis=1), 1)
        lengths = numpy.linalg.norm(made, axis=1, keepdims=True)
        return (made / numpy.maximum(lengths, 1e-12)).tolist()
