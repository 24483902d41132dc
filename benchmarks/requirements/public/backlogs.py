"""Backlogs of user stories with pairs whose goal is wholly redundant, as people found them."""

import re
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from benchmarks.requirements.public.half import Half, half_of
from benchmarks.requirements.public.links import Link, measure_links

_SHEET = Path("user_stories", "Datasets", "Evaluation_v4.xlsx")
_BACKLOGS = Path(
    "user_stories", "Datasets", "ace-design-qualified-user-stories", "_raw", "dalpiaz2018"
)
_PROJECT, _TEXTS, _FULL = 2, 4, 9
"""Columns: the backlog, the pair's texts, and whether their goals are wholly the same."""
_STORY = re.compile(r"(user_story_\d+):\s*#g\d+#\s*(.*?)\s*(?=user_story_\d+:|\Z)", re.DOTALL)

_TAG = re.compile(r"#g\d+#", re.IGNORECASE)


def measure(data: Path, half: Half) -> dict[str, Any]:
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
