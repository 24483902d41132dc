"""The Trustee sample books, opened once for the tests that ask about them."""

from collections.abc import Iterator

import pytest

from veridical.answering.feature import Feature, open_feature
from veridical.contracts.caller import Caller
from veridical.ontology.pack import load_pack
from veridical.sample.books import load_sample
from veridical.sample.caller import sample_caller
from veridical.sample.postgres import LocalPostgres

PACK = load_pack("trustee")
ACCOUNTANT: Caller = sample_caller(PACK, "m-001", "m-001-a")


@pytest.fixture(scope="session")
def trustee(postgres_server: LocalPostgres) -> Iterator[Feature]:
    """The books of the sample."""
    feature = open_feature(PACK, load_sample(PACK, postgres_server).database())
    yield feature
    feature.engine.database.close()
