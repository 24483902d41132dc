"""Requests to a model for the rules of a page, a sentence at a time, each with its columns only."""

import time
from collections.abc import Callable, Iterable

from pydantic_ai.models import Model

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.onboarding.model_json import Ask, filled_form
from veridical.onboarding.page import PageRule, Places, Stated, places_in, proposal_of, sentences
from veridical.onboarding.profile import TableProfile
from veridical.onboarding.proposal import Proposal

TOOL = "pageRule"
_MOST_TOKENS = 200
_MOST_VALUES = 12


async def ask_about_page(
    text: str,
    tables: Iterable[TableProfile],
    model: Model,
    seconds: float,
    progress: Callable[[int, int], None],
) -> list[Proposal]:
    """The rules that a page states of these tables, as long as there is time. Sentences that name
    no column and no value are not sent. Never raises for errors of a model."""
    known = list(tables)
    read = [(each, places_in(each, known)) for each in sentences(text)]
    wanted = [(sentence, places) for sentence, places in read if places]
    found: dict[str, Proposal] = {}
    until = time.monotonic() + seconds
    for number, (sentence, places) in enumerate(wanted, 1):
        left = until - time.monotonic()
        if left <= 0:
            break
        stated = await filled_form(_ask(places), Stated, _request(sentence, places), model, left)
        made = proposal_of(stated, sentence, places) if stated else None
        if made is not None:
            found.setdefault(made.id, made)
        progress(number, len(wanted))
    return list(found.values())


def _ask(places: Places) -> Ask:
    schema = {
        "type": "object",
        "properties": {
            "rule": {"type": "string", "enum": [each.value for each in PageRule]},
            "column": {"type": "string", "enum": ["", *places]},
            "values": {"type": "array", "items": {"type": "string"}, "maxItems": _MOST_VALUES},
        },
        "required": ["rule", "column", "values"],
        "additionalProperties": False,
    }
    description = message("onboarding.page_tool", Language.EN)
    instructions = message("onboarding.page_instructions", Language.EN)
    return Ask(TOOL, description, instructions, schema, _MOST_TOKENS)


def _request(sentence: str, places: Places) -> str:
    columns = "\n".join(
        f"{name}: {', '.join(str(value) for value, _ in column.values[:_MOST_VALUES])}"
        for name, (_, column) in places.items()
    )
    return message("onboarding.page_request", Language.EN, sentence=sentence, columns=columns)
