"""Cutting documents: nothing lost, nothing twice, nothing too long."""

from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.search.document_reading import LONGEST, chunked, content_hash
from veridical.search.documents.parsed import ParsedDocument, Section

_TEXT = st.lists(
    st.sampled_from(["Ein Satz.", "word", "\n\n", "\n", " ", "第一章规定了数据保护。", "x" * 300]),
    max_size=80,
).map("".join)


@given(_TEXT, _TEXT)
def test_chunks_hold_the_whole_text_once(one: str, other: str) -> None:
    chunks = chunked(ParsedDocument((Section(one, "A"), Section(other, "B"))))
    assert all(0 < len(chunk.text) <= LONGEST for chunk in chunks)
    for section, text in (("A", one), ("B", other)):
        held = "".join(chunk.text for chunk in chunks if chunk.section == section)
        assert "".join(held.split()) == "".join(text.split())


def test_a_chunk_ends_where_a_paragraph_does() -> None:
    first, second = "One sentence of many. " * 40, "Another one. " * 60
    chunks = chunked(ParsedDocument((Section(f"{first.strip()}\n\n{second.strip()}"),)))
    assert chunks[0].text == first.strip()


def test_each_chunk_has_its_own_language() -> None:
    parsed = ParsedDocument(
        (Section("Die Kündigungsfrist beträgt drei Monate."), Section("本条例自公布之日起施行。"))
    )
    assert [chunk.language for chunk in chunked(parsed)] == [Language.DE, Language.ZH]


def test_the_hash_changes_with_content_and_facts() -> None:
    one = chunked(ParsedDocument((Section("text"),)))
    other = chunked(ParsedDocument((Section("text."),)))
    assert content_hash(one) == content_hash(one)
    assert len({content_hash(one), content_hash(other), content_hash(one, "v2")}) == 3
