"""People who answer what the team asks: by the key of the question, or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.contracts.person import Decision, PersonNeeded, unanswered


@dataclass
class Answering:
    """Somebody who knows some answers; what they were asked, in order."""

    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    asked: list[PersonNeeded] = field(default_factory=list[PersonNeeded])

    async def __call__(self, needed: PersonNeeded) -> Decision:
        self.asked.append(needed)
        answer = self.answers.get(needed.name.split(":", 2)[-1])
        if answer is None:
            return unanswered(needed)
        return Decision(
            approved=True,
            choice={"text": answer},
            decided_by="Ada",
            evidence_hash=needed.evidence_hash,
            at=0.0,
        )

    @property
    def questions(self) -> list[str]:
        return [str(each.subject["asked"]) for each in self.asked]
