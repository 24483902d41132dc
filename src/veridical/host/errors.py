"""Setup errors: why a runtime can't be opened, or has no such session."""

from collections.abc import Callable
from enum import StrEnum

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.errors import LoadError

Worded = Callable[[Language], str]
"""A part of a message that has words of its own."""


class SetupProblem(StrEnum):
    """A problem of the setup, by message key."""

    NO_FEATURES = "setup.no_features"
    NO_PACK = "setup.no_pack"
    NO_VARIABLE = "setup.no_variable"
    NO_ENGINE = "setup.no_engine"
    NO_DATABASE = "setup.no_database"
    NO_TABLES = "setup.no_tables"
    FILE = "setup.file"
    FILE_TWICE = "setup.file_twice"
    DRIFTED = "setup.drifted"
    NO_WALL = "setup.no_wall"
    NO_ROLES = "setup.no_roles"
    REWRITING_ONLY = "setup.rewriting_only"
    OPEN_FUNCTIONS = "setup.open_functions"
    NO_SAMPLE = "setup.no_sample"
    NO_DOCUMENTS = "setup.no_documents"
    NO_FEATURE = "setup.no_feature"
    WHICH_FEATURE = "setup.which_feature"
    NO_TENANT = "setup.no_tenant"
    NO_SETTINGS_FILE = "setup.no_settings_file"
    UNNAMED_DATABASE = "setup.unnamed_database"
    NO_MODEL = "agent.no_model"
    NO_KEY = "agent.no_key"
    NO_ADDRESS = "agent.no_address"


class SetupError(LoadError):
    """The runtime can't be set up, or can't do what was requested."""

    def __init__(self, problem: SetupProblem, **values: str | Worded) -> None:
        self.problem = problem
        self._values = values
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """Advice to the operator on what to change."""
        values = {
            name: value if isinstance(value, str) else value(language)
            for name, value in self._values.items()
        }
        return message(self.problem, language, **values)
