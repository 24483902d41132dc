"""What another agent is sent over MCP, and whether all that the owner wrote can be read there.

    python -m benchmarks.mcp_size --data DIR --json
    python -m benchmarks.mcp_size --smoke --json

A client of the protocol talks to ``veridical mcp``, which is a process of its own. ``tools_kb`` is
the list of tools as it is sent, ``resource_tokens`` the resource without a question at the default
budget. Every description, invariant and message of a rule is looked for in the resource
(``owner_words_in_resource``), and, where it is not there, in what one call of ``describe`` returns
for its table, column, metric or question (``owner_words_by_describe``); ``owner_words_missing`` are
in neither. With ``--data`` the database is that of ``DIR/company``; without, one that is made here.
The command fails where the tools take more than 16 kB or a word is missing.
"""

import asyncio
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import TextContent, TextResourceContents

from benchmarks.command import command, show
from veridical.contracts.language import Language, in_language
from veridical.ontology.compile import column_name
from veridical.ontology.load import load_ontology
from veridical.ontology.model import Entity, OntologyDescriptor
from veridical.ontology.prompt import DEFAULT_BUDGET
from veridical.ontology.tokens import estimate_tokens

_LANGUAGE = Language.EN


@dataclass(frozen=True, slots=True)
class OwnersWords:
    """One text of the owner's."""

    topic: str
    """The table, column, metric or question that it is about; empty for the data as a whole."""
    text: str

    def are_in(self, told: str) -> bool:
        """Whether they are told, whatever the spacing and the full stop."""
        return _plain(self.text) in _plain(told)


def owners_words(ontology: OntologyDescriptor) -> tuple[OwnersWords, ...]:
    """Descriptions, invariants and the messages of rules, each once for a topic."""
    return tuple(dict.fromkeys(each for each in _all(ontology) if each.text))


def _all(ontology: OntologyDescriptor) -> Iterator[OwnersWords]:
    yield OwnersWords("", in_language(ontology.description, _LANGUAGE))
    entities = {each.name: each for each in ontology.entities}
    for entity in ontology.entities:
        table = entity.table or entity.name
        yield OwnersWords(table, in_language(entity.description, _LANGUAGE))
        for each in entity.invariants:
            yield OwnersWords(table, in_language(each, _LANGUAGE))
        for field in entity.fields:
            topic = f"{table}.{column_name(field)}"
            yield OwnersWords(topic, in_language(field.description, _LANGUAGE))
    for constraint in ontology.constraints:
        topic = _topic(constraint.applies_to, entities)
        yield OwnersWords(topic, in_language(constraint.message, _LANGUAGE))
    for metric in ontology.metrics:
        yield OwnersWords(metric.name, in_language(metric.description, _LANGUAGE))
    for pattern in ontology.canonical_patterns:
        yield OwnersWords(pattern.intent, in_language(pattern.description, _LANGUAGE))


def _topic(applies_to: str, entities: dict[str, Entity]) -> str:
    """The table that a rule is on."""
    owner = applies_to.partition(".")[0]
    return (entities[owner].table or owner) if owner in entities else owner


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


MOST_KB = 16.0
_YEARS = range(2000, 2026)


def figures(database: Path, ontology: Path) -> dict[str, Any]:
    """All figures of one database."""
    words = owners_words(load_ontology(str(ontology)))
    veridical = Path(sys.executable).with_name("veridical")
    command = StdioServerParameters(
        command=str(veridical),
        args=["mcp", "--database", str(database), "--ontology", str(ontology)],
        env=dict(os.environ),
    )
    return asyncio.run(_measured(command, words))


