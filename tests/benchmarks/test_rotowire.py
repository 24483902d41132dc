"""Tokens, errors and box scores are read as the benchmark says."""

import csv
import json
from pathlib import Path

from benchmarks.answer_gate import rotowire
from benchmarks.answer_gate.sample import half_of
from veridical.contracts.proof import ClaimKind, Proof, ProvenClaim, Standing, Verdict
from veridical.gate.evidence.exhibit import Exhibit

TEXT = "Ann Lee had 12 points."
PLAYER = {"PLAYER_NAME": "Ann Lee", "TEAM_CITY": "Chur", "START_POSITION": "N/A", "PTS": "11"}
PLAYER_COLUMNS = "MIN REB AST STL BLK TO PF OREB DREB FGM FGA FG3M FG3A FTM FTA"
TEAM_COLUMNS = (
    "PTS PTS_QTR1 PTS_QTR2 PTS_QTR3 PTS_QTR4 WINS LOSSES REB AST TOV FG_PCT FG3_PCT FT_PCT"
)


def written(folder: Path) -> Path:
    player = {**dict.fromkeys(PLAYER_COLUMNS.split(), "0"), **PLAYER}
    line = {f"TEAM-{name}": "1" for name in TEAM_COLUMNS.split()}
    line |= {"TEAM-NAME": "Lynx", "TEAM-CITY": "Chur"}
    game = {
        "shared_task_text_id": "S001",
        "box_score": {column: {"0": cell} for column, cell in player.items()},
        "home_line": line,
        "vis_line": line,
    }
    for part in rotowire.FOLDERS:
        (folder / part).mkdir(parents=True, exist_ok=True)
    first, second = (folder / part for part in rotowire.FOLDERS)
    for part, games in ((first, [game]), (second, [])):
        lines = "\n".join(map(json.dumps, games))
        (part / "shared_task.jsonl").write_text(lines, encoding="utf-8")
        texts = [["S001", "Ann Lee had 12 points .", TEXT]] if games else []
        errors = [["S001.txt", "4", "4", "NUMBER"], ["S001.txt", "1", "2", "NAME"]]
        _csv(part / "games.csv", "TEXT_ID GENERATED_TEXT DETOKENIZED_GENERATED_TEXT", texts)
        _csv(part / "gsml.csv", "TEXT_ID DOC_TOKEN_START DOC_TOKEN_END TYPE", errors)
    return folder


def _csv(path: Path, head: str, rows: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head.split(), *rows])


def judge(text: str, exhibits: tuple[Exhibit, ...]) -> Proof:
    players, teams = exhibits
    assert players.rows[0][:2] == ("Ann Lee", "Chur")
    assert len(teams.rows) == 2
    start = text.index("12")
    claim = ProvenClaim(
        kind=ClaimKind.AMOUNT,
        text="12 points",
        start=start,
        end=start + len("12 points"),
        standing=Standing.CONTRADICTED,
    )
    return Proof(verdict=Verdict.BLOCK, claims=(claim,))


def test_the_unit_of_a_figure_is_no_part_of_its_error(tmp_path: Path) -> None:
    figures = rotowire.token_level(written(tmp_path), judge)[half_of("S001")]
    assert (figures["number_precision"], figures["number_recall"]) == (1.0, 1.0)
    assert (figures["name_precision"], figures["name_recall"]) == (None, 0.0)  # none was flagged
    assert figures["any_error_recall"] == 0.5
