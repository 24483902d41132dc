"""Public sets in which people linked pairs or marked conflicts, against what pairs are called."""

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from benchmarks.data import read_lines
from benchmarks.requirements.public.score import Call, Half, half_of, scores
from veridical.requirements.inspection import inspect
from veridical.requirements.relations.pairs import related_pairs
from veridical.requirements.relations.relation import RelationKind, relate
from veridical.requirements.relations.signature import signature
from veridical.requirements.tokens import read

Link = tuple[str, str, str]
_SAME = (RelationKind.DUPLICATE, RelationKind.VARIANT)
"""The same demand, and the same for another role: people link both."""


def measure_links(
    groups: Mapping[str, Mapping[str, str]], links: set[Link], published: str
) -> dict[str, Any]:
    """The figures over the groups, within which alone pairs are made."""
    called: dict[RelationKind, set[Link]] = {kind: set() for kind in RelationKind}
    pairs = 0
    for group, texts in groups.items():
        ids = list(texts)
        pairs += len(ids) * (len(ids) - 1) // 2
        for pair in related_pairs([read(texts[each], "en") for each in ids]):
            first, second = sorted((ids[pair.first], ids[pair.second]))
            called[pair.relation.kind].add((group, first, second))
    same = set().union(*(called[kind] for kind in _SAME))
    return {
        "requirements": sum(len(texts) for texts in groups.values()),
        "pairs": pairs,
        "linked": len(links),
        "called_duplicate": _figures(called[RelationKind.DUPLICATE], links),
        "called_duplicate_or_variant": _figures(same, links),
        "called_anything": _figures(set().union(*called.values()), links),
        "published": published,
    }


def _figures(called: set[Link], links: set[Link]) -> dict[str, Any]:
    right = len(called & links)
    return {
        "called": len(called),
        "precision": round(right / len(called), 4) if called else None,
        "recall": round(right / len(links), 4) if links else None,
        "f1": round(2 * right / (len(called) + len(links)), 4) if called or links else None,
    }


_FILE = "UStAI-annotated_updated.csv"
_AMBIGUOUS = frozenset({"VAG", "NUM", "TMP", "CMP", "SUP", "QNT", "OPN", "PRO", "ESC"})
Row = dict[str, str]


def stories(data: Path, half: Half) -> dict[str, Any]:
    """The figures, of the systems of one half."""
    path = data / "ustai" / _FILE
    if not path.exists():
        return {}
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if half_of(row["Abstract"]) is half]
    found = [_rules(row["User story"]) for row in rows]
    return {
        "atomicity": _criterion(
            rows, found, "atomic", lambda label: label == "conjunctions", frozenset({"ATM"})
        ),
        "role": _criterion(
            rows,
            found,
            "Conceptually sound",
            lambda label: label == "no_valid_role",
            frozenset({"ROL"}),
        ),
        "ambiguity": _criterion(
            rows, found, "Unambiguous", lambda label: label != "Unambiguous", _AMBIGUOUS
        ),
        "duplicates": _duplicates(rows),
    }


def _rules(text: str) -> frozenset[str]:
    return frozenset(finding.rule for finding in inspect(text.strip(), "en").findings)


def _criterion(
    rows: Sequence[Row],
    found: Sequence[frozenset[str]],
    column: str,
    faulty: Callable[[str], bool],
    rules: frozenset[str],
) -> dict[str, Any]:
    """A criterion against the rules for it; rows that nobody labelled are left out."""
    labelled = ((row[column].strip(), ids) for row, ids in zip(rows, found, strict=True))
    return scores(Call(faulty(label), bool(ids & rules)) for label, ids in labelled if label)


def _duplicates(rows: Iterable[Row]) -> dict[str, Any]:
    """Links between the stories of one system, by one model; each link both ways counts once."""
    texts: dict[str, dict[str, str]] = {}
    links: set[tuple[str, str, str]] = set()
    for row in rows:
        group = f"{row['Abstract']}{row['LLM']}"
        texts.setdefault(group, {})[row["ID"]] = row["User story"].strip()
        for other in re.findall(r"A\d+US\d+\w+", row["Unique, us"]):
            first, second = sorted((row["ID"], other))
            links.add((group, first, second))
    known = {link for link in links if {link[1], link[2]} <= texts[link[0]].keys()}
    return measure_links(texts, known, "none")


