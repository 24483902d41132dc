import pytest
import typer

from veridical.cli.error_reporting import DEBUG, MISTAKE, UsageError, reported_errors
from veridical.contracts.language import Language


def test_a_bug_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(DEBUG, raising=False)
    with pytest.raises(typer.Exit) as left, reported_errors(Language.EN):
        raise ZeroDivisionError("secret detail")
    assert left.value.exit_code == MISTAKE
    printed = capsys.readouterr().err
    assert "ZeroDivisionError" in printed
    assert "secret detail" not in printed


def test_a_developer_sees_the_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEBUG, "1")
    with pytest.raises(ZeroDivisionError), reported_errors(Language.EN):
        raise ZeroDivisionError


def test_brackets_in_a_mistake_are_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit), reported_errors(Language.EN):
        raise UsageError("pip install 'veridical[all]'")
    assert "veridical[all]" in capsys.readouterr().err
