"""The instructions that a skill adds to the model's prompt."""

from veridical.contracts.language import Language, in_language
from veridical.messages import message
from veridical.reading.punctuation import marks
from veridical.skills.skill import Skill


def instructions(skill: Skill, language: Language) -> str:
    """The text that follows the agent's own rules in the prompt."""
    return message(
        "skills.prompt",
        language,
        name=skill.name,
        description=in_language(skill.description, language).rstrip(marks(".")),
        instructions=skill.instructions,
    )
