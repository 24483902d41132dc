"""Vectors of a set's texts, kept beside the model: embedding takes minutes, reading them none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy

from benchmarks.search.minilm import minilm_folder
from benchmarks.search.static_multilingual import static_folder
from veridical.search.embeddings.embedder import Embedder
from veridical.search.embeddings.onnx_file import OnnxEmbedder


@dataclass(frozen=True, slots=True)
class _Model:
    name: str
    folder: str
    made: Callable[[Path], Path]
    longest: int
    """Tokens of a text that it reads."""


_MODELS: Mapping[str, _Model] = {
    "minilm": _Model("all-MiniLM-L6-v2", "minilm", minilm_folder, 256),
    "static-multilingual": _Model(
        "tokenlearn-static-model", "static_multilingual", static_folder, 512
    ),
}
EMBEDDERS = tuple(_MODELS)
DEFAULT = EMBEDDERS[0]
"""It speaks English; the other one German, English and Chinese."""


@dataclass(frozen=True, slots=True)
class KeptEmbedder:
    """An embedder of the product, with a folder where the vectors of a set's texts are kept."""

    embedder: Embedder
    folder: Path

    def vectors(self, texts: Sequence[str]) -> Any:
        """The vectors of these texts, one row each."""
        key = sha256("\0".join(texts).encode()).hexdigest()[:16]
        kept = self.folder / f"vectors-{key}.npy"
        if not kept.exists():
            made = numpy.array(self.embedder.embed(texts), dtype=numpy.float32)
            with kept.with_suffix(".part").open("wb") as file:
                numpy.save(file, made)
            kept.with_suffix(".part").rename(kept)
        return numpy.load(kept)


def kept_embedder(data: Path, name: str = DEFAULT) -> KeptEmbedder:
    """The embedder of this name. Raises ``NotInstalledError``."""
    model = _MODELS[name]
    folder = model.made(data / model.folder)
    return KeptEmbedder(OnnxEmbedder(folder, model.name, longest=model.longest), folder)
