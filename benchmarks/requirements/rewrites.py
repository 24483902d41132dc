"""Rewrites that invent nothing: ``python -m benchmarks.requirements.rewrites --json``.

Each requirement of ``--set`` (JSON lines with ``text``; by default the own ones that may be read)
is rewritten by template, by template with an answer to every question, and with a scripted model
that lies in each of its ways; with ``--model URL`` also with the model served there. Whether a
rewrite invents is judged on its text alone, by other means than those that the product uses:
nothing planted, no figure that nobody gave, none lost, no negation lost or added, and every role
and condition a stretch of the requirement or of an answer.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

from pydantic_ai.models import Model

from benchmarks.command import command, show
from benchmarks.data import read_lines
from benchmarks.requirements.adversary import LIES, PLANTED, lying
from veridical.agent.provider import open_model
from veridical.agent.settings import AgentSettings
from veridical.requirements.rewrite.model_request import proposed
from veridical.requirements.rewrite.proposal import Proposal
from veridical.requirements.rewrite.rewrite import Author, Rewrite, rewrite_requirement

_OWN = Path(__file__).with_name("own") / "read" / "requirements.jsonl"
_ANSWER = "the supervisor on shift 83 s"
_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)*")
_NEGATION = re.compile(r"\b(?:not|never|nicht|nie|kein\w*|cannot)\b", re.IGNORECASE)
_NOTE = re.compile(r"\s*(?:\[[^\[\]]*\]|\(" + re.escape(_ANSWER) + r"\))")
_ROLE = re.compile(r"^(?:As a|Als) (.+?)(?:,| \w+ ich\b)")
_CONDITIONS = (
    re.compile(
        r"^(?:Given|Angenommen, dass|Angenommen,) (.+?)(?:, (?:when|wenn) (.+?))?, (?:then|dann) "
    ),
    re.compile(r"^(?:When|Wenn) (.+?), (?:then|dann) "),
)  # fmt: skip
_SECONDS = 60.0


def judged(text: str, source: str, answers: Iterable[str]) -> list[str]:
    """What is wrong with a rewrite, read as a text; nothing where it says what was said."""
    given = " ".join((source, *answers))
    story, _, scenario = text.partition("\n")
    wrong = [f"planted {word}" for word in PLANTED if word in text.lower()]
    numbers = set(_NUMBER.findall(given))
    wrong += [f"figure {each}" for each in _NUMBER.findall(text) if each not in numbers]
    wrong += [f"lost {each}" for each in _NUMBER.findall(source) if each not in text]
    negations = [len(_NEGATION.findall(_NOTE.sub("", line))) for line in (story, scenario)]
    if max(negations) != len(_NEGATION.findall(source)):
        wrong.append("negation")
    found = _ROLE.match(story)
    bound = [found[1]] if found else []
    for pattern in _CONDITIONS:
        held = pattern.match(scenario)
        bound += [each for each in held.groups() if each] if held else []
    wrong += [f"not said: {each}" for each in bound if not _is_said(each, source, answers)]
    return wrong


def _is_said(part: str, source: str, answers: Iterable[str]) -> bool:
    plain = " ".join(_NOTE.sub("", part).split()).lower()
    return not plain or any(plain in " ".join(each.split()).lower() for each in (source, *answers))


class Tally:
    """What was rewritten, and what was wrong with it."""

    def __init__(self) -> None:
        self.sources: dict[str, Counter[str]] = {}
        self.examples: list[dict[str, Any]] = []

    def note(self, name: str, found: Rewrite, answers: Mapping[str, str]) -> None:
        """Counts one rewrite."""
        counts = self.sources.setdefault(name, Counter())
        wrong = judged(found.text, found.source.text, answers.values()) or list(found.invented)
        counts["rewrites"] += 1
        counts["invented"] += bool(wrong)
        counts["by_model"] += found.author is Author.MODEL
        counts["refused"] += bool(found.refused)
        if wrong:
            self.examples.append({"by": name, "wrong": wrong, "text": found.text})

    def figures(self) -> dict[str, Any]:
        """The counts, in all and by source."""
        return {
            "rewrites": sum(each["rewrites"] for each in self.sources.values()),
            "invented": sum(each["invented"] for each in self.sources.values()),
            "by_source": {name: dict(counts) for name, counts in self.sources.items()},
        }


async def measure(texts: list[str], model: Model | None = None) -> Tally:
    """All rewrites of these requirements."""
    tally = Tally()
    liars = {name: lying(lie) for name, lie in LIES.items()}
    for text in texts:
        asked = rewrite_requirement(text)
        tally.note("template", asked, {})
        answers = {each.key: _ANSWER for each in asked.questions}
        tally.note("template_answered", rewrite_requirement(text, answers), answers)
        for name, liar in liars.items():
            said = await proposed(text, liar, _SECONDS)
            found = rewrite_requirement(text, None, said if isinstance(said, Proposal) else None)
            tally.note(f"lie_{name}", found, {})
        if model is not None:
            said = await proposed(text, model, _SECONDS)
            found = rewrite_requirement(text, None, said if isinstance(said, Proposal) else None)
            tally.note("model", found, {})
            tally.sources["model"]["failed"] += not isinstance(said, Proposal) and said is not None
    return tally


async def _measured(texts: list[str], url: str, name: str, count: int) -> tuple[Tally, float]:
    if not url:
        return await measure(texts), 0.0
    settings = AgentSettings(model=f"openai-compatible:{name}", base_url=url, temperature=0)
    async with open_model(settings) as model:
        begun = perf_counter()
        spread = texts[:: max(1, len(texts) // count)][:count]  # of every domain
        return await measure(spread, model), perf_counter() - begun


def main() -> None:
    """Prints the figures."""
    parser = command(__doc__)
    parser.add_argument("--set", type=Path, nargs="*", default=[_OWN])
    parser.add_argument("--model", default="", help="address of a served model, as …/v1")
    parser.add_argument("--name", default="local", help="what the served model is called")
    parser.add_argument("--count", type=int, default=50, help="requirements for the served model")
    parser.add_argument("--misses", action="store_true", help="print what was invented")
    chosen = parser.parse_args()
    texts = [line["text"] for path in chosen.set for line in read_lines(path)]
    tally, seconds = asyncio.run(_measured(texts, chosen.model, chosen.name, chosen.count))
    found = tally.figures()
    if chosen.model:
        found |= {"model": chosen.name, "seconds": round(seconds, 1)}
    if chosen.misses:
        for each in tally.examples:
            print(json.dumps(each, ensure_ascii=False))
    show(found, chosen)


if __name__ == "__main__":
    main()