_SHEET = Path("user_stories", "Datasets", "Evaluation_v4.xlsx")
_BACKLOGS = Path(
    "user_stories", "Datasets", "ace-design-qualified-user-stories", "_raw", "dalpiaz2018"
)
_PROJECT, _TEXTS, _FULL = 2, 4, 9
"""Columns: the backlog, the pair's texts, and whether their goals are wholly the same."""
_STORY = re.compile(r"(user_story_\d+):\s*#g\d+#\s*(.*?)\s*(?=user_story_\d+:|\Z)", re.DOTALL)

_TAG = re.compile(r"#g\d+#", re.IGNORECASE)


def backlogs(data: Path, half: Half) -> dict[str, Any]:
    """The figures, of the backlogs of one half; every story of a backlog is compared."""
    if not (data / _SHEET).exists():
        return {}
    groups: dict[str, dict[str, str]] = {}
    whole: set[Link] = set()
    part: set[Link] = set()
    for row in load_workbook(data / _SHEET, data_only=True)["Ground Truth"].iter_rows(
        min_row=3, values_only=True
    ):
        project = str(row[_PROJECT]).lower()
        if not row[_TEXTS] or half_of(project) is not half:
            continue
        texts = groups.setdefault(project, _backlog(data / _BACKLOGS, project))
        written = str(row[_TEXTS]).lower().replace("_x000d_", "")
        pair = [_key(text) for _, text in _STORY.findall(written)]
        if len(pair) == 2 and all(each in texts for each in pair):
            first, second = sorted(pair)
            (whole if row[_FULL] is True else part).add((project, first, second))
    return {
        "same_goal": measure_links(groups, whole, "none"),
        "same_goal_or_part_of_it": measure_links(groups, whole | part, "none"),
    }


def _backlog(folder: Path, project: str) -> dict[str, str]:
    path = next(folder.glob(f"{project}-*.txt"))
    lines = path.read_text("utf-8", errors="replace").splitlines()
    stories = (_TAG.sub("", line).strip() for line in lines)
    return {_key(story): story for story in stories if story}


def _key(text: str) -> str:
    """A story by its letters alone, so that two files with other spaces agree."""
    return re.sub(r"[^a-z]", "", text.lower())


_AGENTS = "language-model agents: macro F1 0.80 (P 0.85, R 0.77); overlap with a rule: F1 0.38"
_RULE = "a rule: P 0.97, R 0.51; calling every pair a conflict: F1 0.85"


def conflicts(data: Path, half: Half) -> dict[str, Any]:
    """The figures of both sets."""
    documents, pairs = data / "req_conflict_docs", data / "req_conflict_pairs"
    found: dict[str, Any] = {}
    if documents.exists():
        found["documents"] = _documents(documents, half)
    if pairs.exists():
        calls = [
            Call(item["conflict"], _called(_kind(item["a"], item["b"]), RelationKind.CONFLICT))
            for name in ("train", "test")
            for item in read_lines(pairs / f"{name}.jsonl")
            if half_of(item["a"]) is half
        ]
        found["pairs"] = scores(calls, _RULE)
    return found


def _documents(folder: Path, half: Half) -> dict[str, Any]:
    labels = {
        (item["doc"], *sorted((item["a"], item["b"]))): item["label"]
        for item in read_lines(folder / "pairs.jsonl")
    }
    texts: dict[str, dict[int, str]] = {}
    for item in read_lines(folder / "requirements.jsonl"):
        texts.setdefault(item["doc"], {})[item["id"]] = item["text"]
    kinds = {
        (doc, *sorted((ids[pair.first], ids[pair.second]))): pair.relation.kind
        for doc, each in texts.items()
        for ids in (list(each),)
        for pair in related_pairs([read(each[one], "en") for one in ids])
    }
    keys = [
        (doc, *sorted(pair))
        for doc, each in texts.items()
        for pair in combinations(each, 2)
        if half_of("-".join(map(str, (doc, *sorted(pair))))) is half
    ]
    return {
        label: scores(
            (Call(labels.get(key) == label, _called(kinds.get(key), kind)) for key in keys),
            published,
        )
        for label, kind, published in (
            ("conflict", RelationKind.CONFLICT, _AGENTS),
            ("duplicate", RelationKind.DUPLICATE, "none"),
        )
    } | {
        "conflicts_called_duplicates": sum(
            labels.get(key) == "conflict" and kinds.get(key) is RelationKind.DUPLICATE
            for key in keys
        )
    }


def _called(found: RelationKind | None, wanted: RelationKind) -> bool | None:
    """Two that are about the same thing and no more are not judged: a person has to look."""
    return None if found is RelationKind.RELATED else found is wanted


def _kind(first: str, second: str) -> RelationKind | None:
    relation = relate(signature(read(first, "en")), signature(read(second, "en")))
    return None if relation is None else relation.kind
