"""Requirements in a process of their own: the same results, and none where a rule breaks."""

import json
from typing import Any

import pytest

from veridical.contracts.language import Language
from veridical.limited_process.limits import LimitError
from veridical.requirements import batch, batch_process

VAGUE = "Die App muss schnell sein"


def _here(work: str, given: Any = None) -> Any:
    request = json.dumps((work, [VAGUE], Language.DE, given)).encode()
    return json.loads(batch_process.batch_request(request))


def test_results_are_those_of_this_process() -> None:
    texts = [VAGUE, "The belt shall stop within 2 s.", "The belt shall stop within 20 s."]
    assert batch_process.evaluated(VAGUE, None, Language.DE) == _here("evaluate")
    assert batch_process.suggested([VAGUE], Language.DE) == _here("suggest")
    assert batch_process.rewritten([VAGUE], Language.DE) == _here("rewrite", [None])
    assert batch_process.related(texts, Language.EN)[0]["kind"] == "conflict"


def test_rule_that_breaks_is_not_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(text: str, *given: Any) -> Any:
        raise RuntimeError("no words")

    monkeypatch.setattr(batch, "evaluate_requirement", breaks)
    monkeypatch.setattr(batch, "rewrite_requirement", breaks)
    told = _here("evaluate")
    assert (told["score"], told["verdict"], told["evaluation"]) == (None, "not_evaluated", [])
    assert "Nicht bewertet" in told["remark"]
    (again,) = _here("rewrite", [None])
    assert (again["status"], again["correctedText"]) == ("not_evaluated", VAGUE)
    assert _here("suggest") == [None]


def test_what_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_process, "_SECONDS", 0.0)
    monkeypatch.setattr(batch_process, "_SECONDS_PER_MB", 0.1)
    with pytest.raises(LimitError):
        batch_process.rewritten(["The pump shall stop when it is hot. " * 200] * 50, Language.EN)
