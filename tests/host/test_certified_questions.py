"""What tenants certified, as a process serves it."""

import time

import pytest

from tests.sample import trustee
from veridical.answering.feature import Feature
from veridical.host.certified_questions import CertifiedQuestions
from veridical.store.connection import Store

__all__ = ["trustee"]

pytestmark = pytest.mark.postgres


def test_a_database_that_is_away_leaves_the_questions_of_the_files(trustee: Feature) -> None:
    store = Store("postgresql://nobody@127.0.0.1:1/nothing")
    certified = CertifiedQuestions.of_server(store)
    certified.look("acme")
    assert certified.added_to(trustee, "acme") is trustee
    begun = time.monotonic()
    for _ in range(100):
        certified.look_if_old("acme")  # it is not asked for again at once
    assert time.monotonic() - begun < 1
    store.close()


def test_a_tenant_that_was_not_read_has_none(trustee: Feature) -> None:
    store = Store("postgresql://nobody@127.0.0.1:1/nothing")
    certified = CertifiedQuestions.of_server(store)
    assert certified.added_to(trustee, "acme") is trustee
    assert certified.added_to(trustee, "") is trustee
    store.close()