async def _measured(
    command: StdioServerParameters, words: tuple[OwnersWords, ...]
) -> dict[str, Any]:
    async with Client(command) as client:
        tools = [
            each.model_dump(mode="json", by_alias=True, exclude_none=True)
            for each in (await client.list_tools()).tools
        ]
        resource = await _resource(client)
        told = [each for each in words if each.are_in(resource)]
        asked = sorted({each.topic for each in words if each not in told})
        described = {topic: await _described(client, topic) for topic in asked}
    rest = [each for each in words if each not in told]
    missing = [each for each in rest if not each.are_in(described[each.topic])]
    for each in missing:
        print(f"missing: {each.topic}: {each.text}", file=sys.stderr)
    sizes = {each["name"]: len(json.dumps(each, separators=(",", ":")).encode()) for each in tools}
    return {
        "tools": len(tools),
        "tools_kb": round(sum(sizes.values()) / 1000, 1),
        "largest_tool_kb": round(max(sizes.values()) / 1000, 1),
        "budget_tokens": DEFAULT_BUDGET,
        "resource_tokens": estimate_tokens(resource),
        "describe_tokens_most": max(map(estimate_tokens, described.values()), default=0),
        "owner_words": len(words),
        "owner_words_in_resource": len(told),
        "owner_words_by_describe": len(rest) - len(missing),
        "owner_words_missing": len(missing),
    }


async def _resource(client: Client) -> str:
    """What the data means, as it is read without a question."""
    resources = (await client.list_resources()).resources
    uri = next(each.uri for each in resources if "/ontology/" in str(each.uri))
    (content,) = (await client.read_resource(uri)).contents
    if not isinstance(content, TextResourceContents):
        raise TypeError("the resource is no text")
    return content.text


async def _described(client: Client, topic: str) -> str:
    """What one call returns; nothing where it is refused."""
    told = await client.call_tool("describe", {"topic": topic})
    (content,) = told.content
    if told.is_error or not isinstance(content, TextContent):
        return ""
    return str(json.loads(content.text)["about"])


def own_sample(folder: Path) -> tuple[Path, Path]:
    """A database whose owner says more of it than the default budget has room for."""
    database, ontology = folder / "orders.sqlite", folder / "ontology.yaml"
    with sqlite3.connect(database) as connection:
        for year in _YEARS:
            connection.execute(f"CREATE TABLE orders_{year} (id, state, placed, cents)")
    connection.close()
    entities, rules = (
        "".join(each.format(year=year) for year in _YEARS) for each in (_ENTITY, _RULES)
    )
    ontology.write_text(f"{_HEAD}\nentities:{entities}\nconstraints:{rules}", "utf-8")
    return database, ontology


_HEAD = "featureCode: orders\ndescription: All orders of a shop, one table for each year."
_ENTITY = """
- name: orders_{year}
  table: orders_{year}
  semanticType: TRANSACTION
  description: Orders that were placed in {year}, one row each; amounts in cents before tax.
  invariants:
  - Orders of {year} with state X were cancelled and never count.
  - An order of {year} belongs to the day on which it was placed, in the time zone of the shop.
  keys: [[id]]
  fields:
  - {{name: id, type: integer, role: KEY}}
  - {{name: state, type: text, description: where an order of {year} stands}}
  - {{name: placed, type: text, role: TIME, encoding: ISO_TEXT, description: day of {year}}}
  - {{name: cents, type: integer, role: MEASURE, description: amount in {year} before tax}}"""
_RULES = """
- appliesTo: orders_{year}
  rule: REQUIRES_FILTER_ON
  fields: [state]
  message: Leave out the cancelled orders of {year}
- {{appliesTo: orders_{year}.state, rule: ALLOWED_VALUES, values: [N, P, S, D, X]}}"""


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__, smoke="the sample that is made here")
    parser.add_argument("--data", type=Path, help="the folder with the data sets")
    options = parser.parse_args()
    company = options.data / "company" if options.data and not options.smoke else None
    with tempfile.TemporaryDirectory(prefix="vmcp-") as scratch:
        if company is not None and not company.is_dir():
            print(json.dumps({"missing": str(company)}))
            return
        files = (
            (company / "company.sqlite", company / "ontology_by_hand.yaml")
            if company
            else own_sample(Path(scratch))
        )
        found: dict[str, Any] = {"set": "company" if company else "own", **figures(*files)}
    show(found, options)
    if found["owner_words_missing"] or found["tools_kb"] > MOST_KB:
        sys.exit("words of the owner are missing, or the tools take too much")


if __name__ == "__main__":
    main()
