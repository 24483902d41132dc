from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.sample import PACK
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres


@pytest.mark.postgres
@pytest.mark.slow
def test_of_those_who_begin_at_once_one_loads(postgres_server: LocalPostgres) -> None:
    with ThreadPoolExecutor(3) as pool:
        begun = [pool.submit(load_sample, PACK, postgres_server, "at_once") for _ in range(3)]
        samples = [each.result() for each in begun]
    assert sorted(sample.rows > 0 for sample in samples) == [False, False, True]
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE at_once WITH (FORCE)")
