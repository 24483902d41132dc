from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.server.provider import reading
from veridical.server.oidc_settings import read_oidc_settings


@pytest.mark.parametrize(
    "changed",
    [
        {"algorithms": ["none"]},
        {"algorithms": ["HS256"]},
        {"algorithms": []},
        {"issuer": ""},
        {"audience": ""},
        {"jwks_url": "http://login.example/keys"},
        {"jwks_url": "file:///etc/keys"},
        {"jwks_url": "http://localhost.evil.example/keys"},
        {"jwks_url": ""},
        {"jwks_file": "keys.json"},
        {"leeway_seconds": 3600},
        {"secret": "x"},
    ],
)
def test_what_can_not_be_configured(changed: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        reading(**changed)


def test_settings_come_from_the_file_and_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "veridical.toml"
    assert read_oidc_settings(file) is None
    file.write_text('[oidc]\nissuer = "https://a"\njwks_url = "https://a/k"\n', "utf-8")
    with pytest.raises(ValidationError):
        read_oidc_settings(file)
    monkeypatch.setenv("VERIDICAL_OIDC_AUDIENCE", "here")
    monkeypatch.setenv("VERIDICAL_OIDC_ISSUER", "https://b")
    found = read_oidc_settings(file)
    assert found is not None
    assert (found.issuer, found.audience, found.jwks_url) == ("https://b", "here", "https://a/k")
