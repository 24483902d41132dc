"""An expression in words, as the reader of a proof gets it."""

import tomllib
from functools import cache
from importlib.resources import files

from veridical.contracts.language import Language
from veridical.gate.kernel import expression as ex

_LONGEST = 400
_DEEPEST = 12


def spoken(expression: ex.Expression, language: Language) -> str:
    """The expression as a phrase; long ones are cut."""
    text = _say(expression, _phrases(language), 0)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _say(node: object, phrases: dict[str, str], depth: int) -> str:
    if depth > _DEEPEST:
        return "…"
    if isinstance(node, tuple):
        return ", ".join(_say(each, phrases, depth + 1) for each in node)
    fields = getattr(node, "__dataclass_fields__", None)
    if fields is None:
        return phrases.get(str(node), f"{node:g}" if isinstance(node, float) else str(node))
    key = type(node).__name__.lower()
    parts = {name: _say(getattr(node, name), phrases, depth + 1)[:_LONGEST] for name in fields}
    pattern = phrases.get(f"{key}_{_variant(node)}") or phrases[key]
    return pattern.format(**parts)


def _variant(node: object) -> str:
    match node:
        case ex.Ranked(_, first, last):
            side = "high" if first > 0 else "low"
            if first == last:
                return side if abs(first) == 1 else f"{side}_nth"
            return f"{side}_several"
        case ex.Quantified(_, _, condition):
            return "plain" if condition is None else "with"
        case ex.Sorted(_, descending):
            return "down" if descending else "up"
        case ex.Blank(_, _, is_blank):
            return "empty" if is_blank else "filled"
        case _:
            return ""


@cache
def _phrases(language: Language) -> dict[str, str]:
    text = files("veridical.gate.references").joinpath("spoken.toml").read_text("utf-8")
    return {key: texts[language.value] for key, texts in tomllib.loads(text).items()}
