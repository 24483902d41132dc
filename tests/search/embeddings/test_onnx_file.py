"""A real ONNX file, run by the real runtime: token vectors are averaged over the text alone."""

from pathlib import Path

import numpy
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from veridical.search.embeddings.embedder import EmbeddingError
from veridical.search.embeddings.onnx_file import OnnxEmbedder

_WORDS = ["[PAD]", "[UNK]", "cat", "dog", "tax", "law"]
_MEANINGS = [[9, 9, 9], [0, 0, 1], [1, 0, 0], [0.9, 0.1, 0], [0, 1, 0], [0, 0.9, 0.2]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that looks every token up in a table."""
    made = tmp_path_factory.mktemp("model")
    table = numpy_helper.from_array(numpy.array(_MEANINGS, "float32"), "table")
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "lookup",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])],
        [
            helper.make_tensor_value_info(
                "last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", 3]
            )
        ],
        [table],
    )
    opset = [helper.make_opsetid("", 20)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=9), made / "model.onnx")
    words = {word: number for number, word in enumerate(_WORDS)}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(made / "tokenizer.json"))
    return made


def test_texts_become_vectors_of_length_one(folder: Path) -> None:
    model = OnnxEmbedder(folder, "lookup")
    texts = ["cat", "tax law law law", "cat dog", *(["dog"] * 40)]
    vectors = numpy.array(model.embed(texts))
    assert vectors.shape == (43, 3)
    assert numpy.linalg.norm(vectors, axis=1) == pytest.approx(numpy.ones(43))
    # the padding of a batch, whose own vector is long, has no part in a text's
    assert vectors[0] == pytest.approx([1, 0, 0], abs=1e-6)
    assert numpy.array(model.embed_query("cat dog")) == pytest.approx(vectors[2], abs=1e-6)
    assert vectors[0] @ vectors[2] > 0.9 > vectors[0] @ vectors[1]
    assert model.embed([]) == []


def test_what_is_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError):
        OnnxEmbedder(tmp_path).embed_query("text")
    (tmp_path / "tokenizer.json").write_text("{}", "utf-8")
    with pytest.raises(EmbeddingError):
        OnnxEmbedder(tmp_path).embed_query("text")
