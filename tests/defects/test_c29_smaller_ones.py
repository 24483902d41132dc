"""What a user stumbles over: empty questions, misspelt keys, errors in one language only."""

from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError
from typer.testing import CliRunner

from veridical.cli.main import app
from veridical.contracts.language import Language
from veridical.contracts.question import is_blank
from veridical.contracts.settings_file import UnknownSettingError
from veridical.host.settings import read_office_settings
from veridical.server.openai.conversation import NoQuestionError, UserMessage, as_question
from veridical.server.plain import Text
from veridical.skills.load import configured_folders
from veridical.store.migrate import Hindrance, MigrationError

BLANK = ["", " ", "\n\t ", "\u200b", "\u200b \ufeff\u2060", "\u3000", "\u00ad", "\u2800", "\u0301"]


@pytest.mark.parametrize("text", BLANK)
def test_c29_a_question_that_nobody_sees_is_none(text: str) -> None:
    assert is_blank(text)
    for language in Language:
        done = CliRunner().invoke(app, ["ask", text, "--language", language])
        assert done.exit_code == 2, done.output
        assert done.stderr.startswith("✗")
    with pytest.raises(ValidationError):
        TypeAdapter(Text).validate_python(text)  # HTTP, runs and MCP
    with pytest.raises(NoQuestionError):
        as_question([UserMessage(role="user", content=text)], "trustee")


@pytest.mark.parametrize("text", ["?", "1", "余额？", "é", "🙂", "a\u200b"])
def test_c29_what_can_be_seen_is_a_question(text: str) -> None:
    assert not is_blank(text)
    assert TypeAdapter(Text).validate_python(text) == text


@pytest.mark.parametrize("hindrance", Hindrance)
def test_c29_a_migration_error_speaks_every_language(hindrance: Hindrance) -> None:
    error = MigrationError(hindrance, reason="permission denied")
    told = {error.message(language) for language in Language}
    assert len(told) == len(Language)
    assert str(error) == error.message(Language.EN)


@pytest.mark.parametrize("key", ["path", "folders", "set"])
def test_c29_an_unknown_key_of_skills_is_named(tmp_path: Path, key: str) -> None:
    file = tmp_path / "veridical.toml"
    file.write_text(f'[skills]\n{key} = ["x"]\n')
    for read in (configured_folders, read_office_settings):
        with pytest.raises(UnknownSettingError) as caught:
            read(file)
        for language in Language:
            told = caught.value.message(language)
            assert f"skills.{key}" in told
            assert "paths" in told
