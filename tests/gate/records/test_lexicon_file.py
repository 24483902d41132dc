"""Lexicons of a host: joined with the general one, refused where they are wrong."""

import os
from pathlib import Path

import pytest

from tests.gate.lexicons import GENERAL, domain
from veridical import gate
from veridical.contracts.proof import Standing
from veridical.gate.evidence.evidence import prepare
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.policy import ProofPolicy
from veridical.gate.records.bind import bind_records
from veridical.gate.records.lexicon_file import LexiconError, load_record_lexicon

MACHINE = {"name": "Press 7", "cooling": False, "guarded": True}


def written(folder: Path, text: str, name: str = "own.toml") -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def test_a_synonym_of_the_host_is_read(tmp_path: Path) -> None:
    own = load_record_lexicon((written(tmp_path, 'synonyms = [["cooling", "chiller"]]'),))
    evidence = prepare([Exhibit(record=MACHINE)])
    assert bind_records("It has a chiller.", evidence, GENERAL) == ()
    (bound,) = bind_records("It has a chiller.", evidence, own)
    assert bound.standing is Standing.CONTRADICTED


def test_groups_that_share_a_name_are_one(tmp_path: Path) -> None:
    own = load_record_lexicon((written(tmp_path, 'synonyms = [["paid", "settled"]]'),))
    (group,) = [group for group in own.synonyms if "settled" in group]
    assert {"paid", "bezahlt"} < set(group)
    assert len(own.synonyms) == len(GENERAL.synonyms)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("synonyms = 3", "synonyms"),
        ("colours = []", "colours"),
        ("[extremes]\nlowest = ['(']", "no regular expression"),
        ("= 3", "line 1"),
    ],
)
def test_a_mistake_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(LexiconError, match=told):
        load_record_lexicon((path,))
    with pytest.raises(ValueError, match=told):
        gate.Policy(lexicons=(path,), policy=ProofPolicy.WORDINGS)


def test_a_file_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="No such file"):
        load_record_lexicon((str(tmp_path / "none.toml"),))


def test_the_policy_names_files_beside_its_own(tmp_path: Path) -> None:
    written(tmp_path, 'synonyms = [["cooling", "chiller"]]', "machines.toml")
    settings = tmp_path / "veridical.toml"
    settings.write_text('[gate]\npolicy = "wordings"\nlexicons = ["machines.toml"]\n', "utf-8")
    policy = gate.read_policy(settings)
    answer = "Press 7 has a chiller."
    assert gate.check(answer, [MACHINE], policy=policy).verdict == "block"
    assert gate.check(answer, [MACHINE], policy="wordings").verdict != "block"


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path, 'styles = "plush"')
    first = load_record_lexicon((path,))
    assert load_record_lexicon((path,)) is first
    written(tmp_path, 'styles = "plain"')
    os.utime(path, ns=(1, 1))
    assert load_record_lexicon((path,)).styles == {"plain"}


def test_the_core_knows_no_trade() -> None:
    """What a benchmark's domain calls its things means nothing until a policy names its lexicon."""
    assert not GENERAL.styles | GENERAL.qualities | GENERAL.plain
    assert not (*GENERAL.other_hours, *GENERAL.lowest, *GENERAL.highest, *GENERAL.won)
    record = {"ambience": {"rustic": True}, "wifi": True, "about": "We like this place. " * 20}
    text = "It has no Wi-Fi and a casual ambience, and it offers a sauna and a happy hour."
    evidence = prepare([Exhibit(record=record)])
    known = {each.claim.text for each in bind_records(text, evidence, domain("hospitality"))}
    assert {"Wi-Fi", "sauna", "happy hour"} <= known
    general = {each.claim.text for each in bind_records(text, evidence, GENERAL)}
    assert not general & {"sauna", "happy hour", "casual"}
