"""Engines whose dialect is checked but which have no connection yet: a host runs the checked
statement through its own."""

from typing import NoReturn

from veridical.engines.address import scheme_of
from veridical.ontology.errors import SourceError, SourceProblem


def connect(address: str, role: str | None, connections: int) -> NoReturn:
    """Raises ``SourceError``: a checked statement runs on the host's own connection."""
    del role, connections
    raise SourceError(SourceProblem.CONTRACT_ONLY, scheme=scheme_of(address))
