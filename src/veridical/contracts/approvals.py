"""What a run may not do without a person: each kind of approval is asked for or not."""

from veridical.contracts.wire import Wire


class Approvals(Wire):
    """What people are asked for. By default nothing: a run then never waits."""

    evidence: bool = False
    """Show the results to a person before an answer may rest on them."""
    passages: bool = False
    """Show the passages that a search of documents found to a person before the model sees them."""
    clarify: bool = False
    """Ask what an unclear question meant, and go on with what is said."""
    calls: tuple[str, ...] = ()
    """Calls that need an approval before they are made, as globs over the names of tools and of
    what they read: ``executeSqlSafe``, ``TrusteeDataContact``, ``Staff*``."""


NO_APPROVALS = Approvals()
