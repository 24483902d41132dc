"""Vectors of a set's texts, kept beside the model: embedding takes minutes, reading them none."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy

from benchmarks.search.minilm import minilm_folder
from veridical.search.embeddings.onnx_file import OnnxEmbedder

MODEL = "all-MiniLM-L6-v2"


def embedder(data: Path) -> OnnxEmbedder:
    """The English model, fetched where it is not there."""
    return OnnxEmbedder(minilm_folder(data / "minilm"), MODEL)


def vectors(model: OnnxEmbedder, texts: Sequence[str], data: Path) -> Any:
    """The vectors of these texts, one row each."""
    key = sha256("\0".join(texts).encode()).hexdigest()[:16]
    kept = data / "minilm" / f"vectors-{key}.npy"
    if not kept.exists():
        made = numpy.array(model.embed(texts), dtype=numpy.float32)
        with kept.with_suffix(".part").open("wb") as file:
            numpy.save(file, made)
        kept.with_suffix(".part").rename(kept)
    return numpy.load(kept)
