"""Reads the arrays of a safetensors file: a length, a header in JSON, then the numbers."""

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy

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
