"""Veridical inside an agent of your own: check the query, run it, gate the answer.

The loop is what an agent of yours has; ``RECORDED`` stands for its model, so that the program runs
without a key. It makes the mistakes that models make, and each goes back to it in words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import veridical
from veridical.client import Source

SALES = Path(__file__).with_name("sales.csv")
ROUNDS = 6


@dataclass(frozen=True)
class Reply:
    """What a model replies: a query to run, or the answer."""

    sql: str = ""
    text: str = ""


Model = Callable[[Sequence[str]], Reply]
"""Takes the messages so far."""


def answer(question: str, model: Model, client: veridical.Client) -> str:
    """The model's answer, once every claim is proven."""
    messages = [question]
    results: list[Source] = []
    for _ in range(ROUNDS):
        reply = model(messages)
        if reply.sql:
            verdict = client.check(reply.sql, question=question)
            if not verdict:  # a Refusal: what is wrong, and what would be right
                messages.append(verdict.feedback)
                continue
            result = client.run(verdict)
            results.append(result)
            messages.append(f"{result.columns}: {result.rows}\n{verdict.feedback}".strip())
        else:
            proof = client.gate(reply.text, results, question=question)
            if not proof.is_marked:
                return reply.text
            messages.extend(finding.hint for finding in proof.findings)
        print("←", messages[-1])
    return "I can't say."


RECORDED = (
    Reply(sql="SELECT region, SUM(amuont) AS total FROM sales GROUP BY region"),
    Reply(sql="SELECT region, SUM(amount) AS total FROM sales GROUP BY region ORDER BY region"),
    Reply(text="South sold 220.00."),
    Reply(text="North sold 220.00 and south 80.00: 300.00 together."),
)


def main() -> None:
    """Answers one question about a file."""
    replies = iter(RECORDED)
    with veridical.open(database=str(SALES)) as client:
        print(answer("What did each region sell?", lambda messages: next(replies), client))


if __name__ == "__main__":
    main()
