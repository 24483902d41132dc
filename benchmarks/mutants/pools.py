"""The values that templates are filled with: accounts, years, days, closed lists."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from itertools import pairwise, product

from veridical.packs.trustee.models import MODELS

Values = dict[str, str]

_CARRIED = (
    "1000", "1020", "1021", "1022", "1023", "1100", "1101", "1200", "1500", "1510", "1520",
    "1530", "2000", "2201", "2270", "2400", "2800", "2970",
)  # fmt: skip
_YEARS = range(2020, 2026)
_DAYS = tuple(date(year, month, 1) for year in _YEARS for month in (1, 3, 4, 7, 10))


def combinations(names: Iterable[str]) -> list[Values]:
    """All ways to fill these placeholders together."""
    pools = [tuple(_POOLS[name]) for name in names]
    return [
        {name: value for part in parts for name, value in part.items()} for parts in product(*pools)
    ]


def seconds(day: date) -> int:
    """Midnight UTC as the books store it."""
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


def _plain(name: str, values: Iterable[object]) -> list[Values]:
    return [{name: str(value)} for value in values]


def _years() -> Iterator[Values]:
    for year in _YEARS:
        yield {
            "year": str(year),
            "prev": str(year - 1),
            "next": str(year + 1),
            "yfrom": str(seconds(date(year, 1, 1))),
            "yuntil": str(seconds(date(year + 1, 1, 1))),
            "yearend": str(seconds(date(year, 12, 31))),
        }


def _dates() -> Iterator[Values]:
    for day, until in pairwise(_DAYS):
        yield {
            "from": str(seconds(day)),
            "until": str(seconds(until)),
            "isofrom": day.isoformat(),
            "isountil": until.isoformat(),
        }


def _quarters() -> Iterator[Values]:
    for quarter in range(1, 5):
        first = 3 * quarter - 2
        yield {"quarter": str(quarter)} | {
            name: str(first + offset) for offset, name in enumerate(("qa", "qb", "qc"))
        }


_SPANS = (
    ("1000", "1029"), ("1000", "1099"), ("1100", "1109"), ("1000", "1999"), ("1020", "1023"),
    ("1500", "1539"), ("2000", "2199"), ("2000", "2999"), ("1100", "1199"),
)  # fmt: skip

_POOLS: dict[str, list[Values]] = {
    "account": _plain("account", _CARRIED),
    "expense": _plain("expense", ("4200", "5000", "5700", "6000", "6530", "6800", "6900")),
    "year": list(_years()),
    "month": _plain("month", (1, 2, 3, 5, 6, 8, 9, 11, 12)),
    "quarter": list(_quarters()),
    "dates": list(_dates()),
    "prefix": _plain("prefix", ("10", "102", "109", "110", "1", "2", "20", "15", "28")),
    "span": [{"first": first, "last": last} for first, last in _SPANS],
    "class": _plain("class", (1, 2, 3, 4, 5, 6)),
    "outlay": _plain("outlay", (4, 5, 6)),
    "group": _plain("group", ("Bank", "Receivables", "Cash", "TransferAccounts", "Payables")),
    "type": _plain("type", ("asset", "liability", "equity", "income", "expense")),
    "side": _plain("side", ("debit", "credit")),
    "currency": _plain("currency", ("CHF", "EUR", "USD")),
    "foreign": _plain("foreign", ("EUR", "USD")),
    "source": _plain("source", ("sales", "purchase", "payroll", "bank", "manual")),
    "center": _plain("center", (100, 200, 300)),
    "word": _plain("word", ("Miete", "Lohn", "Rechnung", "MWST", "Zahlung")),
    "kind": _plain("kind", ("receivable", "payable")),
    "level": _plain("level", (1, 2, 3)),
    "party": _plain("party", ("customer", "supplier", "employee", "authority")),
    "tongue": _plain("tongue", ("de", "fr", "it")),
    "city": _plain("city", ("Zürich", "Genève", "Bern", "Lugano", "Basel", "Luzern")),
    "paper": _plain("paper", ("supplierInvoice", "payslips", "bankStatement", "vatReturn")),
    "direction": _plain("direction", ("output", "input")),
    "form": _plain("form", ("AG", "GmbH", "Genossenschaft")),
    "table": _plain("table", (model.__name__ for model in MODELS)),
}
