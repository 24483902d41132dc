"""Requirements review: findings by rule, scores, rewrites, duplicates and conflicts.

``evaluate_requirement`` scores a requirement by its findings, ``rewrite_requirement`` writes it as
a story with a scenario and asks for what is missing. Each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from veridical.contracts.extras import lazy_names

if TYPE_CHECKING:
    from veridical.requirements.evaluation import Evaluation, evaluate_requirement
    from veridical.requirements.rewrite.rewrite import Rewrite, rewrite_requirement

__all__ = ["Evaluation", "Rewrite", "evaluate_requirement", "rewrite_requirement"]

_HOMES = {
    "evaluation": "Evaluation evaluate_requirement",
    "rewrite.rewrite": "Rewrite rewrite_requirement",
}

if not TYPE_CHECKING:  # a type checker must report an unknown name
    __getattr__ = lazy_names(__name__, _HOMES)
