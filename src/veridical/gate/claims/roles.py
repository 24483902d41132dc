"""What a claim does in the answer: state, rank, mark an item, head a part, repeat, compute."""

import re

from veridical.contracts.input_budget import keep_time
from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Role
from veridical.gate.claims.draft import Draft
from veridical.gate.layout import is_heading
from veridical.late_pattern import late_pattern
from veridical.reading.listed import listed

_LINE_STARTS = " \t*_#>-•(（"
_ORDINAL_LEADS = listed("der die das dem den des am zum im vom ihr sein unser jeder jede jedes")
_STRUCTURE = listed(
    "note item page seite section abschnitt chapter kapitel figure fig. abb. abbildung table "
    "tabelle step schritt footnote fussnote fußnote appendix anhang part teil exhibit option "
    "ziffer ziff. punkt question frage"
)
_DISCOURSE = listed(
    "reasons steps ways points options factors examples things aspects questions parts sections "
    "topics Gründe Gründen Schritte Schritten Punkte Punkten Möglichkeiten Optionen "
    "Faktoren Beispiele Dinge Aspekte Fragen Teile Varianten Arten"
)
_HAN_DISCOURSE = late_pattern("[个项种点条]?(?:原因|步骤|方面|因素|要点|问题|选项|方式|例子|部分)")
_STATED = Role.STATED
_BARE = (ClaimKind.NUMBER, ClaimKind.COUNT)
_HEADED = (ClaimKind.NUMBER, ClaimKind.PERIOD, ClaimKind.DATE)
_DIGITS = frozenset("0123456789")
_LONGEST_LIST = 100
_CONSTANTS = frozenset(
    (*range(2, 13), 24, 30, 52, 60, 90, 100, 360, 365, 366, 1000, 10_000, 1_000_000)
)
_CONSTANT_UNITS = listed(
    "% months month Monate Monaten Monat 月 个月 days Tage Tagen 天 weeks Wochen 周 quarters "
    "Quartale hours Stunden 小时"
) | {""}
_COMPUTED = late_pattern(
    r"(?:(?:[=≈)\]\d%]\s?|\s)[/÷×*x·]|divided by|multiplied by|times|geteilt durch|dividiert durch"
    r"|multipliziert mit|\bmal|除以|乘以)\s?$",
    re.IGNORECASE,
)
_EQUATION_HINTS = (
    "=", "≈", "÷", "×", " / ", "ivided by", "ultipl", "eteilt durch", "除以", "乘以", "verage",
    "mean", "urchschnitt",
)  # fmt: skip
_FRACTION = late_pattern("分之一(?=[即为是约：，])")
_PARTS = frozenset({2.0, 3.0, 4.0, 6.0, 12.0, 52.0, 365.0})
"""The twelfth of a year's figure is computed with, not stated."""
_ONE_LESS = late_pattern(r"\s?[-–−+/]\s?[(\[$A-Za-z0-9]")
_LESS_ONE = late_pattern(r"[)\]]\s?[-–−+]\s?$")
_CLOSINGS = frozenset(".):]）、．")
_HAN_CLOSINGS = frozenset("）、．")
_LONGEST_LEAD, _LONGEST_HEADING, _NEAR = 80, 1_000, 5_000
"""How far is looked for what marks, heads, or is numbered alike."""
_BLANKS = frozenset((" ", "", "\t", "*", "\n"))
_ITEM_FOLLOWS = late_pattern(r" (?!and |und |or |oder )\w")
_THEN_TIMES = late_pattern(r"\s?[%％]?\s?[×*]\s?[(\[$0-9A-Za-z]")


def give_roles(text: str, drafts: list[Draft]) -> None:
    """Tell what marks, ranks, heads or computes from what is stated."""
    lines = "\n" in text or text[:1] in ("#", "*")
    signs = "#" in text or "*" in text or "_" in text
    equation = any(hint in text for hint in _EQUATION_HINTS)
    for draft in drafts:
        keep_time()
        kind = draft.kind
        if draft.role is not _STATED:
            continue
        if _FRACTION.match(text, draft.end) and draft.digits[0][0] in _PARTS:
            draft.role = Role.OPERAND
            continue
        if kind is ClaimKind.IDENTIFIER and _ranks_line(text, draft):
            draft.role = Role.MARKER
        elif kind in _BARE:
            if draft.counted and _speaks_of_itself(draft.counted):
                draft.role = Role.MARKER
            else:
                _mark_or_rank(text, draft)
        if lines and kind in _HEADED and draft.role is _STATED:
            _head(text, draft, signs)
        if equation and draft.digits and draft.role is _STATED:
            _compute(text, draft)


def _ranks_line(text: str, draft: Draft) -> bool:
    """True for "#2" at the head of a line."""
    start, end = draft.start, draft.end
    number = text[start:end].lstrip("#")
    marked = "#" in text[max(0, start - 1) : end]
    return marked and len(number) < 3 and number.isdigit() and _opens_line(text, start)


def _speaks_of_itself(counted: str) -> bool:
    """True for what the answer itself has: two reasons, drei Schritte."""
    return counted in _DISCOURSE or _HAN_DISCOURSE.match(counted) is not None


