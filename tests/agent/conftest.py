"""No test of the agent reaches a provider; those that talk to a local server say so."""

from collections.abc import Iterator

import pytest
from pydantic_ai.models import override_allow_model_requests


@pytest.fixture(autouse=True)
def no_network() -> Iterator[None]:
    with override_allow_model_requests(False):
        yield
