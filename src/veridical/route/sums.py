"""Plain arithmetic as people write it: "what is 15 % of 80", "12 mal 7", "3加5等于多少".

Only a request that is arithmetic from end to end is read. Whatever may be a date, a range of
accounts, or a number with two readings is left alone.
"""

import re

from veridical.arithmetic import ArithmeticRefusedError, Calculation, compute
from veridical.contracts.language import Language
from veridical.ontology.terms import fold
from veridical.route.said import Said

_LONGEST = 160
_START = re.compile(
    r"^(?:(?:hi|hello|hey|hallo|ok|okay|so|and|please|bitte|请问|请|你好)[\s,!:，]*)*"
    r"(?:(?:can|could|would|will) you (?:please )?(?:tell me\b|calculate\b|compute\b|solve\b|work out\b|do\b)?"
    r"|i (?:need|want|would like|d like) (?:you )?to (?:know|calculate|compute)\b|tell me\b|do you know\b"
    r"|kannst du (?:mir )?(?:bitte )?(?:sagen|ausrechnen)\b|sag mir\b|帮我|给我|告诉我)?[\s,:，]*"
    r"(?P<asked>what do (?:you|i) get (?:if|when) (?:you|i)\b|(?:what|how much) (?:is|are|does|do|would be)\b"
    r"|provide\b|give me\b|what'?s\b|how much'?s\b|what\b|how much\b|calculate\b|compute\b|evaluate\b|solve\b"
    r"|was (?:ist|sind|ergibt|gibt|macht)\b|wie ?viel (?:ist|sind|ergibt|gibt|macht)\b"
    r"|(?:be)?rechne(?: mir)?(?: aus)?\b|计算一下|计算|算一下|算算|算|求)?"
    r"[\s:：]*(?:the (?:answer to|result of|value of)\s)?(?P<listed>(?:the )?sum of\s|add(?: up)?\s|die summe von\s|addiere\s)?"
)
_END = re.compile(
    r"(?:\s*(?:[=?？!。.,]+|\bequals?(?: to)?\b|\bplease\b|\bbitte\b|\bfor me\b|\bis\b|\bmake\b|\baus\b"
    r"|等于多少|等于几|是多少|得多少|得几|等于|多少))+\s*$"
)
_SEPARATOR = re.compile(r",\s+(?:(?:and|und)\s)?|\s(?:and|und|to|zu|with|mit)\s")
_DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}")
_RANGE = re.compile(r"^\s*(?:\d+[-–]\d+|\d{3,}\s*[-–/]\s*\d{3,})\s*$")
_LONG_RANGE = re.compile(r"^\s*\d{3,}[-–]\d{3,}\s*$")
_FRACTION = re.compile(r"^\s*\d+/\d+\s*$")
_UNITS = re.compile(
    r"[$€£¥]|\b(?:dollars?|bucks?|euros?|pounds?|francs?|franken|chf|usd|eur|gbp)\b|元|美元|欧元|法郎"
)
_WRITTEN = re.compile(r"(?<![\d.,'’])\d[\d.,'’]*\d|(?<![\d.,'’])\d")
_MARK = re.compile(r"[-+*/^]|sqrt")
_ALLOWED = re.compile(r"(?:[\d.\s()+*/^%-]|sqrt)+")

