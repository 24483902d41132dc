"""The embedders of the search benchmark: what a file of weights holds, and how a text is met."""

import json
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy
import onnx
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from benchmarks.search import static_multilingual
from benchmarks.search.paraphrases import spoken
from benchmarks.search.static_multilingual import (
    NotInstalledError,
    read_weights,
    static_folder,
    table_model,
)
from veridical.search.embeddings.embedder import Vector
from veridical.search.embeddings.onnx_file import OnnxEmbedder

_TABLES = {
    "mapping": numpy.array([0, 1, 0], dtype="<i8"),
    "weights": numpy.array([1.0, 2.0, 0.5], dtype="<f4"),
    "embeddings": numpy.array([[3, 4], [-4, 3]], dtype="i1"),
}


def test_weights_are_read_as_they_were_written() -> None:
    kinds = {"<i8": "I64", "<f4": "F32", "|i1": "I8"}
    header, body = {}, b""
    for name, value in _TABLES.items():
        ends = [len(body), len(body) + value.nbytes]
        kind = kinds[value.dtype.str]
        header[name] = {"dtype": kind, "shape": value.shape, "data_offsets": ends}
        body += value.tobytes()
    written = json.dumps(header | {"__metadata__": {}}).encode()
    read = read_weights(struct.pack("<Q", len(written)) + written + body)
    assert {name: value.tolist() for name, value in read.items()} == {
        name: value.tolist() for name, value in _TABLES.items()
    }


def test_a_text_is_the_weighted_mean_of_its_tokens(tmp_path: Path) -> None:
    words = Tokenizer(WordLevel({"a": 0, "b": 1, "c": 2}, unk_token="c"))
    words.pre_tokenizer = Whitespace()
    words.save(str(tmp_path / "tokenizer.json"))
    onnx.save(table_model(_TABLES), str(tmp_path / "model.onnx"))
    first, both, last = OnnxEmbedder(tmp_path).embed(["a", "a b", "c"])
    assert first == pytest.approx([0.6, 0.8])
    expected = numpy.array([3 - 8, 4 + 6]) / numpy.hypot(5, 10)
    assert both == pytest.approx(expected.tolist())
    assert last == pytest.approx(first), "a weight alone does not turn a vector"


def test_without_the_package_the_error_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(name: str) -> None:
        return None

    monkeypatch.setattr(static_multilingual, "find_spec", nothing)
    with pytest.raises(NotInstalledError, match="tokenlearn-static-model"):
        static_folder(tmp_path)


class _OneMeaning:
    """Says the same of every text."""

    model = "one"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [[1.0, 0.0] for _ in texts]

    def embed_query(self, text: str) -> Vector:
        return [1.0, 0.0]


def test_an_embedder_that_knows_nothing_is_not_taken_for_one_that_does() -> None:
    found = spoken(_OneMeaning())
    assert len(found) == 18
    assert set(found.values()) == {0.0}
