"""The embedder is set in one place, by file or environment, and its key is never shown."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from veridical.search.embeddings.endpoint import EndpointEmbedder
from veridical.search.embeddings.onnx_file import OnnxEmbedder
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.embeddings.settings import EmbedderSettings
from veridical.search.score.settings import read_score_settings


def test_file_and_environment_are_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "veridical.toml"
    assert read_score_settings(path).embedder is None
    path.write_text(
        '[search.embedder]\nmodel = "e5"\nendpoint = "http://127.0.0.1:1/v1"\n'
        'query_prefix = "query: "\n',
        "utf-8",
    )
    monkeypatch.setenv("VERIDICAL_SEARCH_EMBEDDER__API_KEY", "secret")
    found = read_score_settings(path)
    assert "secret" not in repr(found)
    embedder = opened_embedder(found.embedder)
    assert isinstance(embedder, EndpointEmbedder)
    assert (embedder.model, embedder.api_key) == ("e5", "secret")
    assert embedder.query_prefix == "query: "


def test_a_folder_gives_its_name(tmp_path: Path) -> None:
    embedder = opened_embedder(EmbedderSettings(onnx=tmp_path / "small"))
    assert isinstance(embedder, OnnxEmbedder)
    assert embedder.model == "small"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"model": "m"},
        {"endpoint": "http://127.0.0.1:1/v1"},
        {"model": "m", "endpoint": "http://127.0.0.1:1/v1", "onnx": "folder"},
        {"model": "m", "onnx": "folder", "unheard": 1},
        {"model": "m", "onnx": "folder", "query_seconds": 0},
    ],
)
def test_what_is_not_one_embedder_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        EmbedderSettings.model_validate(given)
