"""One result with many kinds of columns, of any length."""

import random

from veridical.evidence.read import read_tables
from veridical.evidence.table import Table


def shops(rows: int, seed: int) -> tuple[Table, ...]:
    """A result of so many rows."""
    at = random.Random(seed)
    regions, states = ("North", "South", "East", "West"), ("open", "closed")
    return read_tables([{"tool": "shops", "rows": [
        {"shop": f"Shop {each}", "region": at.choice(regions), "status": at.choice(states),
         "due": f"2025-{at.randint(1, 9):02d}-{at.randint(1, 28):02d}", "late": at.random() < 0.3,
         "orders": at.randint(1, 900), "revenue_eur": round(at.uniform(10, 9e4), 2),
         "cost_eur": round(at.uniform(10, 9e4), 2), "margin_pct": round(at.uniform(0, 60), 1)}
        for each in range(rows)
    ]}])  # fmt: skip
