"""The ontology that ``init`` drafts of a database: as it comes, and with all of it accepted."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from veridical.contracts.schema import Schema
from veridical.engines.database import Database
from veridical.onboarding.budget import Budget
from veridical.onboarding.draft import draft_ontology
from veridical.onboarding.look import Look, look_at
from veridical.onboarding.proposal import State
from veridical.ontology.model import OntologyDescriptor

_BUDGET = Budget()


@dataclass(frozen=True)
class Mined:
    """One look at a database, and the schema that it was looked at by."""

    name: str
    schema: Schema
    look: Look

    def untouched(self) -> OntologyDescriptor:
        """What blocks and warns before anybody decided on anything."""
        return draft_ontology(self.name, self.look.tables, self.look.proposals)

    def confirmed(self) -> OntologyDescriptor:
        """What blocks once somebody accepted all that is proposed."""
        accepted = [
            each.model_copy(update={"state": State.ACCEPTED}) for each in self.look.proposals
        ]
        return draft_ontology(self.name, self.look.tables, accepted)


def mined(name: str, database: Database, budget: Budget = _BUDGET) -> Mined:
    """A database as ``init`` sees it."""
    with TemporaryDirectory() as project:
        look = look_at(database, Path(project), budget, lambda _done, _of: None)
    return Mined(name, database.reflect(), look)
