"""Made-up values as expressions, compiled when the first answer is looked at."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class MadeUp:
    """What made-up values look like."""

    series: re.Pattern[str]
    """``User 1``, ``Kunde A``, ``用户1``: made up where several run on in order."""
    numbered: re.Pattern[str]
    """``用户ID: 1``, ``Kunden-Nr.: 2``: a label before a running number."""
    stock: re.Pattern[str]
    cast: re.Pattern[str]
    stand_in: re.Pattern[str]


@cache
def made_up() -> MadeUp:
    """The expressions that every answer is searched for."""
    told = tomllib.loads(files(__package__ or "").joinpath("placeholders.toml").read_text("utf-8"))
    kinds, han_kinds = (_any(told[name].split()) for name in ("kinds", "han_kinds"))
    end = r"(?![\w'’]|[.,]\d)"
    running = rf"(?P<mark>0{{0,3}}[1-9]\d?|[A-E]){end}"
    han_end = r"(?![A-Za-z\d'’]|[.,]\d)"
    han_running = rf"(?P<han_mark>[1-9]\d?|[A-E]|[甲乙丙丁一二三四五]){han_end}"
    label = r"(?:ids?|no\.?|nr\.?|nummer|number)\s?[:：#=]\s?"
    han_label = r"\s?(?:ID|编号|号码|序号)\s?[:：#=]\s?"
    first = r"0{0,3}[1-9]"
    return MadeUp(
        series=_compiled(
            rf"(?<![^\W\d_])(?P<kind>{kinds})[ _#-]{{0,2}}{running}"
            rf"|(?P<han>{han_kinds})\s?{han_running}"
        ),
        numbered=_compiled(
            rf"(?<![^\W\d_])(?:{kinds}|kunden|benutzer)[ _-]?{label}(?P<mark>{first}){end}"
            rf"|(?:{han_kinds}){han_label}(?P<han_mark>{first}){han_end}"
        ),
        stock=_listed(told, "stock"),
        cast=_listed(told, "cast"),
        stand_in=_compiled(
            rf"[\[<{{](?:(?:your|insert|enter|ihr|hier)\s)?{_any(told['stand_ins'].split())}"
            r"(?:\s\w{1,12})?[\]>}](?!\()|\bX{3,}\b|(?<![\w.])\$?X{2,}[.,']X{2,}\b"
        ),
    )


def _listed(told: dict[str, Any], name: str) -> re.Pattern[str]:
    return _compiled(rf"(?<!\w){_any(told[name])}(?!\w)|{_any(told[f'han_{name}'])}")


def _any(expressions: list[str]) -> str:
    return f"(?:{'|'.join(expressions)})"


def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)
