"""Names and lists, one line each; precision comes first."""

from pathlib import Path

import pytest

from veridical.contracts.proof import ClaimKind
from veridical.gate.claims import find_claims

HERE = Path(__file__).parent


def cases(name: str) -> list[str]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def parted(case: str) -> tuple[str, list[str]]:
    text, _, wanted = case.partition("=>")
    found = [each.strip() for each in wanted.split("|") if each.strip()]
    return text.strip().replace("\\n", "\n"), found


@pytest.mark.parametrize("case", cases("names.txt"))
def test_names_are_found_where_their_form_tells(case: str) -> None:
    text, wanted = parted(case)
    assert [each.text for each in find_claims(text) if each.kind is ClaimKind.NAME] == wanted


@pytest.mark.parametrize("case", cases("lists.txt"))
def test_lists_have_the_items_that_they_name(case: str) -> None:
    text, wanted = parted(case)
    lists = [each for each in find_claims(text) if each.kind is ClaimKind.LIST]
    assert [item for each in lists for item in each.items] == wanted
