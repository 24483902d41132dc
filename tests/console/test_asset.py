"""Static files: what a page does without those that may be missing."""

from collections.abc import Iterator

import pytest

from veridical.console import asset
from veridical.console.page import environment
from veridical.runs.state import RunStatus


@pytest.fixture
def without_scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(asset, "NAMES", ("console.css", "missing.js"))
    asset.assets.cache_clear()
    yield
    asset.assets.cache_clear()


@pytest.mark.usefixtures("without_scripts")
def test_a_script_that_is_not_there_has_no_address() -> None:
    assert asset.asset_url("missing.js") is None
    assert (asset.asset_url("console.css") or "").startswith("/console/static/console.css?v=")


def test_a_run_that_goes_on_is_loaded_again_by_hand_where_no_script_can() -> None:
    assert '<noscript><a class="button"' in _state()


@pytest.mark.usefixtures("without_scripts")
def test_that_link_is_there_for_everybody_where_the_scripts_are_missing() -> None:
    assert '<a class="button"' in _state()
    assert "<noscript>" not in _state()


def test_the_first_page_is_light_and_so_is_what_draws_charts() -> None:
    sizes = {name: len(each.compressed) for name, each in asset.assets().items()}
    assert sizes.pop("vendor/explore.js") <= 250_000
    assert sum(sizes.values()) <= 120_000


def _state() -> str:
    state = {"status": RunStatus.QUEUED, "waiting_for": None}
    shown = environment().get_template("run_state.html")
    return shown.render(state=state, address="/console/runs/1", t=str)
