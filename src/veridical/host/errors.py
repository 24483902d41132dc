"""Why an office can't be opened, or has no such desk: for whoever runs it."""

from enum import StrEnum

from veridical.contracts.language import Language
from veridical.messages import say
from veridical.ontology.errors import LoadError


class OfficeProblem(StrEnum):
    """What is missing, by the message that tells it."""

    NO_FEATURES = "office.no_features"
    NO_PACK = "office.no_pack"
    NO_VARIABLE = "office.no_variable"
    NO_DATABASE = "office.no_database"
    NO_TABLES = "office.no_tables"
    NO_WALL = "office.no_wall"
    OPEN_FUNCTIONS = "office.open_functions"
    NO_SAMPLE = "office.no_sample"
    NO_FEATURE = "office.no_feature"
    NO_MODEL = "agent.no_model"
    NO_KEY = "agent.no_key"
    NO_ADDRESS = "agent.no_address"


class OfficeError(LoadError):
    """An office that can't do what it was set up or asked to do."""

    def __init__(self, problem: OfficeProblem, **values: str) -> None:
        self.problem = problem
        self._values = values
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """What to change, in words for the person who runs this."""
        return say(self.problem, language, **self._values)
