"""The attributes of a record: what each key is about, in words, and what the record says of it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, cast

from veridical.gate.records.hours import names_hours
from veridical.gate.records.lexicon import Phrase, RecordLexicon, root_set
from veridical.gate.records.word import roots
from veridical.gate.records.word_lists import word_set
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import split_name

_LOOSE = late_pattern(r"(\w+)\s*:\s*u?'?(True|False|None|true|false|null|\w+)'?")
_NO = word_set("no_values")
_BLANK = word_set("blank_values")
_LONGEST_CHOICE = 3
"""A text of more words is no choice from a list."""
_LONGEST_KEY = 200
"""Characters: what is longer is a text, and names no attribute."""
_OWN_PHRASES = 2


class Truth(StrEnum):
    """What a record says to an attribute."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Attribute:
    """One key that holds a yes, a no, a choice, nothing, or a group of such keys."""

    key: str
    phrases: tuple[tuple[str, ...], ...]
    """What a text calls it, as roots of words."""
    truth: Truth
    says: str
    """What the record says, as the record writes it."""
    choice: str = ""
    """The chosen value of an enumeration."""
    group: str = ""
    """The key above, for a member of a group."""
    quality: bool = False
    """Describes the whole: means something without the group's name beside it."""
    members: tuple["Attribute", ...] = ()


def read_attributes(record: object, lexicon: RecordLexicon) -> tuple[Attribute, ...]:
    """All attributes of a record; groups come with their members."""
    pairs = tuple(_pairs(record))
    shared = _shared_openings(key for key, _ in pairs)
    return tuple(
        attribute
        for key, value in pairs
        if (attribute := _attribute(key, value, shared, lexicon)) is not None
    )


def _pairs(node: object) -> Iterator[tuple[str, Any]]:
    """Keys with a truth, a choice, nothing, or a group of truths below them."""
    if not isinstance(node, Mapping):
        return
    for key, value in cast("Mapping[str, Any]", node).items():
        if isinstance(value, Mapping) and not _is_group(str(key), cast("Mapping[str, Any]", value)):
            yield from _pairs(cast("Mapping[str, Any]", value))
        elif len(str(key)) <= _LONGEST_KEY:
            yield str(key), value


def _is_group(key: str, node: Mapping[str, Any]) -> bool:
    """Whether a key's members tell its kinds, as garage and street do for parking."""
    if not node or any(word in CONTAINER_ROOTS for word in roots(split_name(key))):
        return False
    return all(value is None or isinstance(value, bool) for value in node.values())


def _shared_openings(keys: Iterator[str]) -> frozenset[str]:
    """First words that several keys begin with: they name the record, not the attribute."""
    openings = Counter(first for key in keys if (first := (roots(split_name(key)) or ("",))[0]))
    return frozenset(word for word, count in openings.items() if count > 1)


def _attribute(
    key: str, value: object, shared: frozenset[str], lexicon: RecordLexicon
) -> Attribute | None:
    if isinstance(value, Mapping):
        return _group(key, cast("Mapping[str, Any]", value), shared, lexicon)
    if isinstance(value, str) and value.lstrip().startswith("{"):
        loose = {name: _plain(said) for name, said in _LOOSE.findall(value)}
        if _is_group(key, loose):
            return _group(key, loose, shared, lexicon)
    truth = truth_of(value)
    if truth is None or (truth is Truth.UNKNOWN and names_hours(key)):
        return None
    choice = value.strip() if isinstance(value, str) else ""
    if choice and truth is Truth.YES and not _known(key, shared, lexicon):
        return None
    phrases = phrases_of(key, shared, lexicon)
    quality = _is_quality(phrases, lexicon)
    return Attribute(key, phrases, truth, _says(key, value), choice, quality=quality)


def _group(
    key: str, value: Mapping[str, Any], shared: frozenset[str], lexicon: RecordLexicon
) -> Attribute:
    phrases = phrases_of(key, shared, lexicon)
    quality = _is_quality(phrases, lexicon)
    members = tuple(
        Attribute(
            name,
            phrases_of(name, frozenset(), lexicon),
            truth_of(said) or Truth.UNKNOWN,
            _says(f"{key}.{name}", said),
            group=key,
            quality=quality,
        )
        for name, said in value.items()
    )
    truths = {member.truth for member in members}
    truth = next((one for one in (Truth.YES, Truth.UNKNOWN) if one in truths), Truth.NO)
    chosen = ", ".join(member.key for member in members if member.truth is Truth.YES)
    says = f"{key}: {chosen or 'none'}"
    return Attribute(key, phrases, truth, says, quality=quality, members=members)


def _is_quality(phrases: tuple[Phrase, ...], lexicon: RecordLexicon) -> bool:
    return any(word in lexicon.quality_roots for phrase in phrases for word in phrase)


def truth_of(value: object) -> Truth | None:
    """Whether a value says yes, no or nothing; none for figures and longer texts."""
    if value is None:
        return Truth.UNKNOWN
    if isinstance(value, bool):
        return Truth.YES if value else Truth.NO
    if not isinstance(value, str) or len(value.split()) > _LONGEST_CHOICE:
        return None
    said = value.strip().casefold()
    if said in _BLANK:
        return Truth.UNKNOWN
    return Truth.NO if said in _NO else Truth.YES


def _plain(said: str) -> bool | str | None:
    return {"true": True, "false": False, "none": None, "null": None}.get(said.casefold(), said)


def _says(key: str, value: object) -> str:
    shown = {None: "null", True: "true", False: "false"}.get(cast("Any", value), value)
    return f"{key}: {shown}"


@lru_cache(maxsize=2_000)
def phrases_of(key: str, shared: frozenset[str], lexicon: RecordLexicon) -> tuple[Phrase, ...]:
    """What a text may call a key: its own words, and what others call the same."""
    own, things = roots(split_name(key)), lexicon.thing_roots
    bare = tuple(word for word in own if word not in FILLER_ROOTS and word not in things)
    while len(bare) > 1 and bare[0] in shared:
        bare = bare[1:]
    bare = bare or own
    joined = "".join(bare)
    found = {bare, (joined,)}
    for names in lexicon.synonym_roots:
        if any("".join(phrase) == joined for phrase in names):
            found.update(names)
    return tuple(sorted(found))


def _known(key: str, shared: frozenset[str], lexicon: RecordLexicon) -> bool:
    """Whether a key with a text as its value is about a feature: other texts just name things."""
    return len(phrases_of(key, shared, lexicon)) > _OWN_PHRASES


CONTAINER_ROOTS = root_set(word_set("containers"))
FILLER_ROOTS = root_set(word_set("key_fillers"))
