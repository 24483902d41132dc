"""Any stretch between words of a chunk is proven however it is set; with one word changed it is
not."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tests.gate.quotations.sample import chunks_in
from tests.gate.strictly import strictly
from veridical.contracts.chunk import Chunk
from veridical.contracts.language import Language
from veridical.contracts.proof import Standing
from veridical.gate.quotations.standing import denies

PAIRS = ("“”", '""', "„“", "«»", "»«", "「」")
BLANKS = (" ", "\u00a0", "  ", "\n", "\u202f")
ALIKE = {"'": "’", "’": "'", "“": '"', "—": "–", " – ": " — ", "%": "\uff05", "-": "\u2011"}
LANGUAGES = {Language.EN: " ", Language.DE: " ", Language.ZH: ""}


@st.composite
def quotations(draw: st.DrawFn) -> tuple[Chunk, tuple[Chunk, ...], list[str], int, int]:
    """A chunk, all chunks, its words, and the first and last word that are quoted."""
    language = draw(st.sampled_from(list(LANGUAGES)))
    chunks = chunks_in(language)
    chunk = draw(st.sampled_from(chunks))
    words = _words(chunk.text, language)
    first = draw(st.integers(0, len(words) - 6))
    last = draw(st.integers(first + 5, len(words) - 1))
    return chunk, chunks, words, first, last


def _words(text: str, language: Language) -> list[str]:
    """Between blanks; in Chinese a sign each. A figure and its percent sign are one."""
    if language is not Language.ZH:
        return re.split(r"\s+(?!%)", text)
    return re.findall(r"[\d.]+%?|\S", text)


@given(quotations(), st.data())
def test_a_stretch_of_a_chunk_is_proven(
    made: tuple[Chunk, tuple[Chunk, ...], list[str], int, int], data: st.DataObject
) -> None:
    chunk, chunks, words, first, last = made
    if first and denies(words[first - 1], chunk.language or Language.EN):
        return  # what is cut off behind a negation is a rule of its own
    blank = " " if chunk not in chunks_in(Language.ZH) else ""
    quoted = blank.join(words[first : last + 1])
    for old, new in ALIKE.items():
        if data.draw(st.booleans()):
            quoted = quoted.replace(old, new)
    if blank:
        quoted = quoted.replace(
            " ", data.draw(st.sampled_from(BLANKS)), data.draw(st.integers(0, 3))
        )
    if data.draw(st.booleans()):
        quoted = unicodedata.normalize("NFD", quoted)
    if data.draw(st.booleans()) and len(quoted[0].swapcase()) == 1:
        quoted = quoted[0].swapcase() + quoted[1:]
    if data.draw(st.booleans()):
        quoted = quoted.rstrip(".,。，") + data.draw(st.sampled_from((".", ",", "")))
    pair = data.draw(st.sampled_from(PAIRS))
    for mark in '"“”„«»「」':
        quoted = quoted.replace(mark, "‘")
    proof = strictly(f"{pair[0]}{quoted}{pair[1]} [{chunk.id}]", chunks)
    if first and _denied(chunk, words, first):
        return
    assert proof.ok, (quoted, proof.findings)
    claim = next(each for each in proof.claims if each.kind == "quotation")
    assert claim.standing is Standing.GROUNDED
    assert claim.binding is not None
    ref = claim.binding.passages[0]
    assert ref.chunk == chunk.id
    assert ref.text == chunk.text[ref.start : ref.end][: len(ref.text)]
    assert _letters(quoted) == _letters(chunk.text[ref.start : ref.end])


def _denied(chunk: Chunk, words: list[str], first: int) -> bool:
    """Chinese writes a negation in one sign or two, German and English in one word."""
    lead = "".join(words[max(0, first - 2) : first])
    return denies(lead, Language.ZH) or denies(words[first - 1], Language.DE)


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if sign.isalnum())


@given(quotations(), st.data())
def test_a_stretch_with_one_word_changed_is_not(
    made: tuple[Chunk, tuple[Chunk, ...], list[str], int, int], data: st.DataObject
) -> None:
    chunk, chunks, words, first, last = made
    blank = " " if chunk not in chunks_in(Language.ZH) else ""
    at = data.draw(st.integers(first, last))
    other = data.draw(st.sampled_from(sorted({word for each in chunks for word in _all(each)})))
    changed = [*words[first:at], other, *words[at + 1 : last + 1]]
    quoted = re.sub(r"[\"“”„«»「」]", "’", blank.join(changed))
    known = {_letters(each.text) for each in chunks}
    if any(_letters(quoted) in text for text in known):
        return  # the same after all
    proof = strictly(f"“{quoted}” [{chunk.id}]", chunks)
    assert not proof.ok, quoted


def _all(chunk: Chunk) -> list[str]:
    han = chunk in chunks_in(Language.ZH)
    return _words(chunk.text, Language.ZH if han else Language.EN)
