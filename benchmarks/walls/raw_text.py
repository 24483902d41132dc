"""Statements that put SQL where a grammar may hand text on as it is.

Units, names of arguments, quoted names in odd places, collations, intervals, sources of rows, ``IN
name``: every allowed function of every dialect with such text in each of its places, and the forms
of ``raw_forms.txt``. Most are no SQL at all; what matters is that none shows another tenant's rows.
"""

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from veridical.check.dialects import DIALECTS
from veridical.statement.functions import allowed_functions

FORMS = Path(__file__).parent / "hidden" / "raw_forms.txt"
QUOTES = {"mysql": "'\"`", "bigquery": "'\"`", "clickhouse": "'\"`", "sqlite": "'\"`"}
_USUAL_QUOTES = "'\""
_STOLEN = "(SELECT max(note) FROM {t})"
_FITTING = ("day", "month", "year", "1", "%Y", "$.a", "C", "utf8", "UTC")
_BEFORE = ("day", "year FROM day)", "day, day, day)", "day)", "1)", "day' , day)", "66)", "x => 1)")
_MIDDLE = (
    " AS a, {s} AS b, ",
    ", {s}, ",
    ", {s} AS b, (",
    " UNION ALL SELECT note FROM {t} WHERE (1 = 1",
    " UNION ALL SELECT note FROM {t} -- ",
    " FROM {t} -- ",
    " AS v FROM {t} -- ",
    " AS v FROM {t} /* ",
    "; SELECT note FROM {t}; -- ",
    " IN {t} OR n IN (n",
    "\\', {s}, \\'",
)
_AFTER = ("", "day", "EXTRACT(year", "date_diff(day", "date_part('day", "char(67", "(x", "*/")
_ARGUMENTS: tuple[str, ...] = ("day", "1", "note")


class Raw(NamedTuple):
    """A statement of one dialect; ``{t}`` is still to be replaced by the table's full name."""

    dialect: str
    sql: str


def raw_statements(seed: int, most: int) -> list[Raw]:
    """Distinct statements for every dialect, as many for each; others with another seed."""
    chance = random.Random(seed)
    found: dict[Raw, None] = {}
    for dialect in DIALECTS:
        made = dict.fromkeys(_of(dialect, chance))
        kept = min(most // len(DIALECTS), len(made))
        found.update(dict.fromkeys(chance.sample(list(made), kept)))
    return list(found)


def _of(dialect: str, chance: random.Random) -> Iterator[Raw]:
    quotes = QUOTES.get(dialect, _USUAL_QUOTES)
    texts = [*_FITTING, *("".join(each) for each in product(_BEFORE, _MIDDLE, _AFTER)), "{t}"]
    for form, quote in product(_forms(), quotes):
        for text in chance.sample(texts, 40):
            yield Raw(dialect, _filled(form, text, quote))
    for function, arity, quote in product(sorted(allowed_functions(dialect)), (1, 2, 3), quotes):
        for place in range(arity):
            for text in chance.sample(texts, 4):
                arguments = list(_ARGUMENTS[:arity])
                arguments[place] = _quoted(text, quote)
                yield Raw(dialect, f"SELECT {function}({', '.join(arguments)}) AS v FROM invoice")


def _filled(form: str, text: str, quote: str) -> str:
    return form.replace("{q}", _quoted(text, quote)).replace("{{", "{").replace("}}", "}")


def _quoted(text: str, quote: str) -> str:
    return quote + text.replace("{s}", _STOLEN).replace(quote, quote * 2) + quote


def _forms() -> list[str]:
    lines = FORMS.read_text("utf-8").splitlines()
    return [line.partition(" | ")[2] for line in lines if " | " in line and line[0] != "#"]
