from itertools import islice

import pytest

from benchmarks.patterns import ask_all, changed_questions, opened
from veridical.sample.postgres import LocalPostgres


@pytest.mark.postgres
def test_the_pattern_path_is_never_wrong_and_answers_most(postgres_server: LocalPostgres) -> None:
    with opened(postgres_server) as session:
        outcomes = ask_all(session)
        changed = [
            case.question
            for case in islice(changed_questions(), 0, None, 7)
            if session.would_answer(case)
        ]
    assert [(each.case.question, each.detail) for each in outcomes if each.kind == "wrong"] == []
    assert changed == []
    asked = [each for each in outcomes if each.case.intent]
    assert len(asked) >= 300
    assert len(outcomes) - len(asked) >= 150
    assert sum(each.kind == "answered" for each in asked) / len(asked) >= 0.9
