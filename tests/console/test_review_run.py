"""A rewrite beside its source reads as it was written."""

import pytest

from veridical.console.review_run import changes

SOURCE = "The system shall respond quickly."


@pytest.mark.parametrize(
    "rewrite",
    [
        "As a [role?], I want it. Given [state?], when [event?], then the system shall respond.",
        "The system shall respond within [value?].",
        "[role?][event?] The system shall respond quickly.",
        "Als [Rolle?] möchte ich das, damit [Nutzen?].",
        "作为[角色?]，系统应在[时间?]内响应。",
        SOURCE,
    ],
)
def test_no_space_is_added_or_lost(rewrite: str) -> None:
    shown = "".join(each.text for each in changes(SOURCE, rewrite) if each.kind != "gone")
    assert shown.strip() == rewrite


def test_what_is_asked_stands_apart_without_its_neighbours() -> None:
    asked = [each.text for each in changes(SOURCE, "As a [role?], I want [x] so.")]
    assert "[role?]" in asked
    assert "[x]" in asked


def test_what_is_gone_is_set_apart_from_what_follows() -> None:
    found = changes("It must run quickly now.", "It must run now.")
    assert [(each.kind, each.text) for each in found] == [
        ("same", "It must run "),
        ("gone", "quickly "),
        ("same", "now."),
    ]
