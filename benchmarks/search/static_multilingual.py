"""A small multilingual model as an ONNX file, from a package that somebody installed to measure.

The package ``tokenlearn-static-model`` declares no licence: it is neither shipped nor fetched, and
nothing of its own code is run. Its model is a table: every token has a vector and a weight, and a
text has the mean of them. That graph is written down here and run as any other ONNX file is.
"""

import json
import shutil
import struct
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

_KINDS = {"F32": "<f4", "I64": "<i8", "I8": "i1"}

Weights = Mapping[str, Any]


def read_weights(blob: bytes) -> Weights:
    """The arrays by their names, those of a kind that is known here."""
    (size,) = struct.unpack("<Q", blob[:8])
    header = json.loads(blob[8 : 8 + size])
    start = 8 + size
    return {
        name: numpy.frombuffer(
            blob[start + about["data_offsets"][0] : start + about["data_offsets"][1]],
            _KINDS[about["dtype"]],
        ).reshape(about["shape"])
        for name, about in header.items()
        if name != "__metadata__" and about["dtype"] in _KINDS
    }


PACKAGE = "tokenlearn-static-model==0.1.1"
_MODULE = "static_model"
_OPSET, _IR = 20, 9


class NotInstalledError(Exception):
    """Nobody installed the package."""


def static_folder(folder: Path) -> Path:
    """The folder with ``model.onnx`` and ``tokenizer.json``, which are made where they are not
    there. Raises ``NotInstalledError``."""
    model = folder / "model.onnx"
    if model.exists():
        return folder
    found = find_spec(_MODULE)
    if found is None or found.origin is None:
        raise NotInstalledError(f"the embedder static-multilingual needs {PACKAGE}")
    inside = Path(found.origin).parent / "model"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(inside / "tokenizer.json", folder / "tokenizer.json")
    made = folder / "model.onnx.part"
    onnx.save(table_model(read_weights((inside / "model.safetensors").read_bytes())), str(made))
    made.rename(model)
    return folder


def table_model(weights: Weights) -> Any:
    """A graph that looks every token up: its row of the vectors, times its weight."""
    held = {
        "rows": weights["mapping"],
        "vectors": weights["embeddings"].astype(numpy.float32),
        "weights": weights["weights"][:, None],
    }
    nodes = [
        helper.make_node("Gather", ["rows", "input_ids"], ["row"]),
        helper.make_node("Gather", ["vectors", "row"], ["vector"]),
        helper.make_node("Gather", ["weights", "input_ids"], ["weight"]),
        helper.make_node("Mul", ["vector", "weight"], ["last_hidden_state"]),
    ]
    tokens = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])
    width = int(held["vectors"].shape[1])
    output = helper.make_tensor_value_info(
        "last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", width]
    )
    constants = [numpy_helper.from_array(value, name) for name, value in held.items()]
    graph = helper.make_graph(nodes, "table", [tokens], [output], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)
