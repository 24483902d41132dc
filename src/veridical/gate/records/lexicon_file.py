"""Lexicons from TOML files: read, checked, and joined with the general one."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

from veridical.gate.records.lexicon import RecordLexicon, Topic

_KEPT = 16


class LexiconError(ValueError):
    """A lexicon can't be read; the text says where and why."""


def _split(written: Any) -> Any:
    """A list of single words may be written as one text."""
    return written.split() if isinstance(written, str) else written


def _are_expressions(texts: tuple[str, ...]) -> tuple[str, ...]:
    for text in texts:
        try:
            re.compile(text)
        except re.error as error:
            raise ValueError(f"no regular expression: {error}") from error
    return texts


Words = Annotated[frozenset[str], BeforeValidator(_split)]
Groups = tuple[tuple[str, ...], ...]
Expressions = Annotated[tuple[str, ...], AfterValidator(_are_expressions)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Topic(_Table):
    name: str
    said: tuple[str, ...]
    evidence: tuple[str, ...]


class _Extremes(_Table):
    lowest: Expressions = ()
    highest: Expressions = ()
    trends: Expressions = ()


class _Contests(_Table):
    final: Expressions = ()
    won: Expressions = ()
    won_by: Expressions = ()
    ended: Expressions = ()
    standing: Expressions = ()


class LexiconFile(_Table):
    """One file. Every table may be left out."""

    synonyms: Groups = ()
    services: Groups = ()
    topics: tuple[_Topic, ...] = ()
    qualities: Words = frozenset()
    styles: Words = frozenset()
    things: Words = frozenset()
    plain: Words = frozenset()
    unknown: tuple[str, ...] = ()
    placed: Words = frozenset()
    spoken_of: Words = frozenset()
    other_hours: Expressions = ()
    extremes: _Extremes = _Extremes()
    contests: _Contests = _Contests()


def load_record_lexicon(paths: tuple[str, ...] = ()) -> RecordLexicon:
    """The general lexicon with those of these files. Raises ``LexiconError``.

    Groups of two files that share a name are one group. What was read is kept until a file changes.
    """
    return _loaded(paths, tuple(map(_changed, paths)))


@lru_cache(maxsize=_KEPT)
def _loaded(paths: tuple[str, ...], changed: tuple[int, ...]) -> RecordLexicon:
    general = files(__package__ or "").joinpath("lexicon.toml").read_text("utf-8")
    return _joined((_parsed(general, "lexicon.toml"), *map(_read, paths)))


def _changed(path: str) -> int:
    try:
        return Path(path).stat().st_mtime_ns
    except OSError as error:
        raise LexiconError(f"{path}: {error.strerror}") from error


def _read(path: str) -> LexiconFile:
    try:
        return _parsed(Path(path).read_text("utf-8"), path)
    except OSError as error:
        raise LexiconError(f"{path}: {error.strerror}") from error


def _parsed(text: str, source: str) -> LexiconFile:
    try:
        return LexiconFile.model_validate(tomllib.loads(text))
    except ValidationError as error:
        mistakes = "; ".join(
            f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()
        )
        raise LexiconError(f"{source}: {mistakes}") from error
    except tomllib.TOMLDecodeError as error:
        raise LexiconError(f"{source}: {error}") from error


def _joined(lexicons: Sequence[LexiconFile]) -> RecordLexicon:
    topics = [each for one in lexicons for each in one.topics]
    return RecordLexicon(
        synonyms=_groups(group for one in lexicons for group in one.synonyms),
        services=_groups(group for one in lexicons for group in one.services),
        topics=tuple(Topic(each.name, each.said, each.evidence) for each in topics),
        qualities=_union(one.qualities for one in lexicons),
        styles=_union(one.styles for one in lexicons),
        things=_union(one.things for one in lexicons),
        plain=_union(one.plain for one in lexicons),
        unknown=_all(one.unknown for one in lexicons),
        placed=_union(one.placed for one in lexicons),
        spoken_of=_union(one.spoken_of for one in lexicons),
        other_hours=_all(one.other_hours for one in lexicons),
        lowest=_all(one.extremes.lowest for one in lexicons),
        highest=_all(one.extremes.highest for one in lexicons),
        trends=_all(one.extremes.trends for one in lexicons),
        final=_all(one.contests.final for one in lexicons),
        won=_all(one.contests.won for one in lexicons),
        won_by=_all(one.contests.won_by for one in lexicons),
        ended=_all(one.contests.ended for one in lexicons),
        standing=_all(one.contests.standing for one in lexicons),
    )


def _groups(groups: Iterable[tuple[str, ...]]) -> Groups:
    """Each group once; what shares a name with an earlier group is added to that."""
    found: list[tuple[str, ...]] = []
    for group in groups:
        same = [each for each in found if not set(each).isdisjoint(group)]
        found = [each for each in found if each not in same]
        found.append(tuple(dict.fromkeys(name for each in (*same, group) for name in each)))
    return tuple(found)


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)


def _all(texts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(text for each in texts for text in each)
