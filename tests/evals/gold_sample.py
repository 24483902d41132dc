"""Gold questions made by hand."""

from typing import Any

from veridical.contracts.language import Language
from veridical.evals.gold.case import Case, GoldSet


def case(name: str = "a", **changed: Any) -> Case:
    """One gold question."""
    usual: dict[str, Any] = {
        "question": f"How much is {name}?",
        "paraphrases": (f"What does {name} amount to?",),
        "language": Language.EN,
        "expected_answer_contains": ("CHF",),
    }
    return Case(id=name, **(usual | changed))


def gold(*cases: Case, name: str = "sample") -> GoldSet:
    """A set of them."""
    return GoldSet(
        name=name,
        feature="trustee",
        today="2026-03-15",
        tenant=("m-001", "m-001-a"),
        cases=cases or (case(),),
    )
