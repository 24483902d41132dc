"""Example skills, about ways of working and trades beyond data: there for those who name them."""

from pathlib import Path

SKILLS = Path(__file__).parent / "skills"
