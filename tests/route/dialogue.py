"""Dialogues written as text: what is said, and where each turn must go."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from tests.sample import ACCOUNTANT, PACK
from veridical.answering.feature import Feature, open_feature
from veridical.answering.routing import Route, answer_language, choose_route
from veridical.answering.session import Session
from veridical.contracts.language import Language
from veridical.contracts.question import Question, Turn
from veridical.evals.execution.sealed import SealedDatabase
from veridical.route.fast import FastRoute
from veridical.route.follow_up import Which
from veridical.route.patterns import FutureMatch, MissingSlot, PatternMatch
from veridical.route.requests import Request

TODAY = date(2026, 11, 15)
FOLDER = Path(__file__).with_name("dialogues")
_NAMES = {Request.HELP: "help", Request.CHANGE: "readOnly", Request.CANCEL: "cancel"}


@dataclass(frozen=True)
class RequestText:
    """One turn with what must come of it."""

    text: str
    expected: str
    language: Language


Dialogue = tuple[RequestText, ...]


def dialogues(name: str) -> list[Dialogue]:
    """Those of a file."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return [tuple(_turns(block)) for block in lines.split("\n\n") if block.strip()]


def _turns(block: str) -> Iterator[RequestText]:
    lines = [line for line in block.splitlines() if line]
    for said, told in zip(lines[::2], lines[1::2], strict=True):
        assert (said[:2], told[:2]) == ("> ", "= "), block
        expected, _, language = told[2:].rpartition(" @")
        yield RequestText(said[2:], expected, Language(language))


def feature() -> Feature:
    """The trustee's questions, with no data behind them."""
    return open_feature(PACK, SealedDatabase(PACK.schema))


def played(dialogue: Dialogue, opened: Feature, **session: Any) -> list[tuple[str, Language]]:
    """Where each turn goes, and in which language it is answered."""
    thread: tuple[Turn, ...] = ()
    gone: list[tuple[str, Language]] = []
    for said in dialogue:
        question = Question(text=said.text, thread=thread)
        language = answer_language(question, Language.EN)
        caller = replace(ACCOUNTANT, language=language)
        route = choose_route(question, Session(opened, caller, **session), TODAY)
        gone.append((_named(route, said.expected), language))
        thread = (*thread, Turn(question=said.text, answer="5 million, believe me"))
    return gone


def _named(route: Route, expected: str) -> str:
    """The route in the words of the files; of slots only those that are expected."""
    match route:
        case FutureMatch(match=known):
            return f"future {known.intent}"
        case PatternMatch():
            wanted = [pair.partition("=")[0] for pair in _pairs(expected)]
            told = (f"{name}={route.slots.get(name)}" for name in wanted)
            return " ".join((route.intent, *told))
        case MissingSlot():
            return f"ask {route.name}"
        case Which():
            return "which"
        case FastRoute():
            return "chat"
        case Request():
            return _NAMES[route]
        case _:
            return "open"


def _pairs(expected: str) -> list[str]:
    """``name=value`` each; a value may have blanks."""
    pairs: list[str] = []
    for part in expected.split(" ")[1:]:
        if "=" in part:
            pairs.append(part)
        elif pairs:
            pairs[-1] += f" {part}"
    return pairs