_NUMBER = r"(\(?[\d.]+%?\)?)"
_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "a hundred": 100, "one hundred": 100, "a thousand": 1000, "a million": 1000000,
    "null": 0, "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7,
    "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "zwanzig": 20, "dreissig": 30,
    "vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70, "achtzig": 80, "neunzig": 90,
    "hundert": 100, "tausend": 1000,
}  # fmt: skip
_NUMBER_WORD = re.compile(
    r"\b(?:"
    + "|".join(sorted(_WORDS, key=len, reverse=True))
    + r")\b(?!\s*(?:hundred|thousand|million|\d))"
)
_SPOKEN_WORDS = frozenset(
    [
        "hi",
        "hello",
        "hey",
        "hallo",
        "ok",
        "okay",
        "so",
        "and",
        "please",
        "bitte",
        "can",
        "could",
        "would",
        "will",
        "you",
        "tell",
        "me",
        "calculate",
        "compute",
        "solve",
        "work",
        "out",
        "do",
        "i",
        "need",
        "want",
        "like",
        "to",
        "know",
        "kannst",
        "du",
        "mir",
        "sagen",
        "ausrechnen",
        "sag",
        "what",
        "how",
        "much",
        "is",
        "are",
        "does",
        "be",
        "get",
        "if",
        "when",
        "whats",
        "s",
        "provide",
        "give",
        "evaluate",
        "was",
        "ist",
        "sind",
        "ergibt",
        "gibt",
        "macht",
        "wie",
        "viel",
        "wieviel",
        "rechne",
        "berechne",
        "aus",
        "the",
        "answer",
        "result",
        "value",
        "of",
        "sum",
        "add",
        "up",
        "die",
        "summe",
        "von",
        "addiere",
        "equal",
        "equals",
        "for",
        "make",
        "dollar",
        "dollars",
        "buck",
        "bucks",
        "euro",
        "euros",
        "pound",
        "pounds",
        "franc",
        "francs",
        "franken",
        "chf",
        "usd",
        "eur",
        "gbp",
        "hundred",
        "thousand",
        "million",
        "a",
        "percent",
        "per",
        "cent",
        "prozent",
        "off",
        "square",
        "root",
        "quadratwurzel",
        "wurzel",
        "subtract",
        "take",
        "ziehe",
        "zieh",
        "away",
        "from",
        "ab",
        "und",
        "zu",
        "with",
        "mit",
        "multiply",
        "by",
        "times",
        "multipliziere",
        "divide",
        "dividiere",
        "teile",
        "durch",
        "many",
        "go",
        "into",
        "power",
        "hoch",
        "st",
        "nd",
        "rd",
        "th",
        "squared",
        "cubed",
        "half",
        "hälfte",
        "tip",
        "on",
        "plus",
        "minus",
        "less",
        "weniger",
        "multiplied",
        "mal",
        "multipliziert",
        "x",
        "divided",
        "over",
        "geteilt",
        "dividiert",
    ]
).union(*(word.split() for word in _WORDS))
_NUMBER_WORDS = frozenset(fold(word) for word in _WORDS if " " not in word) | {
    "hundred",
    "thousand",
}
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[a-zäöüß]+")
_SPOKEN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"\b(?:percent|per cent|prozent)\b|％", "%"),
        (r"百分之\s*([\d.]+)", r"\1%"),
        (r"(?<=\d)\s+%", "%"),
        (rf"{_NUMBER}(?<=%) off(?: of)? {_NUMBER}", r"(1-\1)*\2"),
        (
            rf"\b(?:the )?square root of {_NUMBER}|\b(?:die )?(?:quadrat)?wurzel (?:aus|von) {_NUMBER}",
            r"sqrt(\1\2)",
        ),
        (r"([\d.]+)\s*的平方根", r"sqrt(\1)"),
        (r"([\d.]+)\s*的平方", r"\1^2"),
        (
            rf"\b(?:subtract|take|ziehe?) {_NUMBER} (?:away )?(?:from|von) {_NUMBER}(?: ab)?",
            r"\2-\1",
        ),
        (
            rf"^\s*(?:multiply|multipliziere) {_NUMBER} (?:by|and|times|with|mit|und) {_NUMBER}",
            r"\1*\2",
        ),
        (rf"^\s*(?:divide|dividiere|teile) {_NUMBER} (?:by|durch) {_NUMBER}", r"\1/\2"),
        (rf"\bhow many times (?:can|does|do|will) {_NUMBER} go into {_NUMBER}", r"\2/\1"),
        (r"\bto the power (?:of )?|\bhoch\b|的(?=\d+次方)", "^"),
        (r"\bto the ([\d]+)(?:st|nd|rd|th) power\b", r"^\1"),
        (r"(?<=\d)次方", ""),
        (r"(?<=\d) squared\b", "^2"),
        (r"(?<=\d) cubed\b", "^3"),
        (r"\b(?:a )?half of |\bdie hälfte von ", "0.5*"),
        (r"(?<=%) (?:tip )?(?:of|on|von|aus) |(?<=\d/\d) (?:of|von) ", "*"),
        (rf"([\d.]+)\s*的\s*{_NUMBER}(?<=%)", r"\1*\2"),
        (r"\bplus\b|\bund\b(?=\s*\d)|加上?|＋", "+"),
        (r"\bminus\b|\bless\b|\bweniger\b|减去?", "-"),
        (r"\b(?:times|multiplied by|mal|multipliziert mit|x)\b|(?<=\d)x(?=\d)|乘以?|×", "*"),
        (r"\b(?:divided by|over|geteilt durch|dividiert durch|durch)\b|除以|÷", "/"),
    )
)


