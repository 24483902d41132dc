from pathlib import Path

import pytest
from pydantic import ValidationError

from veridical.agent.budget import Budget, Price
from veridical.agent.settings import AgentSettings, read_settings
from veridical.ontology.errors import LoadError

KEY = "sk-very-secret"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "veridical.toml"


def test_without_a_file_there_are_defaults(file: Path) -> None:
    settings = read_settings(file)
    assert settings.model_dump() == AgentSettings().model_dump()
    assert settings.timeout_seconds == 120
    assert settings.budget == Budget()
    assert settings.price is None


def test_the_file_is_read_and_the_environment_wins(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(
        'model = "openai:gpt-x"\nstream = true\ntimeout_seconds = 90\n'
        "[budget]\nrounds = 3\nwall_seconds = 20\n"
        '[prices."gpt-x"]\ninput = 2\noutput = 8\n[server]\nport = 1\n'
    )
    monkeypatch.setenv("VERIDICAL_BUDGET__ROUNDS", "5")
    monkeypatch.setenv("VERIDICAL_API_KEY", KEY)
    settings = read_settings(file)
    assert (settings.model, settings.stream, settings.timeout_seconds) == ("openai:gpt-x", True, 90)
    assert settings.budget == Budget(rounds=5, wall_seconds=20)
    assert settings.price == Price(input=2, output=8)
    assert settings.api_key
    assert settings.api_key.get_secret_value() == KEY


@pytest.mark.parametrize(
    ("line", "seconds"), [("timeout_seconds = 0", 60), ("", 120), ("stream = true", 120)]
)
def test_no_timeout_means_sixty_seconds_and_one_left_out_the_default(
    file: Path, line: str, seconds: float
) -> None:
    file.write_text(f'model = "ollama:m"\n{line}\n')
    assert read_settings(file).timeout_seconds == seconds


@pytest.mark.parametrize("given", ["0", "0.0"])
def test_no_request_is_without_an_end(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDICAL_TIMEOUT_SECONDS", given)
    assert AgentSettings().timeout_seconds == 60


def test_a_negative_timeout_is_refused() -> None:
    with pytest.raises(ValidationError):
        AgentSettings(timeout_seconds=-1)


def test_the_key_is_never_shown(file: Path) -> None:
    file.write_text(f'api_key = "{KEY}"\nbase_url = "http://me:{KEY}@host"\n')
    settings = read_settings(file)
    assert KEY not in repr(settings)
    assert KEY not in str(settings)
    file.write_text(f'api_key = ["{KEY}"]\n')
    with pytest.raises(LoadError) as caught:
        read_settings(file)
    assert KEY not in str(caught.value)


def test_a_cost_limit_without_a_price_is_refused() -> None:
    limited = Budget(cost=0.5)
    with pytest.raises(ValidationError, match="no limit without a price"):
        AgentSettings(model="openai:m", budget=limited)
    priced = AgentSettings(
        model="openai:m", budget=limited, prices={"openai:m": Price(input=1, output=1)}
    )
    assert priced.price == Price(input=1, output=1)


def test_a_misspelt_limit_is_refused(file: Path) -> None:
    file.write_text("[budget]\nround = 3\n")
    with pytest.raises(LoadError, match=r"budget\.round"):
        read_settings(file)


@pytest.mark.parametrize("form", ["references", "references_json"])
def test_a_form_that_is_gone_is_refused_with_those_that_there_are(
    file: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VERIDICAL_ANSWER_FORM")
    file.write_text(f'answer_form = "{form}"\n')
    with pytest.raises(LoadError, match=r"answer_form: .*'facts', 'text' or 'rows'"):
        read_settings(file)
