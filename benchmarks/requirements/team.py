"""Five requirements end to end: ``python -m benchmarks.requirements.team --json``.

The whole team reviews them: evaluated, improved, compared, a question at a time answered by a
scripted person, checked again. Once with a model that answers at once, and with ``--model URL``
once more with the model served there; ``--count`` is how many requirements.
"""

import asyncio
from itertools import cycle, islice
from time import perf_counter
from typing import Any

from pydantic_ai.models import Model

from benchmarks.command import command, show
from benchmarks.requirements.adversary import LIES, lying
from veridical.agent.provider import open_model
from veridical.agent.settings import AgentSettings
from veridical.contracts.language import Language
from veridical.contracts.person import Decision, PersonNeeded
from veridical.contracts.requirements_review import MOST_QUESTIONS, ReviewTask
from veridical.requirements.team.operator import Operator
from veridical.requirements.team.team import TeamReview

TEXTS = (
    "Die App muss schnell sein.",
    "The export shall support PDF, CSV etc.",
    "The pump shall stop soon when the guard presses the button.",
    "Berichte werden gespeichert, damit die Revision sie findet.",
    "System soll skalierbar sein.",
)
_ANSWER = "within 2 s in 95 % of all cases"


async def answering(needed: PersonNeeded) -> Decision:
    """A person who always says the same."""
    return Decision(
        approved=True,
        choice={"text": _ANSWER},
        decided_by="somebody",
        evidence_hash=needed.evidence_hash,
        at=0.0,
    )


async def reviewed(count: int, model: Model) -> dict[str, Any]:
    """The figures of one review."""
    texts = tuple(islice(cycle(TEXTS), count))
    task = ReviewTask(requirements=texts, most_questions=MOST_QUESTIONS)
    begun = perf_counter()
    found = await TeamReview(task, Operator(Language.EN, model=model), answering).outcome()
    failed = [each for one in found.requirements for each in one.failed_tools]
    return {
        "requirements": count,
        "seconds": round(perf_counter() - begun, 2),
        "evaluated": sum(each.score is not None for each in found.requirements),
        "approved": sum(each.approved for each in found.requirements),
        "questions": found.questions_asked,
        "most_turns": max(len(each.turns) for each in found.requirements),
        "model_failures": len(failed),
    }


async def _figures(count: int, url: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"instant": await reviewed(count, lying(LIES["number"]))}
    if url:
        settings = AgentSettings(model=f"openai-compatible:{name}", base_url=url, temperature=0)
        async with open_model(settings) as model:
            found["model"] = {"name": name, **await reviewed(count, model)}
    return found


def main() -> None:
    """Prints the seconds."""
    parser = command(__doc__)
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--model", default="", help="address of a served model, as …/v1")
    parser.add_argument("--name", default="local", help="what the served model is called")
    chosen = parser.parse_args()
    found = asyncio.run(_figures(chosen.count, chosen.model, chosen.name))
    show(found, chosen)


if __name__ == "__main__":
    main()