def may_be_sum(heard: Said) -> bool:
    """False for a request without any number: a cheap look before the closer one."""
    return _DIGIT.search(heard.request) is not None or not heard.held.isdisjoint(_NUMBER_WORDS)


def plain_sum(text: str, language: Language) -> tuple[str, Calculation] | None:
    """The expression that a request is, and its value; none when it is anything else."""
    if len(text) > _LONGEST:
        return None
    lowered = text.casefold().replace("’", "'")
    if not _SPOKEN_WORDS.issuperset(_LETTERS.findall(lowered)):
        return None
    start = _START.match(lowered)
    asked = bool(start and start["asked"])
    body = _END.sub("", lowered[start.end() :] if start else lowered)
    if start and start["listed"]:
        body = _SEPARATOR.sub(" + ", body)
    if any(sign.search(body) for sign in (_DATE, _FRACTION, _LONG_RANGE if asked else _RANGE)):
        return None
    units = {unit for unit in _UNITS.findall(body)}
    if len(units) > 1:
        return None
    expression = _expression(_UNITS.sub(" ", body) if units else body, language)
    if expression is None:
        return None
    try:
        return expression, compute(expression)
    except ArithmeticRefusedError:
        return None


def _expression(body: str, language: Language) -> str | None:
    readings = [_number(written, language) for written in _WRITTEN.findall(body)]
    if None in readings:
        return None
    numbers = iter(readings)
    said = _WRITTEN.sub(lambda _: next(numbers) or "", body)
    said = _NUMBER_WORD.sub(lambda found: str(_WORDS[found[0]]), said)
    for pattern, sign in _SPOKEN:
        said = pattern.sub(sign, said)
    said = said.strip()
    return said if _ALLOWED.fullmatch(said) and _MARK.search(said) else None


def _number(written: str, language: Language) -> str | None:
    """A number in plain digits; none where a reader in another country would read another."""
    plain = written.replace("'", "")
    if plain.isdigit():
        return plain.lstrip("0") or "0"
    signs = [sign for sign in plain if not sign.isdigit()]
    whole, _, last = plain.rpartition(signs[-1])
    thousands = signs[:-1] if len(set(signs)) > 1 else signs
    groups = re.split(r"[.,]", plain)
    if len(set(signs)) == 2 and signs.count(signs[-1]) == 1:
        grouped = re.split(r"[.,]", whole)
        well = all(len(group) == 3 for group in grouped[1:]) and thousands
        return "".join(grouped) + "." + last if well else None
    if len(signs) > 1:
        return "".join(groups) if all(len(group) == 3 for group in groups[1:]) else None
    return _one_sign(groups[0], groups[1], signs[0], language)


def _one_sign(whole: str, last: str, sign: str, language: Language) -> str | None:
    may_be_thousands = len(last) == 3 and whole.lstrip("0") != "" and len(whole) <= 3
    if may_be_thousands and language is Language.DE:
        return None
    if sign == "," and may_be_thousands:
        return whole + last
    return f"{whole}.{last}"
