"""The sample books as a program names them: a database of its own, with the reader's walls."""

import pytest

from tests.sample import PACK
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres


@pytest.fixture(scope="session")
def books(postgres_server: LocalPostgres) -> str:
    """The address of the sample books."""
    return load_sample(PACK, postgres_server).url
