import pytest

from veridical.contracts.chunk import Chunk
from veridical.gate.quotations.citations import find_citations
from veridical.gate.quotations.library import shelve

LIBRARY = shelve(
    [
        Chunk(id="c1", text="a", title="Annual report"),
        Chunk(id="doc-417#2", text="b", source="https://example.org/b"),
        Chunk(id="x", text="c"),
    ]
)


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("a [c1].", [(0,)]),
        ("a [doc-417#2]", [(1,)]),
        ("a [1][3]", [(0, 2)]),
        ("a [1, 2; c1]", [(0, 1)]),
        ("a [1-3]", [(0, 1, 2)]),
        ("a [^2]", [(1,)]),
        ("a【2†source】", [(1,)]),
        ("a (source: c1)", [(0,)]),
        ("a (Quelle: doc-417#2)", [(1,)]),
        ("文（来源：c1）", [(0,)]),
        ("a (c1)", [(0,)]),
        ("a [Annual report]", [(0,)]),
        ("a [see](https://example.org/b)", [(1,)]),
        ("a [1](https://example.org/other)", [(0,)]),
        ("a (1) b [sic] [2024] list[0] [the firm] (see below)", []),
    ],
)
def test_forms_of_citations(text: str, chunks: list[tuple[int, ...]]) -> None:
    assert [each.chunks for each in find_citations(text, LIBRARY)] == chunks


@pytest.mark.parametrize("text", ["a [c9]", "a [doc-1#1]", "a [17]", "a (source: c7)"])
def test_a_source_that_there_is_not_is_told(text: str) -> None:
    (found,) = find_citations(text, LIBRARY)
    assert found.unknown
    assert not found.chunks
