"""Accuracy of box-score texts: 90 basketball stories with every error that people found in them.

The evidence is the box score as two tables, players and teams, with the usual names of the
columns. Texts are taken detokenised. Measured is **token by token**, a token being what stands
between blanks in the tokenised text: a token is wrong when an annotated error covers it, and the
gate says wrong when a claim that overlaps it is ungrounded or contradicted.

- ``number``: claims that are figures, against errors of type NUMBER;
- ``name``: claims that are names, identifiers, dates or periods, against errors of type NAME;
- ``any``: all claims, against errors of every type.

Recall is also given by error: the share of errors of which at least one token was told.
"""

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.answer_gate.figures import Figures, share
from benchmarks.answer_gate.sample import half_of
from veridical.contracts.proof import ClaimKind, Proof, ProvenClaim, Standing
from veridical.gate.evidence.exhibit import Exhibit, Measure

FOLDERS = (Path("rotowire_accuracy"), Path("rotowire_accuracy") / "test_set")
_WRONG = frozenset({Standing.UNGROUNDED, Standing.CONTRADICTED})
_KINDS: Mapping[str, frozenset[ClaimKind]] = {
    "number": frozenset({ClaimKind.NUMBER, ClaimKind.AMOUNT, ClaimKind.PERCENT, ClaimKind.COUNT}),
    "name": frozenset({ClaimKind.NAME, ClaimKind.IDENTIFIER, ClaimKind.DATE, ClaimKind.PERIOD}),
    "any": frozenset(ClaimKind),
}
_PLAYER = {
    "PLAYER_NAME": ("player",),
    "TEAM_CITY": ("city",),
    "START_POSITION": ("position",),
    "MIN": ("minutes",),
    "PTS": ("points", "point"),
    "REB": ("rebounds", "rebound", "boards"),
    "AST": ("assists", "assist", "dimes"),
    "STL": ("steals", "steal"),
    "BLK": ("blocks", "block", "blocked shots"),
    "TO": ("turnovers", "turnover"),
    "PF": ("fouls",),
    "OREB": ("offensive rebounds",),
    "DREB": ("defensive rebounds",),
    "FGM": ("field goals made",),
    "FGA": ("field goals attempted",),
    "FG3M": ("three pointers made",),
    "FG3A": ("three pointers attempted",),
    "FTM": ("free throws made",),
    "FTA": ("free throws attempted",),
}
_TEAM = {
    "TEAM-NAME": ("team",),
    "TEAM-CITY": ("city",),
    "TEAM-PTS": ("points", "score"),
    "TEAM-PTS_QTR1": ("first quarter points",),
    "TEAM-PTS_QTR2": ("second quarter points",),
    "TEAM-PTS_QTR3": ("third quarter points",),
    "TEAM-PTS_QTR4": ("fourth quarter points",),
    "TEAM-WINS": ("wins",),
    "TEAM-LOSSES": ("losses",),
    "TEAM-REB": ("rebounds",),
    "TEAM-AST": ("assists",),
    "TEAM-TOV": ("turnovers",),
    "TEAM-FG_PCT": ("field goal percentage", "shooting"),
    "TEAM-FG3_PCT": ("three point percentage",),
    "TEAM-FT_PCT": ("free throw percentage",),
}

Judge = Callable[[str, tuple[Exhibit, ...]], Proof]
Error = tuple[range, str]
"""The tokens of an error, from 0, and its type."""


