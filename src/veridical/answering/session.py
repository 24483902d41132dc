"""A session: the data, the caller and the model, if any, of one question."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature
from veridical.contracts.caller import Caller
from veridical.contracts.facts_answer import Show
from veridical.contracts.language import Language
from veridical.contracts.person import NO_APPROVALS, Approvals, AskPerson, no_person
from veridical.contracts.proof import Proof
from veridical.contracts.step import Progress
from veridical.contracts.trace import Event
from veridical.gate.policy import DEFAULT as DEFAULT_POLICY
from veridical.gate.policy import Policy
from veridical.skills import Skill, SkillMatch
from veridical.tools.toolbox import Toolbox
from veridical.trace.gate_meter import meter_gate

if TYPE_CHECKING:
    from pydantic_ai.models import Model

Emit = Callable[[Event | Progress], None]
WatchGate = Callable[[Proof, Language, float], None]
"""Called with each verdict of the gate, the answer's language, and the seconds it took."""


@dataclass(frozen=True)
class Session:
    """One caller's access to one feature. Cheap to make; lives as long as one question."""

    feature: Feature
    caller: Caller
    model: "Model | None" = None
    settings: AgentSettings = AgentSettings()  # noqa: RUF009 (immutable)
    emit: Emit = lambda event: None
    policy: Policy = DEFAULT_POLICY
    """The policy of the answer gate."""
    reviewer: "Model | None" = None
    """The model that compares the prose of an answer in facts with the exact sentences."""
    regenerations: int = 1
    """The number of times that a model may rewrite a blocked answer."""
    skills: tuple[Skill, ...] = ()
    """The skills that the agent may follow."""
    skill: SkillMatch | None = None
    """The one that this question asks for."""
    routed: bool = True
    """True if questions may be answered without the model; a comparison of models says no."""
    ask: AskPerson = no_person
    """How a run asks people for decisions."""
    approvals: Approvals = NO_APPROVALS
    """The approvals that a run needs from people."""
    watch_gate: WatchGate = meter_gate
    """Counts the gate's verdicts; not called for replayed ones."""

    @property
    def language(self) -> Language:
        """The language that the caller is answered in."""
        return self.caller.language

    @property
    def show(self) -> Show:
        """The parts of an answer in facts that are shown."""
        return self.policy.show or (Show.EXACT if self.model is None else Show.REVIEWED)

    @property
    def toolbox(self) -> Toolbox:
        """The checked tools of this caller."""
        return self.feature.toolbox(
            self.caller,
            known_questions=self.settings.known_questions,
            only=self.settings.tools,
            describes=not self.feature.fits_whole(self.caller, self.settings.prompt_tokens),
        )
