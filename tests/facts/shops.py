"""A few results as tools return them, and what is said of them."""

from collections.abc import Mapping
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.arguments import read_arguments
from veridical.facts.fact import Fact
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel.frame import Frame, frames_of
from veridical.facts.sentence import Sentences
from veridical.facts.wording import Wording

EVIDENCE: list[dict[str, Any]] = [
    {"tool": "shops", "rows": [
        {"shop": "North", "region": "A", "orders": 40, "revenue_eur": 1200.5, "margin_pct": 12.5,
         "opened": "2024-03-05", "late": True},
        {"shop": "South", "region": "B", "orders": 25, "revenue_eur": 900.0, "margin_pct": 30.0,
         "opened": "2024-03-20", "late": False},
        {"shop": "East", "region": "A", "orders": 25, "revenue_eur": None, "margin_pct": 8.0,
         "opened": "2023-11-01", "late": None},
        {"shop": "West", "region": None, "orders": 10, "revenue_eur": 450.25, "margin_pct": 99.6,
         "opened": None, "late": False},
        {"shop": "Total", "region": None, "orders": 100, "revenue_eur": 2550.75,
         "margin_pct": None, "opened": None, "late": None},
    ]},
    {"tool": "staff", "rows": [
        {"store": "South", "people": 4, "orders": 1},
        {"store": "North", "people": 8, "orders": 2},
        {"store": "Far", "people": 3, "orders": 5},
        {"store": "Near", "people": 1, "orders": 7},
    ]},
    {"tool": "months", "rows": [
        {"month": "2025-02", "stock": 80, "cost_k_chf": 1.5},
        {"month": "2025-01", "stock": 100, "cost_k_chf": 2.0},
        {"month": "2025-03", "stock": 120, "cost_k_chf": 1.0},
    ]},
    {"tool": "plan", "rows": [{"target": 60}]},
    {"tool": "calls", "rows": [
        {"line": "one", "ended_at": "2025-05-01T10:00:05", "minutes": 2},
        {"line": "two", "ended_at": "2025-05-01T10:00:50", "minutes": 3},
        {"line": "three", "ended_at": "2025-05-01T09:59:59", "minutes": 0},
    ]},
    {"tool": "none", "columns": ["name", "qty"], "rows": []},
]  # fmt: skip


def frames() -> Mapping[str, Frame]:
    """All results."""
    return frames_of(read_tables(EVIDENCE))


def stated(**arguments: Any) -> Fact:
    """The fact of these arguments; ``result`` is the one that it is from."""
    return evaluate(read_arguments(_named(arguments)), frames())


def said(language: Language = Language.EN, **arguments: Any) -> str:
    """Its exact sentence."""
    known = frames()
    fact = evaluate(read_arguments(_named(arguments)), known)
    return Sentences(language, Wording(language, known)).of(fact)


def _named(arguments: dict[str, Any]) -> dict[str, Any]:
    return {{"result": "from", "op": "is"}.get(name, name): value
            for name, value in arguments.items()}  # fmt: skip
