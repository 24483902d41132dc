"""What sentences say of records of many kinds, in three languages; one case is one line."""

import json
import re
from pathlib import Path

import pytest

from tests.gate.lexicons import domain
from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.evidence.evidence import prepare
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.records.bind import bind_records

HERE = Path(__file__).parent
RECORDS = json.loads((HERE / "records.json").read_text("utf-8"))
LEXICON = domain("hospitality", "products")
STANDS = {
    "+": Standing.GROUNDED,
    "!": Standing.CONTRADICTED,
    "?": Standing.UNGROUNDED,
}
WRONG = (Standing.CONTRADICTED, Standing.UNGROUNDED)
CASES = [
    line.split(" ", 2)
    for line in (HERE / "cases.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("record", "mark", "sentence"), CASES)
def test_it_stands(record: str, mark: str, sentence: str) -> None:
    sentence, _, chosen = sentence.partition(" | ")
    text = sentence.replace("[", "").replace("]", "")
    bounds = bind_records(text, prepare([Exhibit(record=RECORDS[record])]), LEXICON)
    if mark == ".":
        assert bounds == ()
        return
    marked = [
        (m.start() - 2 * at, m[1]) for at, m in enumerate(re.finditer(r"\[(.*?)\]", sentence))
    ]
    start, words = marked[int(chosen or 0)]
    held = [b for b in bounds if b.claim.start < start + len(words) and start < b.claim.end]
    assert held, f"nothing is held of {words!r}: {bounds}"
    assert {b.standing for b in held} == {STANDS[mark]}
    for bound in held:
        assert (bound.claim.kind, bound.ground) == (ClaimKind.FACT, Ground.RECORD)
        assert bound.reason
        assert text[bound.claim.start : bound.claim.end] == bound.claim.text
    assert mark != "+" or all(b.standing not in WRONG for b in bounds if b in held)
