"""A skill: instructions for one kind of task, when it applies, and what its answers must meet."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Discriminator, Field, StringConstraints, Tag, model_validator
from pydantic_core import PydanticCustomError

from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode
from veridical.contracts.violation import Mode
from veridical.contracts.wire import Wire

ONE, BY_LANGUAGE = "one", "byLanguage"
"""The two ways to write a text or a list of words; they stand in the places of errors."""


def _form(given: Any) -> str:
    return BY_LANGUAGE if isinstance(given, Mapping) else ONE


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise PydanticCustomError(
            "pattern", "no regular expression: {reason}", {"reason": str(error)}
        ) from error
    return pattern


NonEmptyText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
LocalizedText = Annotated[
    Annotated[NonEmptyText, Tag(ONE)]
    | Annotated[dict[Language, NonEmptyText], Field(min_length=1), Tag(BY_LANGUAGE)],
    Discriminator(_form),
]
LocalizedWords = Annotated[
    Annotated[tuple[NonEmptyText, ...], Tag(ONE)]
    | Annotated[dict[Language, tuple[NonEmptyText, ...]], Tag(BY_LANGUAGE)],
    Discriminator(_form),
]
"""Words for every language, or words per language."""
Pattern = Annotated[NonEmptyText, AfterValidator(_compiles)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=60)]
ImportPath = Annotated[str, StringConstraints(pattern=r"^[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*$")]


class Intent(Wire):
    """The keywords by which a request matches this skill."""

    keywords: LocalizedWords = ()
    disambiguation_keywords: LocalizedWords = ()
    """Words that favour this skill where another one has the same keywords."""


class GateSettings(Wire):
    """Gate settings for this skill's answers. Plain data: the flow runs the gate."""

    modes: dict[GateCode, Mode] = Field(default_factory=dict[GateCode, Mode])
    allow: tuple[NonEmptyText, ...] = ()
    """Texts that are never flagged."""
    allow_patterns: tuple[Pattern, ...] = ()
    """Regular expressions of what is never flagged."""


class Strictness(StrEnum):
    """The effect of a validator that objects, is missing or fails."""

    STRICT = "strict"
    """holds the answer back"""
    WARN = "warn"
    """is recorded"""


class Validator(Wire):
    """A function of the host that checks an answer."""

    path: ImportPath
    mode: Strictness = Strictness.STRICT


class Header(Wire):
    """The front matter of a ``SKILL.md``."""

    name: Name
    description: LocalizedText
    tools: tuple[NonEmptyText, ...] = ()
    """The tools that the instructions use; all where none is named."""
    required_tools: tuple[NonEmptyText, ...] = ()
    """The tools that must have succeeded before an answer of this skill counts."""
    intent: Intent = Intent()
    gate: GateSettings = GateSettings()
    validators: tuple[Validator, ...] = ()
    languages: Annotated[tuple[Language, ...], Field(min_length=1)] = tuple(Language)
    """The languages in which requests are understood."""

    @model_validator(mode="after")
    def _requires_only_its_own_tools(self) -> Self:
        for tool in self.required_tools:
            if self.tools and tool not in self.tools:
                raise PydanticCustomError(
                    "required_tool", "{tool} is required and not among tools", {"tool": tool}
                )
        return self


class Skill(Header):
    """A loaded skill: its front matter, its instructions and its path."""

    instructions: str
    path: str
    only_by_name: bool = False
    """Whether it must be called by name: set by a runtime for skills that are not on its data."""


def words_in(words: LocalizedWords, language: Language | None = None) -> tuple[str, ...]:
    """The words for a request in this language, or all of them.

    English ones count everywhere, because they are used everywhere; a list without languages always
    does. Where the language has no words of its own, those of all languages are taken.
    """
    if not isinstance(words, Mapping):
        return words
    wanted = (language, Language.EN) if language in words else tuple(words)
    found = (word for each in dict.fromkeys(wanted) if each for word in words.get(each, ()))
    return tuple(dict.fromkeys(found))
