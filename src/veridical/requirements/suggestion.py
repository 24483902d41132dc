"""Single improvements from findings, each with what to do and how urgent it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.evaluation import Evaluation
from veridical.requirements.finding import Weight
from veridical.requirements.form import Form

ADD_CRITERIA = "add_criteria"
_TYPES = {
    "add_actor": ("IMP0", "PAS", "MAN", "ISTZU", "STO", "ROL"),
    "add_metric": ("VAG", "NUM", "UNIT", "TMP", "QNT", "APX", "CMP", "SUP", "RNG", "ABS"),
    "split": ("IMP2", "ATM"),
    "name_reference": ("PRO",),
    "add_condition": ("ESC",),
    "complete_list": ("OPN",),
    "resolve_open_point": ("TBD",),
    "state_obligation": ("MODW",),
    "remove_solution": ("SOL",),
    "reword": ("SLS", "LNG", "NEG", "INF", "NOM"),
}
_TYPE_OF = {rule: name for name, rules in _TYPES.items() for rule in rules}


@dataclass(frozen=True)
class Suggestion:
    """One improvement."""

    type: str
    suggestion: str
    priority: Weight

    def as_json(self) -> dict[str, Any]:
        """As it is printed for programs."""
        return {
            "type": self.type,
            "suggestion": self.suggestion,
            "priority": self.priority.value,
        }


def suggestions(evaluation: Evaluation, language: Language) -> Iterator[Suggestion]:
    """The improvements, the most urgent first; acceptance criteria where there are none."""
    weights = list(Weight)
    for finding in sorted(evaluation.findings, key=lambda each: weights.index(each.weight)):
        text = f"{finding.reason(language)} {finding.fix(language)}"
        yield Suggestion(_TYPE_OF[finding.rule], text, finding.weight)
    if evaluation.inspection.tokens.form is not Form.SCENARIO:
        text = message("requirements.add_criteria", language)
        yield Suggestion(ADD_CRITERIA, text, Weight.MEDIUM)