def token_level(data: Path, judge: Judge) -> dict[str, Figures]:
    """Precision and recall per half for figures, names and all claims."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for folder in FOLDERS:
        errors = _errors(data / folder / "gsml.csv")
        for name, tokens, text, exhibits in _stories(data / folder):
            proof = judge(text, exhibits)
            counts[half_of(name)] += _counted(proof, _spans(tokens, text), errors[name])
    return {half: _figures(count) for half, count in sorted(counts.items())}


def _stories(folder: Path) -> Iterator[tuple[str, list[str], str, tuple[Exhibit, ...]]]:
    with (folder / "shared_task.jsonl").open(encoding="utf-8") as lines:
        games = {game["shared_task_text_id"]: game for game in map(json.loads, lines)}
    with (folder / "games.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            text = row["DETOKENIZED_GENERATED_TEXT"]
            name = row["TEXT_ID"]
            yield name, row["GENERATED_TEXT"].split(), text, _exhibits(games[name])


def _errors(path: Path) -> dict[str, list[Error]]:
    errors: dict[str, list[Error]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            tokens = range(int(row["DOC_TOKEN_START"]) - 1, int(row["DOC_TOKEN_END"]))
            errors[row["TEXT_ID"].removesuffix(".txt")].append((tokens, row["TYPE"]))
    return errors


def _exhibits(game: Mapping[str, Any]) -> tuple[Exhibit, ...]:
    box = game["box_score"]
    players = tuple(
        tuple(_cell(box[column][row]) for column in _PLAYER)
        for row in sorted(box["PLAYER_NAME"], key=int)
    )
    teams = tuple(
        tuple(_cell(game[line][column]) for column in _TEAM) for line in ("home_line", "vis_line")
    )
    return (_table("players", _PLAYER, players), _table("teams", _TEAM, teams))


def _table(
    name: str, columns: Mapping[str, tuple[str, ...]], rows: tuple[tuple[Any, ...], ...]
) -> Exhibit:
    named = tuple(labels[0] for labels in columns.values())
    measures = {labels[0]: Measure(labels=labels) for labels in columns.values()}
    return Exhibit(name=name, columns=named, rows=rows, measures=measures)


def _cell(value: str) -> Any:
    if value == "N/A":
        return None
    return int(value) if value.lstrip("-").isdigit() else value


def _spans(tokens: list[str], text: str) -> list[tuple[int, int]]:
    """Where each token stands in the detokenised text."""
    spans: list[tuple[int, int]] = []
    at = 0
    for token in tokens:
        found = text.find(token, at)
        if found < 0:
            spans.append((at, at))
            continue
        at = found + len(token)
        spans.append((found, at))
    return spans


def _counted(proof: Proof, spans: list[tuple[int, int]], errors: list[Error]) -> Counter[str]:
    count: Counter[str] = Counter()
    for name, kinds in _KINDS.items():
        claimed = [
            _place(claim)
            for claim in proof.claims
            if claim.standing in _WRONG and claim.kind in kinds
        ]
        told = {
            token
            for token, (start, end) in enumerate(spans)
            if any(begin < end and start < stop for begin, stop in claimed)
        }
        meant = [tokens for tokens, kind in errors if name == "any" or kind == name.upper()]
        wrong = {token for tokens in meant for token in tokens}
        anything = {token for tokens, _ in errors for token in tokens}
        count[f"{name}:told"] += len(told)
        count[f"{name}:wrong"] += len(wrong)
        count[f"{name}:right"] += len(told & wrong)
        count[f"{name}:right_of_any_type"] += len(told & anything)
        count[f"{name}:errors"] += len(meant)
        count[f"{name}:found"] += sum(not told.isdisjoint(tokens) for tokens in meant)
    return count


def _place(claim: ProvenClaim) -> tuple[int, int]:
    """Where a claim stands; of a figure only its number, not the unit that belongs to it."""
    if claim.kind not in _KINDS["number"]:
        return claim.start, claim.end
    digits = max((at for at, sign in enumerate(claim.text, 1) if sign.isdigit()), default=0)
    return claim.start, claim.start + (digits or len(claim.text.split(" ")[0]))


def _figures(count: Counter[str]) -> Figures:
    figures: Figures = {}
    for name in _KINDS:
        figures[f"{name}_precision"] = share(count[f"{name}:right"], count[f"{name}:told"])
        figures[f"{name}_precision_any_type"] = share(
            count[f"{name}:right_of_any_type"], count[f"{name}:told"]
        )
        figures[f"{name}_recall"] = share(count[f"{name}:right"], count[f"{name}:wrong"])
        figures[f"{name}_error_recall"] = share(count[f"{name}:found"], count[f"{name}:errors"])
        figures[f"{name}_errors"] = count[f"{name}:errors"]
    return figures
