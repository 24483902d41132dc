"""Findings against labels: precision and recall by rule and language; how two labellings agree."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from veridical.requirements.finding import Finding
from veridical.requirements.inspection import inspect
from veridical.requirements.language import is_readable
from veridical.requirements.relations.meaning import Meaning, Nearness
from veridical.requirements.relations.relation import relate
from veridical.requirements.relations.signature import signature
from veridical.requirements.token import tokenise
from veridical.requirements.tokens import Tokens, read

_RULE = re.compile(r"^### ([A-Z0-9]+)", re.MULTILINE)
Labels = Mapping[str, frozenset[str]]


def guide_rules(guide: Path) -> tuple[str, ...]:
    """The rules that the labelling guide defines, in its order."""
    return tuple(_RULE.findall(guide.read_text("utf-8")))


def labels_of(items: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    """The rules that each requirement is labelled with."""
    return {item["id"]: frozenset(each["rule"] for each in item["labels"]) for item in items}


def measure_agreement(first: Labels, second: Labels, rules: Sequence[str]) -> dict[str, Any]:
    """The agreement over the requirements that both have labelled."""
    ids = sorted(first.keys() & second.keys())
    pairs = {rule: [(rule in first[each], rule in second[each]) for each in ids] for rule in rules}
    every = [pair for each in pairs.values() for pair in each]
    both, either = every.count((True, True)), sum(map(sum, every))
    return {
        "requirements": len(ids),
        "kappa": _kappa(every),
        "f1": round(2 * both / either, 4) if either else None,
        "by_rule": {
            rule: {
                "kappa": _kappa(each),
                "first": sum(one for one, _ in each),
                "second": sum(other for _, other in each),
                "both": each.count((True, True)),
            }
            for rule, each in pairs.items()
            if any(one or other for one, other in each)
        },
    }


def _kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Agreement beyond what chance gives; nothing where chance alone gives all of it."""
    count = len(pairs)
    if not count:
        return None
    same = sum(one == other for one, other in pairs) / count
    first = sum(one for one, _ in pairs) / count
    second = sum(other for _, other in pairs) / count
    chance = first * second + (1 - first) * (1 - second)
    return round((same - chance) / (1 - chance), 4) if chance < 1 else None


_GUIDE = Path(__file__).parent / "own" / "labelling.md"
_LEAST = 2000
"""Requirements to measure the speed with; a small set is repeated."""


@dataclass
class _Label:
    rule: str
    start: int
    end: int
    found: bool = False


