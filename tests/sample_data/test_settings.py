from pathlib import Path

import pytest

from veridical.agent.settings import AgentSettings
from veridical.host.settings import FeatureSettings, RuntimeSettings
from veridical.sample.settings import sampled

pytestmark = pytest.mark.slow

ELSEWHERE = FeatureSettings(name="books", pack="trustee", database="postgresql://host/books")


def test_nothing_is_started_where_nothing_asks_for_a_sample(tmp_path: Path) -> None:
    settings = RuntimeSettings((ELSEWHERE,), agent=AgentSettings())
    with sampled(settings, tmp_path / "pg") as ready:
        assert ready is settings
    assert not (tmp_path / "pg").exists()


def test_a_sample_gets_a_database(tmp_path: Path) -> None:
    trying = FeatureSettings(name="trustee", database="sample", role="somebody")
    with sampled(RuntimeSettings((trying, ELSEWHERE), agent=AgentSettings())) as ready:
        tried, kept = ready.features
    assert kept is ELSEWHERE
    assert tried.database.startswith("postgresql://")
    assert tried.role == "veridical_reader"