def _mark_or_rank(text: str, draft: Draft) -> None:
    value, half = draft.digits[0]
    if value >= _LONGEST_LIST or half != 0.5:
        return
    start, end = draft.start, draft.end
    closing = text[end : end + 1]
    if closing in _CLOSINGS:
        _marked(text, draft, closing, text[end + 1 : end + 2])
    elif text[start - 1 : start] == " " and (_numbered(text, draft) or _numbers_row(text, draft)):
        draft.role = Role.MARKER


def _marked(text: str, draft: Draft, closing: str, follows: str) -> None:
    """A number before a point or a bracket: does it mark an item, rank, or end a sentence?"""
    start, end = draft.start, draft.end
    left = text[start - 1 : start]
    if closing == "]":
        if left in ("[", "^"):
            draft.role = Role.MARKER
    elif closing in _HAN_CLOSINGS:
        if _opens_line(text, start) and not follows.isdigit():
            draft.role = Role.MARKER
    elif follows in _BLANKS:
        if _opens_line(text, start):
            draft.role = Role.MARKER
        elif closing == ")" and left == "(":
            if _opens_item(text, draft.digits[0][0], start - 1, end + 1):
                draft.role, draft.bracket = Role.MARKER, False
        else:
            word = _word_before(text, start)
            if closing == "." and follows == " " and word in _ORDINAL_LEADS:
                draft.role = Role.ORDINAL
            elif _numbered(text, draft):
                draft.role = Role.MARKER
    elif _numbered(text, draft):
        draft.role = Role.MARKER


def _numbered(text: str, draft: Draft) -> bool:
    """True for a part of a text (page 5), and where a noun is numbered: reason 1 and reason 2."""
    word = _word_before(text, draft.start)
    if word in _STRUCTURE:
        return True
    if not word.isalpha():
        return False
    begin = draft.start - len(word) - 1
    value, noun = draft.digits[0][0], text[begin : draft.start]
    if not noun[:1].isupper():
        return False
    around = text[max(0, begin - _NEAR) : begin + _NEAR]
    return f"{noun}{value + 1:.0f}" in around or (value > 1 and f"{noun}{value - 1:.0f}" in around)


def _opens_line(text: str, start: int) -> bool:
    line = text.rfind("\n", max(0, start - _LONGEST_LEAD), start) + 1
    return (line > 0 or start < _LONGEST_LEAD) and not text[line:start].strip(_LINE_STARTS)


def _opens_item(text: str, value: float, opened: int, closed: int) -> bool:
    """True for "(1) this, (2) that": the bracket stands before its item, not after it."""
    if _ITEM_FOLLOWS.match(text, closed) is None:
        return False
    lead = text[max(0, opened - _LONGEST_LEAD) : opened].rstrip()
    if not lead or lead[-1] in ",;:.。，；：" or lead.endswith((" and", " und", " or")):
        return True
    around = text[max(0, opened - _NEAR) : opened + _NEAR]
    return f"({value + 1:.0f}) " in around or f"({value - 1:.0f}) " in around


def _numbers_row(text: str, draft: Draft) -> bool:
    """True for a table's first cell that only counts the rows."""
    line = text.rfind("\n", max(0, draft.start - _LONGEST_LEAD), draft.start) + 1
    behind = text[draft.end : draft.end + _LONGEST_LEAD].lstrip(" ")
    if text[line : draft.start].strip() != "|" or behind[:1] != "|":
        return False
    wanted, rows = draft.digits[0][0] + 1, 0  # below the head and its rule
    while line and rows <= wanted:
        above = text.rfind("\n", 0, line - 1) + 1
        if not text[above:line].lstrip().startswith("|"):
            break
        line, rows = above, rows + 1
    return rows == wanted


def _word_before(text: str, start: int) -> str:
    words = text[max(0, start - 12) : start].split()
    return words[-1].lower() if words else ""


def _head(text: str, draft: Draft, signs: bool) -> None:
    """In a heading a year or a bare number heads what follows; an amount is stated all the same."""
    if not signs and text[draft.end - 1] in _DIGITS:
        return  # without a sign only lines that have no digit are headings
    start = text.rfind("\n", max(0, draft.start - _LONGEST_HEADING), draft.start) + 1
    end = text.find("\n", draft.start, start + _LONGEST_HEADING)
    if end < 0 and len(text) > start + _LONGEST_HEADING:
        return
    line = text[start : end if end >= 0 else len(text)]
    if line.strip() and is_heading(line) and (not draft.digits or draft.digits[0][1] == 0.5):
        draft.role = Role.HEADING


_PRICED = late_pattern(r"\s?(?:[=≈]|entspricht|equals|is worth|折合|等于)")


def _compute(text: str, draft: Draft) -> None:
    value = draft.digits[0][0]
    if value == 1.0 and draft.unit and _PRICED.match(text, draft.end):
        draft.role = Role.OPERAND  # 1 EUR = 0.95 CHF
        return
    if draft.unit not in _CONSTANT_UNITS or (value not in _CONSTANTS and value != 1.0):
        return
    lead = text[max(0, draft.start - 20) : draft.start]
    if value == 1.0:
        one = _LESS_ONE.search(lead) or _ONE_LESS.match(text, draft.end)
        draft.role = Role.OPERAND if one and not draft.unit else draft.role
    elif _COMPUTED.search(lead) or _THEN_TIMES.match(text, draft.end):
        draft.role = Role.OPERAND
