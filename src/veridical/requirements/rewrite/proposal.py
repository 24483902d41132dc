"""A model's proposal for the parts of a requirement, not yet verified."""

from pydantic import Field

from veridical.contracts.wire import Wire

_LONGEST = 2_000


class Proposal(Wire):
    """The parts as a model sees them, each meant to be a stretch of the requirement's own words."""

    role: str = Field(default="", max_length=_LONGEST)
    state: str = Field(default="", max_length=_LONGEST)
    event: str = Field(default="", max_length=_LONGEST)
    clause: str = Field(default="", max_length=_LONGEST)
    benefit: str = Field(default="", max_length=_LONGEST)
