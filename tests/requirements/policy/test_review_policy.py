"""Modes by rule and by type of requirement: which one holds."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from veridical.contracts.violation import Mode
from veridical.requirements.policy.review_policy import ReviewPolicy, read_review_policy

POLICY = ReviewPolicy.model_validate(
    {
        "mode": "shadow",
        "rules": {"VAG": "block", "PAS": "off"},
        "types": {
            "Safety": {"mode": "block", "rules": {"PAS": "warn"}},
            "info": {"mode": "off"},
            "draft": {"mode": "warn"},
        },
    }
)


@pytest.mark.parametrize(
    ("rule", "kind", "mode"),
    [
        ("NUM", "", "shadow"),  # nothing is said of it
        ("VAG", "", "block"),
        ("NUM", "safety", "block"),
        ("PAS", "SAFETY", "warn"),  # what a type says of a rule holds
        ("VAG", "info", "off"),  # of a rule and a type, the weaker
        ("VAG", "draft", "warn"),
        ("PAS", "draft", "off"),
        ("CONFLICT", "draft", "warn"),
    ],
)
def test_mode_of_a_rule_for_a_type(rule: str, kind: str, mode: str) -> None:
    assert POLICY.mode_of(rule, kind) is Mode(mode)


def test_settings_file(tmp_path: Path) -> None:
    path = tmp_path / "veridical.toml"
    assert read_review_policy(path) == ReviewPolicy()
    path.write_text(
        '[requirements]\nmode = "block"\nfail_under = 0.5\n[requirements.rules]\nPAS = "off"\n'
    )
    read = read_review_policy(path)
    assert (read.mode, read.fail_under) == (Mode.BLOCK, 0.5)
    assert read.mode_of("PAS", "req") is Mode.OFF


@pytest.mark.parametrize(
    "said", ['mode = "loud"', 'colour = "red"', '[requirements.rules]\nVAGUE = "off"']
)
def test_mistakes_in_the_settings_are_refused(tmp_path: Path, said: str) -> None:
    path = tmp_path / "veridical.toml"
    path.write_text(f"[requirements]\n{said}\n")
    with pytest.raises(ValidationError):
        read_review_policy(path)
