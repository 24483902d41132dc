"""The approvals by people that a run needs, by kind."""

from veridical.contracts.wire import Wire


class Approvals(Wire):
    """The approvals that a run needs. By default none: a run then never waits."""

    evidence: bool = False
    """Show the results to a person before an answer may rest on them."""
    passages: bool = False
    """Show the passages that a search of documents found to a person before the model sees them."""
    clarify: bool = False
    """Ask what an unclear question means, and continue with the answer."""
    calls: tuple[str, ...] = ()
    """Calls that need an approval before they are made, as globs over the names of tools and of
    what they read: ``executeSqlSafe``, ``TrusteeDataContact``, ``Staff*``."""


NO_APPROVALS = Approvals()
