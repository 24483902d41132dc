"""Asks about the sample books of the Trustee pack: a question, a follow-up, what needs a model.

The sample books are in a local PostgreSQL that is started for them. With data of your own, name it
in ``veridical.toml`` and write ``veridical.open("veridical.toml", caller=…)``.
"""

import asyncio

import veridical
from veridical.client import Gated, ToolCalled


def show(event: object) -> None:
    """What happens on the way to an answer."""
    if isinstance(event, ToolCalled):
        print(f"  … {event.tool}")
    elif isinstance(event, Gated):
        print(f"  … gate: {event.verdict}")


async def main() -> None:
    """Opens the data once, then asks."""
    async with veridical.open(pack="trustee", database="sample") as client:
        talk = client.conversation()
        for question in (
            "What was the balance of account 1020 at the end of 2024?",
            "and 2023?",
            "Why did it change?",
        ):
            print(question)
            answer = await talk.ask(question, on_event=show)
            print(answer.text if answer.ok else f"No answer ({answer.kind}).")


if __name__ == "__main__":
    asyncio.run(main())
