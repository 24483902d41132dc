import json
import sys
from collections import Counter
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest

from benchmarks.answer_gate import __main__ as frame
from benchmarks.answer_gate.figures import Outcome, by_rule, rates
from benchmarks.answer_gate.judges import Judgement, result_sets
from benchmarks.answer_gate.own import few, samples
from benchmarks.answer_gate.own.asked_books import TENANTS
from benchmarks.answer_gate.own.oracle import bears_out, is_true
from benchmarks.answer_gate.own.stories import MAKERS, stories
from benchmarks.answer_gate.own.templates import Use, templates, write
from benchmarks.answer_gate.own.values import (
    LOCALES,
    Count,
    Day,
    Locale,
    Money,
    Percent,
    Word,
    show,
)
from benchmarks.answer_gate.own.ways import WAYS
from benchmarks.answer_gate.parts import Name, Part, named
from benchmarks.answer_gate.sample import Sample
from benchmarks.pattern_truth import ledger_of
from veridical.packs.trustee.books import build_books


@pytest.fixture(scope="module")
def own() -> list[Sample]:
    return list(samples(kept=4))


def test_the_own_set_is_large_balanced_and_has_every_way(own: list[Sample]) -> None:
    assert len(own) >= 600
    assert sum(sample.good for sample in own) * 2 == len(own)
    ways = Counter(sample.kind for sample in own if not sample.good)
    assert ways.keys() == WAYS.keys()
    assert min(ways.values()) >= 15
    assert Counter(sample.language for sample in own).keys() == LOCALES.keys()
    assert len({sample.id for sample in own}) == len(own)


def test_the_halves_are_those_that_the_templates_were_written_for(own: list[Sample]) -> None:
    for sample in own:
        assert sample.half == sample.id.split("/")[2]
    assert sum(sample.half == "held_out" for sample in own) >= 600


def test_the_same_seed_gives_the_same_answers(own: list[Sample]) -> None:
    assert [sample.answer for sample in samples(kept=4)] == [sample.answer for sample in own]


def test_a_smoke_run_has_good_and_wrong_answers_of_all_locales() -> None:
    found = list(few())
    assert len(found) >= 60
    assert {(each.good, each.language) for each in found} == {
        (good, name) for good in (True, False) for name in LOCALES
    }


def test_every_type_has_eight_phrasings_and_six_of_them_are_held_out() -> None:
    for kind in MAKERS:
        halves = [
            each.half
            for language in ("de", "en", "zh")
            for each in templates(language)
            if each.type == kind
        ]
        assert len(halves) >= 8
        assert halves.count("held_out") >= 6


def test_stories_agree_with_the_bookings() -> None:
    """Balances are added up from journal lines here, without SQL and without the balance table."""
    ledgers = [ledger_of(build_books("small"), instance) for _, instance in TENANTS]
    for story in stories("balance_at_date"):
        day, account, amount = (story.values[name] for name in ("day", "account", "amount"))
        assert isinstance(day, Day)
        assert isinstance(account, Word)
        assert isinstance(amount, Money)
        number = account.text
        found = [
            ledger.balances(number, number, day.day.year, day.day.month)[number]
            for ledger in ledgers
        ]
        assert amount.value in found


@pytest.mark.parametrize("locale", LOCALES.values(), ids=LOCALES.keys())
def test_the_oracle_reads_what_the_locale_writes(locale: Locale) -> None:
    chance = Random(5)
    for _ in range(200):
        amount = Decimal(chance.randrange(-(10**9), 10**9)) / 100
        for value in (Money(amount, "CHF"), Percent(amount / 1000), Count(Decimal(int(amount)))):
            for style in ("", "signed", "abs"):
                use = Use(("x",), style, show(value, style, locale))
                assert bears_out(use, value, locale)
                other = replace(value, value=value.value * 2 + 3)
                assert not bears_out(use, other, locale)
    short = Money(Decimal("1249999.99"), "CHF")
    assert bears_out(Use(("x",), "short", show(short, "short", locale)), short, locale)
    assert not bears_out(
        Use(("x",), "short", show(short, "short", locale)), Money(Decimal(1310000), "CHF"), locale
    )


def test_a_swapped_pair_is_not_true() -> None:
    story = next(stories("turnover_by_month"))
    locale = LOCALES["de-CH"]
    template = next(each for each in templates("de") if each.type == story.type)
    true = write(template.text, story, locale)
    assert is_true(true, story, locale)
    first, second = ("rows", 0, "amount"), ("rows", 1, "amount")
    swapped = story.having(first, story.at(second)).having(second, story.at(first))
    assert not is_true(write(template.text, swapped, locale), story, locale)


