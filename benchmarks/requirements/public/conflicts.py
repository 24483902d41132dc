"""Conflicts that people marked: in whole documents, and in pairs with the element at odds."""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.requirements.public.half import Half, half_of
from benchmarks.requirements.public.score import Call, scores
from veridical.requirements.relations.pairs import related_pairs
from veridical.requirements.relations.relation import Kind, relate
from veridical.requirements.relations.signature import signature
from veridical.requirements.tokens import read

_AGENTS = "language-model agents: macro F1 0.80 (P 0.85, R 0.77); overlap with a rule: F1 0.38"
_RULE = "a rule: P 0.97, R 0.51; calling every pair a conflict: F1 0.85"


def measure(data: Path, half: Half) -> dict[str, Any]:
    """The figures of both sets."""
    documents, pairs = data / "req_conflict_docs", data / "req_conflict_pairs"
    found: dict[str, Any] = {}
    if documents.exists():
        found["documents"] = _documents(documents, half)
    if pairs.exists():
        calls = [
            Call(item["conflict"], _called(_kind(item["a"], item["b"]), Kind.CONFLICT))
            for name in ("train", "test")
            for item in _lines(pairs / f"{name}.jsonl")
            if half_of(item["a"]) is half
        ]
        found["pairs"] = scores(calls, _RULE)
    return found


def _documents(folder: Path, half: Half) -> dict[str, Any]:
    labels = {
        (item["doc"], *sorted((item["a"], item["b"]))): item["label"]
        for item in _lines(folder / "pairs.jsonl")
    }
    texts: dict[str, dict[int, str]] = {}
    for item in _lines(folder / "requirements.jsonl"):
        texts.setdefault(item["doc"], {})[item["id"]] = item["text"]
    kinds = {
        (doc, *sorted((ids[pair.first], ids[pair.second]))): pair.relation.kind
        for doc, each in texts.items()
        for ids in (list(each),)
        for pair in related_pairs([read(each[one], "en") for one in ids])
    }
    keys = [
        (doc, *sorted(pair))
        for doc, each in texts.items()
        for pair in combinations(each, 2)
        if half_of("-".join(map(str, (doc, *sorted(pair))))) is half
    ]
    return {
        label: scores(
            (Call(labels.get(key) == label, _called(kinds.get(key), kind)) for key in keys),
            published,
        )
        for label, kind, published in (
            ("conflict", Kind.CONFLICT, _AGENTS),
            ("duplicate", Kind.DUPLICATE, "none"),
        )
    } | {
        "conflicts_called_duplicates": sum(
            labels.get(key) == "conflict" and kinds.get(key) is Kind.DUPLICATE for key in keys
        )
    }


def _called(found: Kind | None, wanted: Kind) -> bool | None:
    """Two that are about the same thing and no more are not judged: a person has to look."""
    return None if found is Kind.RELATED else found is wanted


def _kind(first: str, second: str) -> Kind | None:
    relation = relate(signature(read(first, "en")), signature(read(second, "en")))
    return None if relation is None else relation.kind


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())
