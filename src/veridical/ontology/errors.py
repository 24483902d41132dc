"""What goes wrong when something is loaded by its name or path."""

from enum import StrEnum

from veridical.contracts.language import Language
from veridical.messages import message


class LoadError(ValueError):
    """A reference that leads nowhere; the message says what was tried."""

    def message(self, language: Language) -> str:
        """What is wrong, in words for whoever named the source."""
        del language  # most are about a file's own words, and told as they come
        return str(self)


class SourceProblem(StrEnum):
    """Why nothing can be read from a source, by the message that tells it."""

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
        """What is wrong, and what would be right."""
        return message(self.problem, language, **self._values)
