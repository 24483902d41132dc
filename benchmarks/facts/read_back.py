"""Exact sentences read back: whoever sees only the sentence writes down the claim behind it.

    python -m benchmarks.facts.read_back --data FOLDER --language en --write FILE
    python -m benchmarks.facts.read_back --data FOLDER --readings FILE...

The first prints sentences of random facts, with the columns of the result that each is about and
no row of it. A reader answers each line with ``{id, fact}``. The second computes that fact over
the result: it is ``same`` where it says the same sentence, or has the same form, condition and
values.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.data import read_lines
from benchmarks.facts.arguments import Author
from benchmarks.facts.evidence import random_evidence, wild_evidence
from benchmarks.facts.printed import leaves
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.arguments import read_arguments
from veridical.facts.fact import Fact, key_of
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel.frame import Frame, frames_of
from veridical.facts.kernel.value import FactError
from veridical.facts.naming import Names
from veridical.facts.sentence import Sentences
from veridical.facts.wording import Wording

FORMS = ("value", "list", "count", "which", "total", "top", "bottom", "rank", "compare", "share",
         "change", "range", "check", "missing")  # fmt: skip
_EACH = 5
"""Sentences about one evidence."""
_LONGEST = 320
_MOST_ROWS = 12
_SHOWN = 40
_MOST_MADE = 520


@dataclass(frozen=True, slots=True)
class Task:
    """A sentence, and what it was made of."""

    id: str
    sentence: str
    fact: Fact
    frames: dict[str, Frame]
    language: Language

    def says(self, fact: Fact) -> str:
        """The exact sentence of a fact over the same results."""
        return Sentences(self.language, Wording(self.language, self.frames)).of(fact)

    def condition(self, fact: Fact) -> str:
        """The condition of a fact in words."""
        population = fact.words.get("population")
        rows = population.before or population if population is not None else None
        found = rows.condition if rows is not None else None
        return Wording(self.language, self.frames).condition(found) if found is not None else ""


def tasks(language: Language, count: int, seed: int, data: Path | None) -> Iterator[Task]:
    """So many sentences, the same for the same seed."""
    wild = wild_evidence(data) if data is not None else []
    number = made = 0
    while made < count:
        at = random.Random(f"read back {seed} {number}")
        evidence = wild[at.randrange(len(wild))] if wild and number % 2 else random_evidence(at)
        for task in _of_evidence(at, evidence, language, f"{language}-{seed}-{number}"):
            if made < count:
                yield task
                made += 1
        number += 1


def _of_evidence(at: random.Random, evidence: Any, language: Language, name: str) -> list[Task]:
    tables = tuple(each for each in read_tables(evidence) if len(each.members) <= _MOST_ROWS)
    author = Author(at, tables)
    if author.has_nothing:
        return []
    frames = dict(frames_of(tables))
    sentences = Sentences(language, Wording(language, frames))
    found: dict[str, Task] = {}
    for turn in range(_EACH * 4):
        try:
            fact = evaluate(read_arguments(author.fact(at.choice(FORMS))), frames)
        except FactError:
            continue
        text = sentences.of(fact)
        if len(text) <= _LONGEST and len(fact.results) == 1 and text not in found:
            found[text] = Task(f"{name}-{turn}", text, fact, frames, language)
    return list(found.values())[:_EACH]


def shown(task: Task) -> dict[str, Any]:
    """What the reader sees: the sentence, and how the columns are spelt."""
    result = next(iter(task.fact.results))
    columns = [each.name for each in task.frames[result].table.columns]
    return {"id": task.id, "result": result, "columns": columns, "sentence": task.sentence}


def is_same(task: Task, written: Any) -> bool:
    """Whether the reader's fact is the one behind the sentence."""
    try:
        fact = evaluate(read_arguments(_spelt(task, written)), task.frames)
    except FactError:
        return False
    if task.says(fact) == task.sentence:
        return True
    alike = _family(fact) == _family(task.fact) and _leaves(fact) == _leaves(task.fact)
    return alike and task.condition(fact) == task.condition(task.fact)


def _spelt(task: Task, written: Any) -> Any:
    """With the names of rows as the result spells them: the reader has seen them printed."""
    if not isinstance(written, Mapping):
        return written
    printer = Wording(task.language, task.frames).printer
    frame = task.frames[next(iter(task.fact.results))]
    names = Names(frame, frame.members, frame.naming(frame.members, ""))
    raw = {printer.part(name): key_of(name) for name in names}
    rows = {key: _renamed(written[key], raw) for key in ("row", "rows") if key in written}
    return {**written, **rows}


def _renamed(rows: Any, raw: Mapping[str, str]) -> Any:
    if isinstance(rows, list):
        return [raw.get(str(each), each) for each in rows]
    return raw.get(str(rows), rows)


def _family(fact: Fact) -> str:
    if fact.words.get("by") and fact.form in ("list", "value", "total"):
        return "groups"
    return "total" if fact.template == "value.whole" else fact.form


def _leaves(fact: Fact) -> list[str]:
    """All values, whatever order and names they are given under."""
    return sorted(map(str, leaves(fact.claim.values)))


def judged(files: Sequence[Path], data: Path | None) -> dict[str, Any]:
    """How many of the readings are the same, by language, and those that are not."""
    lines = [line for file in files for line in read_lines(file)]
    read, same = Counter[str](), Counter[str]()
    others: list[dict[str, Any]] = []
    for key, group in _grouped(lines).items():
        language, seed = key
        most = max(_MOST_MADE, len(group))
        known = {each.id: each for each in tasks(Language(language), most, seed, data)}
        for line in group:
            task = known[line["id"]]
            read[language] += 1
            if is_same(task, line["fact"]):
                same[language] += 1
            else:
                others.append({**shown(task), "read": line["fact"]})
    rates = {name: round(same[name] / count, 4) for name, count in sorted(read.items())}
    return {"read": dict(read), "same": rates, "others": others[:_SHOWN]}


def _grouped(lines: Sequence[dict[str, Any]]) -> dict[tuple[str, int], list[dict[str, Any]]]:
    found: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for line in lines:
        language, seed, *_ = str(line["id"]).split("-")
        found.setdefault((language, int(seed)), []).append(line)
    return found


def main() -> None:
    """Write what readers see, or judge what they wrote."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="the folder with wild_answers/*.jsonl")
    parser.add_argument("--language", type=Language, default=Language.EN)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--readings", type=Path, nargs="+")
    options = parser.parse_args()
    if options.readings:
        print(json.dumps(judged(options.readings, options.data), ensure_ascii=False))
        return
    found = tasks(options.language, options.count, options.seed, options.data)
    lines = [json.dumps(shown(task), ensure_ascii=False) for task in found]
    options.write.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
