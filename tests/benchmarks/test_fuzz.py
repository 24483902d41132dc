import json

import pytest

from benchmarks import fuzz, fuzz_search


def test_what_breaks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(text: str) -> int:
        return 1 // (0 if "(" in text else 1)

    monkeypatch.setattr(
        "benchmarks.fuzz_search._targets", lambda: {"broken": fuzz_search.Target(judge)}
    )
    assert fuzz_search.search(smoke=False)["crashes"] > 0


def test_what_grows_with_the_square_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(text: str) -> int:
        return sum(text.count(text[at]) for at in range(0, len(text), 20))

    monkeypatch.setattr(
        "benchmarks.fuzz_search._targets", lambda: {"square": fuzz_search.Target(judge)}
    )
    assert fuzz_search.search(smoke=True)["growth"] > 20


def test_a_miss_ends_with_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {"crashes": 1, "slowest_ms": 5.0, "growth": 1.0}

    def search(*, smoke: bool, seed: int) -> dict[str, float]:
        return found

    monkeypatch.setattr("benchmarks.hostile_files.figures.everything", search)
    monkeypatch.setattr("sys.argv", ["fuzz", "--json"])
    with pytest.raises(SystemExit) as ended:
        fuzz.main()
    assert ended.value.code == 1
    assert json.loads(capsys.readouterr().out) == found
