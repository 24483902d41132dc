"""Skills for tests, written to a folder or made in memory."""

from pathlib import Path
from typing import Any

from veridical.skills.load import FILE, load_skill
from veridical.skills.skill import Skill

INSTRUCTIONS = "Do what was asked, and say what could not be done."


def write_skill(
    folder: Path, name: str = "demo", front: str = "", body: str = INSTRUCTIONS
) -> Path:
    """The ``SKILL.md`` of a skill with this front matter beside name and description."""
    path = folder / name / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nname: {name}\ndescription: A skill.\n{front}---\n{body}\n", "utf-8")
    return path


def written_skill(folder: Path, name: str = "demo", front: str = "") -> Skill:
    """The same, loaded."""
    return load_skill(write_skill(folder, name, front))


def skill(name: str = "demo", **given: Any) -> Skill:
    """A skill that no file holds."""
    return Skill.model_validate(
        {
            "name": name,
            "description": "A skill.",
            "instructions": INSTRUCTIONS,
            "path": f"{name}/{FILE}",
            **given,
        }
    )
