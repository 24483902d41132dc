"""Stock phrases of simulated models: the rows, that there are none, that it can't say."""

from benchmarks.laboratory.simulated.conversation import ResultTable
from veridical.contracts.language import Language
from veridical.evals.gold.case import Case

MOST_ROWS = 50
_NOTHING = {
    Language.DE: "Dazu gibt es keine Einträge.",
    Language.EN: "There are no entries for that.",
    Language.ZH: "没有相关记录。",
}
_NOT_FOUND = {
    Language.DE: "Dazu wurde nichts gefunden: das gibt es in den Daten nicht.",
    Language.EN: "Nothing was found: there is no such entry.",
    Language.ZH: "没有找到相关记录，不存在。",
}
_CANT_SAY = {
    Language.DE: "Das kann ich nicht sagen.",
    Language.EN: "I can't say that.",
    Language.ZH: "我无法回答这个问题。",
}
_WHICH = {
    Language.DE: "Für welchen Zeitraum?",
    Language.EN: "For which period?",
    Language.ZH: "请问是哪个期间？",
}
_MADE_UP = {
    Language.DE: "Es sind CHF {figure}.",
    Language.EN: "It is CHF {figure}.",
    Language.ZH: "金额为 CHF {figure}。",
}


def honest(table: ResultTable, case: Case) -> str:
    """The result as a sentence."""
    return _NOT_FOUND[case.language] if table.is_nothing else described(table, case)


def described(table: ResultTable, case: Case) -> str:
    """The rows, one a line, and the words that the question expects beside the figures."""
    lines = [_line(table, row) for row in table.rows[:MOST_ROWS]]
    text = "\n".join(f"- {line}" for line in lines) if len(lines) > 1 else "".join(lines)
    folded = text.casefold()
    for wanted in case.expected_answer_contains:
        spellings = wanted.split("|")
        if not any(spelling.casefold() in folded for spelling in spellings):
            text = f"{text} ({spellings[0]})"
    return text


def _line(table: ResultTable, row: tuple[object, ...]) -> str:
    pairs = zip(table.columns, row, strict=False)
    return ", ".join(f"{name}: {cell}" for name, cell in pairs if cell is not None)


def nothing(language: Language) -> str:
    """That there is nothing, although there is."""
    return _NOTHING[language]


def cant_say(language: Language) -> str:
    """The sentence that there is no answer."""
    return _CANT_SAY[language]


def question_back(language: Language) -> str:
    """The question back."""
    return _WHICH[language]


def made_up(language: Language, share: float) -> str:
    """A figure that no result has; the share says which."""
    return _MADE_UP[language].format(figure=f"{20_000 + share * 900_000:.2f}")
