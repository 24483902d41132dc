"""A server for trying out: one at a time, because each start has its own key."""

import pytest

from veridical.cli.error_reporting import UsageError
from veridical.cli.sample_server import the_only_one
from veridical.contracts.language import Language
from veridical.testing.postgres import LocalPostgres

pytestmark = pytest.mark.postgres


def test_a_second_one_is_told_of_the_first(postgres_server: LocalPostgres) -> None:
    for _ in range(2):  # who has ended stands in nobody's way
        with (
            the_only_one(postgres_server, Language.EN),
            pytest.raises(UsageError, match="already running"),
            the_only_one(postgres_server, Language.EN),
        ):
            pytest.fail("both run")