def measure_set(items: Sequence[dict[str, Any]], *, misses: bool) -> dict[str, Any]:
    """The figures of labelled requirements; ``misses`` prints each difference."""
    right: Counter[tuple[str, str]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    missed: Counter[tuple[str, str]] = Counter()
    detected = 0
    failed: Counter[str] = Counter()
    labelled = guide_rules(_GUIDE)  # other rules have findings that nobody labelled
    for item in items:
        language, text = item["lang"], item["text"]
        detected += inspect(text).tokens.language == language
        inspection = inspect(text, language)
        failed.update(inspection.not_evaluated)
        labels = list(_labels(item))
        for finding in inspection.findings:
            if finding.rule not in labelled:
                continue
            label = _label_of(finding, labels)
            if label is not None:
                label.found = True
                right[finding.rule, language] += 1
            else:
                wrong[finding.rule, language] += 1
                if misses:
                    print(f"false {finding.rule} {item.get('id')} {finding.words!r}: {text}")
        for label in labels:
            if not label.found:
                missed[label.rule, language] += 1
                if misses:
                    said = text[label.start : label.end]
                    print(f"missed {label.rule} {item.get('id')} {said!r}: {text}")
    keys = sorted({*right, *wrong, *missed})
    return {
        "requirements": len(items),
        "language_right": round(detected / max(1, len(items)), 4),
        "not_evaluated": dict(failed),
        "all": _scores(right.total(), wrong.total(), missed.total()),
        "by_language": {
            language: _scores(*(_total(each, language) for each in (right, wrong, missed)))
            for language in sorted({language for _, language in keys})
        },
        "by_rule": {
            f"{rule} {language}": _scores(
                right[rule, language], wrong[rule, language], missed[rule, language]
            )
            for rule, language in keys
        },
        "requirements_per_core_second": round(speed([item["text"] for item in items])),
    }


def _labels(item: dict[str, Any]) -> Iterator[_Label]:
    for label in item["labels"]:
        span = label["span"]
        whole = re.search(rf"(?<!\w){re.escape(span)}(?!\w)", item["text"])
        start = whole.start() if whole else item["text"].index(span)
        yield _Label(label["rule"], start, start + len(span))


def _label_of(finding: Finding, labels: Iterable[_Label]) -> _Label | None:
    for label in labels:
        overlap = label.start < finding.end and finding.start < label.end
        if label.rule == finding.rule and overlap and not label.found:
            return label
    return None


def _total(counts: Counter[tuple[str, str]], language: str) -> int:
    return sum(count for (_, each), count in counts.items() if each == language)


def _scores(right: int, wrong: int, missed: int) -> dict[str, Any]:
    return {
        "precision": round(right / (right + wrong), 4) if right + wrong else None,
        "recall": round(right / (right + missed), 4) if right + missed else None,
        "labels": right + missed,
        "findings": right + wrong,
    }


def speed(texts: Sequence[str]) -> float:
    """Requirements a second of one core's time, language detection included."""
    rounds = [text for _ in range(_LEAST // max(1, len(texts)) + 1) for text in texts]
    begun = process_time()
    for text in rounds:
        inspect(text)
    return len(rounds) / (process_time() - begun)


_NONE = "unrelated"
_NAMES = {"none": _NONE}


def measure_pairs(
    items: Sequence[dict[str, Any]], *, misses: bool, meaning: Meaning | None = None
) -> dict[str, Any]:
    """The figures of labelled pairs, with the relations that a model sees; ``misses`` prints each
    difference."""
    confusion: Counter[tuple[str, str]] = Counter()
    languages: dict[str, Counter[tuple[str, str]]] = {}
    across: Counter[tuple[str, str]] = Counter()
    judged = [
        item for item in items if all(is_readable(tokenise(item[side])) for side in ("a", "b"))
    ]
    for item in judged:
        tokens = read(item["a"], item.get("lang_a")), read(item["b"], item.get("lang_b"))
        near = _near(tokens, meaning)
        relation = relate(signature(tokens[0]), signature(tokens[1]), near)
        called = relation.kind.value if relation else _NONE
        named = str(item["kind"])
        kind = _NAMES.get(named, named)
        confusion[kind, called] += 1
        spoken = "-".join(sorted({each.language for each in tokens}))
        languages.setdefault(spoken, Counter())[kind, called] += 1
        if tokens[0].language != tokens[1].language:
            across[kind, called] += 1
        if misses and called != kind:
            told = (relation.similarity, relation.cause) if relation else ""
            print(f"{kind} called {called} {told} {near}: {item['a']} | {item['b']}")
    kinds = sorted({kind for pair in confusion for kind in pair})
    right = sum(confusion[kind, kind] for kind in kinds)
    return {
        "pairs": len(items),
        "not_evaluated": len(items) - len(judged),
        "accuracy": round(right / max(1, len(judged)), 4),
        "conflicts_called_duplicates": confusion["conflict", "duplicate"],
        "duplicates_called_conflicts": confusion["duplicate", "conflict"],
        "by_kind": {kind: _of_kind(confusion, kind, kinds) for kind in kinds},
        "duplicates_across_languages": _of_kind(across, "duplicate", kinds),
        "duplicates_by_language": {
            spoken: _of_kind(each, "duplicate", kinds) for spoken, each in sorted(languages.items())
        },
        "judged_by_meaning": sorted("-".join(pair) for pair in meaning.limits) if meaning else [],
        "confusion": {
            f"{kind} called {called}": count for (kind, called), count in sorted(confusion.items())
        },
    }


def _near(tokens: tuple[Tokens, Tokens], meaning: Meaning | None) -> Nearness | None:
    if meaning is None:
        return None
    found = meaning.near([each.text for each in tokens], [each.language for each in tokens])
    return found.get((0, 1))


def _of_kind(
    confusion: Counter[tuple[str, str]], kind: str, kinds: Sequence[str]
) -> dict[str, Any]:
    right = confusion[kind, kind]
    called = sum(confusion[each, kind] for each in kinds)
    there = sum(confusion[kind, each] for each in kinds)
    return {
        "precision": round(right / called, 4) if called else None,
        "recall": round(right / there, 4) if there else None,
        "pairs": there,
    }
