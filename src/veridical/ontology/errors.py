"""Errors of loading something by its name or path."""

from enum import StrEnum

from veridical.contracts.language import Language
from veridical.messages import message


class LoadError(ValueError):
    """A reference that leads nowhere; the message names the attempts."""

    def message(self, language: Language) -> str:
        """The error, in words for the person who named the source."""
        del language  # most quote a file, and are shown unchanged
        return str(self)


class SourceProblem(StrEnum):
    """The reason why a source can't be read, as the key of its message."""

    NO_SOURCE = "source.no_source"
    NO_FILE = "source.no_file"
    NO_SCHEME = "source.no_scheme"
    NO_ADDRESS = "source.no_address"
    BAD_PORT = "source.bad_port"
    BAD_ESCAPE = "source.bad_escape"
    NO_ANSWER = "source.no_answer"
    NO_TABLES = "source.no_tables"
    NO_DATA_FILES = "source.no_data_files"
    NO_SCHEMA = "source.no_schema"
    NOT_TEXT = "source.not_text"
    EMPTY = "source.empty"
    BROKEN = "source.broken"
    UNREADABLE = "source.unreadable"
    NO_ENDING = "source.no_ending"
    TOO_MIGHTY = "source.too_mighty"
    CONTRACT_ONLY = "source.contract_only"
    NO_SCHEMAS = "source.no_schemas"
    SCHEMA_EMPTY = "source.schema_empty"


class SourceError(LoadError):
    """A source of a schema or an ontology that can't be read."""

    def __init__(self, problem: SourceProblem, **values: object) -> None:
        self.problem = problem
        self._values = values
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The error and its correction."""
        return message(self.problem, language, **self._values)
