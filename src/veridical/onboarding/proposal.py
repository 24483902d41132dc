"""A proposal: a likely property of the data, with its evidence."""

from enum import StrEnum

from pydantic import Field as Pydantic

from veridical.contracts.wire import Wire
from veridical.onboarding.profile import Value
from veridical.ontology.model import Cardinality, Encoding


class ProposalKind(StrEnum):
    """The kind of a proposal. One file of ``kinds`` finds each."""

    PRIMARY_KEY = "primary_key"
    FOREIGN_KEY = "foreign_key"
    TIME_COLUMN = "time_column"
    PERIOD = "period"
    CODE = "code"
    MEASURE = "measure"
    NOT_ADDITIVE = "not_additive"
    SNAPSHOT = "snapshot"
    TOTAL_ROWS = "total_rows"
    UNIT = "unit"
    CLOSED_LIST = "closed_list"
    TENANT = "tenant"
    SOFT_DELETE = "soft_delete"
    VALIDITY = "validity"
    UNCOUNTED = "uncounted"
    CONVERSION = "conversion"
    LOCAL_DAYS = "local_days"
    EMPTY_COUNTS = "empty_counts"
    EVENTS = "events"
    STATED = "stated"
    PERSONAL = "personal"
    ROW_NAMES = "row_names"
    JUDGEMENT = "judgement"


class State(StrEnum):
    """The decision of a person."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class Proposal(Wire):
    """One finding. It blocks only if ``proven``, or once it was accepted; else it warns."""

    kind: ProposalKind
    table: str
    columns: tuple[str, ...]
    target: str | None = None
    """The other table, of a foreign key or a unit on the parent."""
    target_columns: tuple[str, ...] = ()
    cardinality: Cardinality | None = None
    encoding: Encoding | None = None
    values: tuple[Value, ...] = ()
    reason: str = ""
    """The key of the kind's text for the evidence: ``declared``, ``counted``, ``named``."""
    evidence: dict[str, Value] = Pydantic(default_factory=dict[str, Value])
    """The counts, by the names of the text's placeholders."""
    confidence: float = Pydantic(default=0.5, ge=0, le=1)
    proven: bool = False
    """True if the data itself leaves no other reading."""
    stake: float = 0.0
    """The relative error of a figure if it is ignored: 1 doubles it."""
    state: State = State.OPEN
    decided_by: str = ""
    decided_at: str = ""

    @property
    def id(self) -> str:
        """The same for the same finding in every run."""
        place = f"{self.table}.{'+'.join(self.columns)}"
        return f"{self.kind}:{place}" + (f">{self.target}" if self.target else "")

    @property
    def holds(self) -> bool:
        """True if it may block."""
        if self.state is State.OPEN:
            return self.proven
        return self.state is State.ACCEPTED
