"""The codes that a question names: account 1020, accounts 6000 to 6999, class 4, INV-2024-017."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from veridical.answering.coverage.span import LAST, Span
from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.ontology.model import CanonicalQueryPattern, OntologyDescriptor, Slot, SlotKind
from veridical.ontology.terms import HAN, fold, stem
from veridical.route.slots import HAN_AFTER, HAN_BEFORE
from veridical.word_file import word_file

IDENTIFIER = late_pattern(r"(?<![\w-])(?!(?:fy|cy|q|h|kw)-?\d)[a-z]{1,8}[-_/]?\d[\w/-]*\d", re.I)
_FEWEST_DIGITS = 3
_WORDS = word_file("veridical.answering.coverage")["codes"]
_JOINT, _UP_TO, _NUMBERED = (_WORDS[name] for name in ("joint", "up_to", "numbered"))
_YEAR = late_pattern(r"(?:19|20)\d\d")
"""After another code this may be a code or a year: "account 2000, 2024"."""
_QUOTED_COLUMN = r'"(\w+)"\s*(?:=|LIKE)\s*\'?\{%s\}(%%)?'


@dataclass(frozen=True, slots=True)
class CodeMention:
    """A code, the column with such codes, and the values that it stands for."""

    words: str
    column: str
    span: Span
    is_exact: bool = True
    """False for one of several, and for a class of codes."""


@dataclass(frozen=True, slots=True)
class CodeReader:
    """Finds the codes of one column in one language."""

    column: str
    is_prefix: bool
    expression: re.Pattern[str]
    single: re.Pattern[str]
    cues: frozenset[str]
    """The words that announce a code, folded; none where the expression has them."""

    def find(self, text: str) -> Iterator[tuple[int, int, tuple[CodeMention, ...]]]:
        """The places where a lower-case text names codes, with the codes."""
        for match in self.expression.finditer(text):
            cue = match.groupdict().get("cue")
            if cue is not None and not self._announces(cue):
                continue
            listed = match["codes"] or match.groupdict().get("codes2") or ""
            ranged = re.search(rf"\d{_UP_TO}\d", listed) is not None
            first, *others = (each[0] for each in self.single.finditer(listed))
            sure = [first, *(each for each in others if not _YEAR.fullmatch(each))]
            codes = tuple(self._code(each, ranged or bool(others)) for each in sure)
            yield match.start(), match.end(), codes

    def _announces(self, word: str) -> bool:
        """True for a cue in any of its forms, and for a compound that ends in one."""
        folded = fold(word)
        return stem(folded) in {stem(cue) for cue in self.cues} or folded.endswith(tuple(self.cues))

    def _code(self, code: str, among_others: bool) -> CodeMention:
        span = Span(code, code + LAST if self.is_prefix else code)
        return CodeMention(
            code, self.column, span, is_exact=not among_others and not self.is_prefix
        )


def code_readers(ontology: OntologyDescriptor, language: Language) -> tuple[CodeReader, ...]:
    """One reader for each slot whose column its pattern's call names."""
    found: dict[str, CodeReader] = {}
    for pattern in ontology.canonical_patterns:
        for slot in pattern.slots:
            if slot.kind is SlotKind.CODE and slot.cues.get(language) and slot.name not in found:
                place = _place(slot, pattern)
                if place is not None:
                    found[slot.name] = _reader(slot, language, *place)
    return tuple(found.values())


def identifiers(text: str) -> tuple[str, ...]:
    """Numbers of invoices and documents: letters and digits in one word."""
    return tuple(
        each[0]
        for each in IDENTIFIER.finditer(text)
        if sum(sign.isdigit() for sign in each[0]) >= _FEWEST_DIGITS
    )


def _reader(slot: Slot, language: Language, column: str, is_prefix: bool) -> CodeReader:
    code = slot.format
    chain = rf"{code}(?:(?:{_JOINT}|{_UP_TO}){code}(?!\d))*"
    single = re.compile(rf"(?<!\d){code}(?!\d)")
    if language is Language.ZH:
        cue = "|".join(sorted(map(re.escape, slot.cues[language]), key=len, reverse=True))
        expression = re.compile(
            rf"(?:{cue})\s*(?P<codes>{chain})(?!\d|[.,]\d)"
            rf"|{HAN_BEFORE}?(?<!\d)(?P<codes2>{code})\s*{HAN_AFTER}?(?:{cue})"
        )
        return CodeReader(column, is_prefix, expression, single, frozenset())
    words = frozenset(fold(cue.split()[-1]) for cue in slot.cues[language])
    expression = re.compile(
        rf"(?P<cue>[^\W\d_{HAN}]+){_NUMBERED}\s*(?P<codes>{chain})(?!\w|[.,'’]\d)"
    )
    return CodeReader(column, is_prefix, expression, single, words)


def _place(slot: Slot, pattern: CanonicalQueryPattern) -> tuple[str, bool] | None:
    """The column that the pattern's call compares with the slot, and whether by its beginning."""
    call = pattern.pattern
    filters: list[Mapping[str, object]] = call.get("filters") or []
    for each in filters:
        value = each.get("value")
        if isinstance(value, str) and value.startswith(f"{{{slot.name}}}"):
            return str(each["field"]), value.endswith("%")
    found = re.search(_QUOTED_COLUMN % slot.name, str(call.get("sql", "")))
    return (found[1], found[2] is not None) if found else None
