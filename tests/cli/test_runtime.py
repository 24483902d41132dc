from pathlib import Path

import pytest

from veridical.cli.error_reporting import UsageError
from veridical.cli.runtime import local_caller, runtime_settings
from veridical.contracts.language import Language
from veridical.host.settings import SAMPLE

FILE = """
[[features]]
name = "trustee"
database = "BOOKS_URL"
role = "auditor"
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _found(database: str = "") -> tuple[str, str]:
    settings = runtime_settings("trustee", database, "reader", Language.EN)
    (feature,) = settings.features
    return feature.database, feature.role


def test_what_is_named_goes_before_the_file_and_the_file_before_the_sample() -> None:
    assert _found() == (SAMPLE, "reader")
    Path("veridical.toml").write_text(FILE, "utf-8")
    assert _found() == ("BOOKS_URL", "auditor")
    assert _found("postgresql://host/books") == ("postgresql://host/books", "reader")


def test_on_the_sample_somebody_is_already_somebody() -> None:
    (feature,) = runtime_settings("trustee", "", "reader", Language.DE).features
    sampled = local_caller(feature, [], Language.DE)
    named = local_caller(feature, ["mandateId=m-002"], Language.DE)
    assert sampled.scope.allowed
    assert named.scope.allowed == {"mandateId": ("m-002",)}
    assert (sampled.language, named.name) == (Language.DE, "m-002")


@pytest.mark.parametrize("scope", [[], ["mandateId"]])
def test_on_a_database_one_must_say_who_one_is(scope: list[str]) -> None:
    (feature,) = runtime_settings("trustee", "postgresql://h/b", "reader", Language.EN).features
    with pytest.raises(UsageError, match="--scope"):
        local_caller(feature, scope, Language.EN)


def test_an_unknown_pack_is_named() -> None:
    with pytest.raises(UsageError, match="payroll"):
        runtime_settings("payroll", "", "reader", Language.EN)
