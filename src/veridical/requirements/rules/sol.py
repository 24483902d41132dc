"""SOL: a technology is prescribed where a need is meant."""

from collections.abc import Iterator
from functools import cache

from veridical.requirements.lexicon import TECHNOLOGIES, Hit, lexicon, word_file
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Names of products, with their version; quoted ones are names of something else."""
    quoted = tokens.quoted
    for hit in sorted((*tokens.hits.get("SOL", ()), *_joined(tokens))):
        if hit.first in quoted or not _is_written_as_name(tokens, hit.first):
            continue
        if hit.group == "everywhere" or _is_prescribed(tokens, hit):
            yield Mark(hit.first, _with_version(tokens, hit.end))


def _is_written_as_name(tokens: Tokens, place: int) -> bool:
    text = tokens.all[place].text
    return text[0] == "." or text.lower() != text


def _is_prescribed(tokens: Tokens, hit: Hit) -> bool:
    """True if a word with another meaning stands where a tool is named: in Go, with Unity.
    A platform that the product runs on, or a partner that gets its data, is no solution."""
    before = hit.first - 1
    if tokens.is_in("determiners", before):
        before -= 1
    if not tokens.is_in("means", before):
        return False
    return hit.group != "outside" or not tokens.has_any("exchanges")


def _joined(tokens: Tokens) -> Iterator[Hit]:
    """Names with a hyphen (Cassandra-Datenbank), and chips by how their names begin."""
    for place, low in enumerate(tokens.lows):
        if _is_named_so(low, tokens.language) and not any(
            hit.first <= place < hit.end for hit in tokens.hits.get("SOL", ())
        ):
            yield Hit(place, place + 1, "everywhere")


@cache
def _is_named_so(low: str, language: str) -> bool:
    if low.startswith(tuple(word_file(TECHNOLOGIES)["parts"])):
        return True
    first, *rest = low.split("-")
    return bool(rest) and any(
        phrase.rule == "SOL" and phrase.group == "everywhere" and phrase.rest in ((), (rest[0],))
        for phrase in lexicon(language).phrases.get(first, ())
    )


def _with_version(tokens: Tokens, end: int) -> int:
    if end < len(tokens.all) and tokens.all[end].is_number:
        end += 1
        if (
            end < len(tokens.all)
            and tokens.all[end].start == tokens.all[end - 1].end
            and tokens.all[end].is_word
        ):
            end += 1
    return end
