"""Every finding and every reason has a sentence in every language."""

import pytest

from veridical.contracts.language import Language
from veridical.facts.kernel.value import Reason
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.record import reason_of, reasons_of

COMPUTED = (Code.FACT, Code.SLOT, Code.FORM)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("code", list(Code))
def test_a_finding_says_what_is_wrong(code: Code, language: Language) -> None:
    reason = Reason.NO_COLUMN.value if code in COMPUTED else ""
    told = reason_of(ProseFinding(code, Level.REFUSED, "sales", reason=reason), language)
    assert "sales" in told
    assert len(told) < 200


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("reason", list(Reason))
def test_a_fact_without_a_value_says_why_and_what_there_is(
    reason: Reason, language: Language
) -> None:
    finding = ProseFinding(Code.FACT, Level.REFUSED, "a: x", instead="b, c", reason=reason.value)
    assert "b, c" in reason_of(finding, language)


def test_each_reason_is_told_once() -> None:
    finding = ProseFinding(Code.FIGURE, Level.REFUSED, "17")
    assert len(reasons_of((finding, finding), Language.EN)) == 1
