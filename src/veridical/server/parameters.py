"""Types of the parameters in paths, queries and headers."""

from typing import Annotated

from fastapi import Header, Path, Query

from veridical.server.body_types import FEATURE

IDENTIFIER = r"^[A-Za-z0-9][A-Za-z0-9_~.:-]{0,99}$"
_KEY = r"^[!-~]{1,200}$"
"""Printable ASCII."""
MOST_LISTED = 100

Identifier = Annotated[str, Path(alias="id", pattern=IDENTIFIER, examples=["3f0c8c3e-5d1b"])]
FeatureName = Annotated[str, Path(alias="feature", pattern=FEATURE, examples=["trustee"])]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED, description="The most that is listed.")]
Before = Annotated[
    str | None,
    Query(pattern=IDENTIFIER, description="The last id of the page before; those after it follow."),
]
LAST_NUMBER = 2**63 - 1
BeforeNumber = Annotated[
    int,
    Query(
        ge=1, le=LAST_NUMBER, description="The last id of the page before; those after it follow."
    ),
]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=_KEY,
        description="The same key with the same request gives the same run, however often sent.",
        examples=["7d1a6c52-month-end"],
    ),
]
LastEventId = Annotated[
    int,
    Header(
        alias="Last-Event-ID",
        ge=-1,
        le=2_147_483_647,
        description="The id of the last event that was seen; those after it follow. -1: all.",
    ),
]
