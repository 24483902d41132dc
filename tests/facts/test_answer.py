import gc
import weakref
from typing import Any

import pytest

from tests.facts.shops import EVIDENCE
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.answer import state_answer

ACCEPTED = {"facts": {"t": {"say": "top", "measure": "orders"}}, "answer": "{t} First: {t.row}."}
REFUSED = {"facts": {"t": {"say": "top", "measure": "nothing"}}, "answer": "{t} First: {u.row}."}


@pytest.mark.parametrize("written", [ACCEPTED, REFUSED])
def test_the_results_leave_memory_with_their_answer(written: dict[str, Any]) -> None:
    tables = read_tables(EVIDENCE[:1])
    first = weakref.ref(tables[0])
    gc.disable()
    try:
        stated = state_answer(written, tables, "", Language.EN)
        assert stated.accepted is (written is ACCEPTED)
        del stated, tables
        assert first() is None
    finally:
        gc.enable()
