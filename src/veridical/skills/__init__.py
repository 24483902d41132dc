"""Skills: instructions for kinds of tasks, matched by a request's words, with a quality gate."""

from veridical.skills.load import load_skills
from veridical.skills.match import Ambiguous, SkillMatch, match_skill
from veridical.skills.prompt import instructions
from veridical.skills.quality import run_quality_gate
from veridical.skills.skill import Skill
from veridical.skills.validation import Submission

__all__ = [
    "Ambiguous",
    "Skill",
    "SkillMatch",
    "Submission",
    "instructions",
    "load_skills",
    "match_skill",
    "run_quality_gate",
]
