"""What a user stumbles over: empty questions, misspelt keys, errors in one language only."""

import re
from datetime import date
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError
from typer.testing import CliRunner

from tests.docs.markdown import documents, fences, name_of
from veridical.cli.main import app
from veridical.contracts.language import Language
from veridical.contracts.question import is_blank
from veridical.contracts.settings_file import UnknownSettingError
from veridical.host.settings import read_runtime_settings
from veridical.packs.trustee import pack
from veridical.route.canonical import in_own_words
from veridical.route.patterns import PatternMatch, index_patterns, match_pattern
from veridical.route.render import title
from veridical.server.body_types import Text
from veridical.server.openai.request import NoQuestionError, UserMessage, as_question
from veridical.skills.load import configured_folders
from veridical.store.migrate import MigrationError, MigrationProblem

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize("hindrance", MigrationProblem)
def test_c29_a_migration_error_speaks_every_language(hindrance: MigrationProblem) -> None:
    error = MigrationError(hindrance, reason="permission denied")
    told = {error.message(language) for language in Language}
    assert len(told) == len(Language)
    assert str(error) == error.message(Language.EN)


@pytest.mark.parametrize("key", ["path", "folders", "set"])
def test_c29_an_unknown_key_of_skills_is_named(tmp_path: Path, key: str) -> None:
    file = tmp_path / "veridical.toml"
    file.write_text(f'[skills]\n{key} = ["x"]\n')
    for read in (configured_folders, read_runtime_settings):
        with pytest.raises(UnknownSettingError) as caught:
            read(file)
        for language in Language:
            told = caught.value.message(language)
            assert f"skills.{key}" in told
            assert "paths" in told


_TODAY = date(2026, 1, 20)


_BOOKS = index_patterns(pack.ontology)
_IN_YEAR = {Language.DE: "{} 2024", Language.EN: "{} in 2024", Language.ZH: "2024年{}"}


def _title(question: str, language: Language) -> str:
    match = match_pattern(question, _BOOKS, language, _TODAY)
    assert isinstance(match, PatternMatch)
    return title(match, language)


@pytest.mark.parametrize(
    ("word", "language", "told"),
    [
        ("rent", Language.EN, "rent (premises)"),
        ("rental", Language.EN, "rental (premises)"),
        ("Miete", Language.DE, "Miete (Raumaufwand)"),
        ("Mietkosten", Language.DE, "Mietkosten (Raumaufwand)"),
        ("租金", Language.ZH, "租金（房租）"),
        ("salaries", Language.EN, "salaries (wages)"),
        ("premises", Language.EN, "premises"),
        ("Raumaufwand", Language.DE, "Raumaufwand"),
        ("Abschreibung", Language.DE, "Abschreibungen"),
        ("房租", Language.ZH, "房租"),
    ],
)
def test_c29_the_answer_says_the_users_word(word: str, language: Language, told: str) -> None:
    wanted = _IN_YEAR[language]
    assert _title(wanted.format(word), language) == wanted.format(told)


def test_c29_the_users_word_within_brackets() -> None:
    told = _title("How many vendors are there?", Language.EN)
    assert told == "Number of contacts (vendor / supplier)"
    assert _title("How many suppliers are there?", Language.EN) == "Number of contacts (supplier)"


def test_c29_what_was_offered_is_said_by_its_name() -> None:
    asked = "What was the expense of the group premises in 2024?"
    found = in_own_words(asked, _BOOKS, Language.EN, _TODAY)
    assert found is not None
    assert isinstance(found.route, PatternMatch)
    assert title(found.route, Language.EN) == "premises in 2024"


_FIXED_PORT = re.compile(r"(?:127\.0\.0\.1|localhost):\d+|--port[ =][1-9]|^port *= *[1-9]", re.M)


@pytest.mark.parametrize("document", documents(), ids=name_of)
def test_c29_examples_take_a_port_that_is_free(document: Path) -> None:
    run = [each.content for each in fences(document) if each.is_run]
    assert [found[0] for content in run for found in _FIXED_PORT.finditer(content)] == []
