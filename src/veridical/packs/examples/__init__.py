"""Example skills about ways of working and trades beyond data, loaded only by name."""

from pathlib import Path

SKILLS = Path(__file__).parent / "skills"
