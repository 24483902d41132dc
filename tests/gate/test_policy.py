from pathlib import Path

import pytest

from veridical import gate
from veridical.contracts.proof import GateCode, Verdict
from veridical.contracts.violation import Mode

ROWS = [{"city": "Bern", "sales": 1200.5}]
WRONG = "Sales in Bern were 1,733.40."


@pytest.mark.parametrize(
    ("mode", "verdict"),
    [
        (Mode.WARN, Verdict.WARN),
        (Mode.SHADOW, Verdict.PASS),
        (Mode.OFF, Verdict.PASS),
    ],
)
def test_a_rule_does_what_its_mode_allows(mode: Mode, verdict: Verdict) -> None:
    policy = gate.Policy(
        modes=dict.fromkeys((GateCode.UNGROUNDED_CLAIM, GateCode.CONTRADICTED_CLAIM), mode)
    )
    proof = gate.check(WRONG, ROWS, policy=policy)
    assert proof.verdict is verdict
    assert [each.mode for each in proof.findings] == ([] if mode is Mode.OFF else [mode])


def test_what_is_allowed_is_never_flagged() -> None:
    assert gate.check(WRONG, ROWS, policy=gate.Policy(allow=("1,733.40",))).findings == ()
    pattern = gate.Policy(allow_patterns=(r"1,7\d\d\.\d\d",))
    assert gate.check(WRONG, ROWS, policy=pattern).findings == ()
    assert gate.check(WRONG, ROWS, policy=gate.Policy(allow=("1,733.41",))).findings


def test_a_policy_is_read_from_toml_and_from_json(tmp_path: Path) -> None:
    toml = tmp_path / "veridical.toml"
    toml.write_text(
        'model = "openai:x"\n[gate]\nallow = ["8.1 %"]\n[gate.modes]\nUNKNOWN_NAME = "block"\n'
        '[gate.requiredTools]\nmail = ["readMail"]\n'
    )
    told = gate.read_policy(toml)
    assert told.modes == {GateCode.UNKNOWN_NAME: Mode.BLOCK}
    json = tmp_path / "policy.json"
    json.write_text(told.model_dump_json(by_alias=True))
    assert gate.read_policy(json) == told
    nested = tmp_path / "nested.json"
    nested.write_text('{"gate": ' + told.model_dump_json(by_alias=True) + "}")
    assert gate.read_policy(nested) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[gate.modes]\nNO_SUCH_CODE = "block"\n', "NO_SUCH_CODE"),
        ('[gate]\nallowPatterns = ["("]\n', "no regular expression"),
        ("[gate]\nalow = []\n", "alow"),
        ("[gate\n", "veridical.toml"),
    ],
)
def test_a_wrong_policy_is_told_precisely(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "veridical.toml"
    file.write_text(text)
    with pytest.raises(gate.PolicyError, match=told.replace("(", r"\(")):
        gate.read_policy(file)


def test_settings_without_a_gate_mean_the_default(tmp_path: Path) -> None:
    file = tmp_path / "veridical.toml"
    file.write_text('model = "openai:x"\n')
    assert gate.read_policy(file) == gate.DEFAULT


@pytest.mark.parametrize("name", ["wordings", "strict", "mark"])
def test_names_that_are_gone_are_told_with_those_that_there_are(name: str, tmp_path: Path) -> None:
    with pytest.raises(gate.PolicyError, match=f"'{name}': known are marked, off"):
        gate.check("Bern: 1,200.50", ROWS, policy=name)
    settings = tmp_path / "veridical.toml"
    settings.write_text(f'[gate]\npolicy = "{name}"\n', "utf-8")
    with pytest.raises(gate.PolicyError, match="'marked' or 'off'"):
        gate.read_policy(settings)


def test_the_default_marks() -> None:
    assert gate.check("Bern: 7,777", ROWS, policy="marked").ok
    assert gate.check("Bern: 7,777", ROWS).is_marked
    assert gate.check("Bern: 7,777", ROWS, policy="off").findings == ()
