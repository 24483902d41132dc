import asyncio
from pathlib import Path

from benchmarks.tool_choice import Half, Offer, Record, read_requests, shares

NOWHERE = "http://127.0.0.1:9/v1"


def test_the_halves_have_nothing_in_common() -> None:
    first, second = (read_requests(each) for each in (Half.FIRST, Half.SECOND))
    assert [len(first), len(second)] == [50, 50]
    assert [*first, *second] == read_requests()
    assert {each.text for each in first} & {each.text for each in second} == set()
    for half in (first, second):
        assert {each.language for each in half} == {"de", "en", "zh"}


def test_what_was_recorded_is_not_asked_again(tmp_path: Path) -> None:
    requests = read_requests(Half.FIRST)[:3]
    file = tmp_path / "calls.tsv"
    Record(file).keep(requests[0], "none of them")
    for each in requests[1:]:
        Record(file).keep(each, min(each.fitting))
    found = asyncio.run(shares(requests, Offer((), ""), NOWHERE, Record(file), quiet=True))
    assert found["requests"] == 3
    assert found["right_tool"] == 0.667
