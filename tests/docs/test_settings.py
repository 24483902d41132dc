"""The reference of the settings: those that people change come first, and each has a meaning."""

import sys

import pytest

from tests.docs.markdown import ROOT
from veridical.contracts.settings_file import AGENT, TABLES, presets


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "docs")])
    return (ROOT / "docs/reference/settings.md").read_text("utf-8")


def test_the_few_that_people_change_come_first(page: str) -> None:
    from settings import FRONT, settings  # pyright: ignore[reportMissingImports]

    paths = [each.path for each in settings()]
    assert {*FRONT} <= {*paths}
    assert len(FRONT) <= 20
    first, rare = page.index("## Settings that people change"), page.index("## Rarely needed")
    assert all(first < page.index(f"| `{path}` |") < rare for path in FRONT)


def test_each_setting_has_a_meaning(page: str) -> None:
    from settings import settings  # pyright: ignore[reportMissingImports]

    assert [each.path for each in settings() if not each.meaning] == []
    assert {each.path.partition(".")[0] for each in settings()} == AGENT | TABLES - {"skills"}


def test_each_preset_is_described(page: str) -> None:
    assert [name for name in presets() if f"| `{name}` |" not in page] == []