def test_rows_that_read_alike_are_not_swapped() -> None:
    day = Day(date(2025, 1, 2))
    rows = tuple(
        {"day": day, "text": Word(text), "amount": Money(Decimal(amount), "CHF")}
        for text, amount in (("Rent", 10), ("Release", 20), ("Release", 30))
    )
    story = replace(next(stories("truncated")), rows=rows)
    true = write("@rows {day} {text} {amount}", story, LOCALES["en"])
    for seed in range(20):
        told = WAYS["swapped_labels"](story, true, Random(seed))
        assert told is not None
        assert told.story.rows[0] != rows[0]


def test_an_answer_may_have_headings() -> None:
    headed = [each for each in templates("en") if each.text.startswith("#")]
    assert headed


def test_a_line_that_hides_the_cut_replaces_the_one_that_tells_it() -> None:
    story = next(stories("truncated"))
    text = "@said Not all.\n@instead All.\n@rows - {text}"
    told = write(text, story, LOCALES["en"]).text.splitlines()
    hidden = write(text, story, LOCALES["en"], hide=True).text.splitlines()
    assert told[0] == "Not all."
    assert hidden[0] == "All."
    assert told[1:] == hidden[1:]
    assert len(told) == len(story.rows) + 1


def test_dates_are_written_as_each_language_does() -> None:
    day = Day(date(2025, 3, 31))
    shown = {name: show(day, "", locale) for name, locale in LOCALES.items()}
    assert shown == {
        "de-CH": "31.03.2025",
        "de-DE": "31.03.2025",
        "en": "31 March 2025",
        "zh": "2025年3月31日",
    }


def test_evidence_is_given_to_the_other_judge_as_flat_rows() -> None:
    flat = [{"a": 1}, {"a": 2}]
    assert list(result_sets(flat)) == [flat]
    assert list(result_sets([flat, flat])) == [flat, flat]
    record = {"name": "x", "n": 3, "hours": {"open": 8}, "list": [{"b": 1}], "plain": [5, 6]}
    assert list(result_sets(record)) == [
        [{"name": "x", "n": 3}],
        [{"open": 8}],
        [{"b": 1}],
        [{"0": 5}, {"1": 6}],
    ]
    assert list(result_sets("no figure\nbut 1,200 here")) == [[{"0": 1200.0}]]


def _outcome(good: bool, blocked: bool, *codes: str, kind: str = "k") -> Outcome:
    return Outcome("held_out", kind, "de-CH", good, {"ours": Judgement(blocked, codes, 10.0)})


def test_rates_count_false_blocks_and_what_passed() -> None:
    outcomes = [
        _outcome(True, False),
        _outcome(True, True, "UNGROUNDED_CLAIM"),
        _outcome(False, True, "UNGROUNDED_CLAIM", "LIST_MISMATCH"),
        _outcome(False, False),
        _outcome(False, True, "LIST_MISMATCH", kind="other"),
    ]
    found = rates(outcomes, "ours")
    assert (found["false_block"], found["fabricated_pass"]) == (0.5, 0.3333)
    assert (found["precision"], found["recall"], found["f1"]) == (0.6667, 0.6667, 0.6667)
    rules = by_rule(outcomes)
    assert rules["LIST_MISMATCH"] == {
        "false_blocks": 0,
        "caught": 2,
        "precision": 1.0,
        "recall": 0.6667,
    }
    part = Part("x", names=(Name("x_caught", "caught", without=("other",)),))
    assert named(part, outcomes) == {"x_caught": 0.5}
    assert named(part, []) == {}


def test_a_set_that_is_not_there_is_skipped_with_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["answer_gate", "--data", str(tmp_path), "--sets", "tatqa,quintd", "--json"]
    monkeypatch.setattr(sys, "argv", words)
    frame.main()
    printed = capsys.readouterr()
    assert json.loads(printed.out.splitlines()[-1]) == {"rules_held_out": {}, "sets": {}}
    assert "tatqa: skipped" in printed.err
    assert "quintd: skipped" in printed.err


def test_an_unknown_set_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["answer_gate", "--sets", "nothing"])
    with pytest.raises(SystemExit):
        frame.main()
    assert "no such set: nothing" in capsys.readouterr().err


@pytest.mark.slow
def test_the_cost_of_the_typed_gate_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ["answer_gate", "--smoke", "--json", "--sets", "speed", "--policy", "strict"]
    monkeypatch.setattr(sys, "argv", told)
    frame.main()
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["speed_ratio"] > 0
    assert found["growth_10k"] <= 3
    assert found["answer_100k_ms"] > found["prepared_ms_50"]
    assert found["evidence_100k_ms"] > 0
