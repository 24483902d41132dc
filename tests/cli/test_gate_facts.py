import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from veridical.cli.main import app

RUN = CliRunner()
ROWS = [{"depot": "West", "stock": 540}, {"depot": "East", "stock": 310}]
GOOD: dict[str, Any] = {
    "id": "depots",
    "language": "en",
    "question": "Which depot has the most stock?",
    "evidence": ROWS,
    "answer": {
        "facts": {"t": {"say": "top", "measure": "stock"}},
        "answer": "{t.row} has the most stock: {t.value}.",
    },
    "kind": "not read",
}
BAD = {**GOOD, "id": "typed", "answer": {"facts": {}, "answer": "West has 540."}}


def _file(folder: Path, *lines: Any) -> str:
    file = folder / "answers.jsonl"
    file.write_text("\n".join(json.dumps(each) for each in lines) + "\n", "utf-8")
    return str(file)


def test_the_text_is_printed_with_its_exact_sentences(tmp_path: Path) -> None:
    done = RUN.invoke(app, ["gate", "facts", _file(tmp_path, GOOD)])
    assert done.exit_code == 0, done.output
    assert "West has the most stock: 540." in done.stdout
    assert "{t} " in done.stdout


def test_a_refused_answer_is_the_exit_code(tmp_path: Path) -> None:
    done = RUN.invoke(app, ["gate", "facts", _file(tmp_path, GOOD, BAD)])
    assert done.exit_code == 1
    assert "✗" in done.stdout
    assert "540" in done.stdout


def test_json_has_a_line_for_each(tmp_path: Path) -> None:
    done = RUN.invoke(app, ["gate", "facts", _file(tmp_path, GOOD, BAD), "--json"])
    good, bad = map(json.loads, done.stdout.splitlines())
    assert (good["id"], good["accepted"]) == ("depots", True)
    assert good["facts"]["t"]["cells"]
    assert (bad["id"], bad["accepted"], bad["text"]) == ("typed", False, "")


def test_the_prompt_is_what_a_model_is_shown() -> None:
    done = RUN.invoke(app, ["gate", "facts", "-", "--prompt"], input=json.dumps(GOOD))
    assert done.exit_code == 0
    assert "The host computes" in done.stdout
    assert "West | 540" in done.stdout
    assert GOOD["question"] in done.stdout


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"evidence": [], "language": "fr"}'])
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    done = RUN.invoke(app, ["gate", "facts", "-"], input=json.dumps(GOOD) + "\n" + line)
    assert done.exit_code == 2
    assert "-:2" in done.output


def test_a_file_that_is_not_there_is_named() -> None:
    done = RUN.invoke(app, ["gate", "facts", "nowhere.jsonl"])
    assert done.exit_code == 2
    assert "nowhere.jsonl" in done.output
