"""What must be read from a sentence, one line each, in every language."""

from pathlib import Path

import pytest

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Claim, Role
from veridical.gate.claims import find_claims

HERE = Path(__file__).parent
LOOSE = ("about", "over", "under")
UNTESTED = (ClaimKind.NAME, ClaimKind.LIST)


def cases(*names: str) -> list[str]:
    return [
        line
        for name in names
        for line in (HERE / name).read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]


@pytest.mark.parametrize("case", cases("de.txt", "en.txt", "zh.txt", "told.txt"))
def test_every_claim_of_a_sentence_is_read(case: str) -> None:
    text, _, expected = case.partition("=>")
    claims = [each for each in find_claims(text.strip()) if each.kind not in UNTESTED]
    wanted = [each.strip() for each in expected.split("|") if each.strip()]
    assert [told(claim, want) for claim, want in zip(claims, wanted, strict=False)] == wanted
    assert len(claims) == len(wanted), claims


def told(claim: Claim, want: str) -> str:
    """The claim in the words of the case, as far as the case says anything."""
    role = "" if claim.role is Role.STATED else f"{claim.role}:"
    said = [f"{role}{claim.kind}"]
    if claim.kind is ClaimKind.IDENTIFIER:
        said.append(claim.text.lstrip("#"))
    elif claim.kind in (ClaimKind.DATE, ClaimKind.PERIOD):
        said.append("/".join(days(claim)))
    else:
        values = dict.fromkeys(each.value for each in claim.readings)
        listed = [f"{value:g}" if value != int(value) else f"{value:.0f}" for value in values]
        asked = want.split()[1].split("/") if len(want.split()) > 1 else []
        said.append("/".join(asked if sorted(asked) == sorted(listed) else listed))
        said.extend(word for word in want.split()[2:] if word in attributes(claim))
    return " ".join(said)


def attributes(claim: Claim) -> tuple[str, ...]:
    first = claim.readings[0]
    half = f"±{first.half_step:.10f}".rstrip("0").rstrip(".")
    about = "about" if claim.approximate else ""
    return first.unit, half, about, claim.bound, claim.counted


def days(claim: Claim) -> list[str]:
    return [
        f"{each.start}" if each.start == each.end else f"{each.start}..{each.end}"
        for each in claim.days
    ] or ["-"]
