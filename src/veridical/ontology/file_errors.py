"""Mistakes in a file that a person wrote: each with its line and, if there is one, a correction."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.errors import LoadError

_MOST_SHOWN = 12


class FileProblem(StrEnum):
    """The problem, as the key of its message."""

    SYNTAX = "file.syntax"
    TAG = "file.tag"
    ALIAS = "file.alias"
    REPEATED = "file.repeated"
    DEEP = "file.deep"
    LARGE = "file.large"
    DOUBLED_KEY = "file.doubled_key"
    KEY = "file.key"
    DOCUMENTS = "file.documents"
    NO_MAPPING = "file.no_mapping"
    UNKNOWN_KEY = "file.unknown_key"
    MISSING_KEY = "file.missing_key"
    NOT_ONE_OF = "file.not_one_of"
    WRONG_VALUE = "file.wrong_value"
    DOUBLED_ENTITY = "file.doubled_entity"
    UNKNOWN_ENTITY = "file.unknown_entity"
    NOT_EDITABLE = "file.not_editable"
    NOT_CHANGEABLE = "file.not_changeable"


@dataclass(frozen=True)
class FileMistake:
    """One mistake."""

    problem: FileProblem
    line: int
    values: Mapping[str, object] = field(hash=False)
    like: str | None = None
    """The name that was probably meant."""

    def message(self, language: Language) -> str:
        """The problem and the probable correction."""
        text = message(self.problem, language, **self.values)
        return text + (message("file.perhaps", language, name=self.like) if self.like else "")


class FileMistakesError(LoadError):
    """A file that can't be used as it is."""

    def __init__(self, source: str, mistakes: tuple[FileMistake, ...]) -> None:
        self.source = source
        self.mistakes = tuple(sorted(mistakes, key=lambda each: each.line))
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """One line per mistake: file, line, problem."""
        lines = [
            f"{self.source}:{each.line}: {each.message(language)}"
            for each in self.mistakes[:_MOST_SHOWN]
        ]
        more = len(self.mistakes) - len(lines)
        if more:
            lines.append(message("file.more", language, count=more))
        return "\n".join(lines)
