"""Live runs against a model and the database: each is recorded, so that it can be replayed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

from pydantic_ai.models import Model

from veridical.agent.prompt import rules_hash
from veridical.agent.settings import AgentSettings
from veridical.evals.execution.attempt import attempt
from veridical.evals.execution.inputs import EvalInputs, ModelFor
from veridical.evals.execution.models import CacheCount, CachedModel, is_drawn
from veridical.evals.execution.plan import Planned, gold_hash
from veridical.evals.execution.recording import Recording
from veridical.evals.gold.case import Timeouts
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import MODES
from veridical.evals.scoring.record import ScoredRun
from veridical.evals.storage.folder import RunFolder
from veridical.evals.storage.setup import RunHeader, RunSetup, Setting

_NOT_DECISIVE = {"api_key", "base_url", "stream"}


@dataclass(frozen=True)
class LiveRuns:
    """Everything that a live run needs."""

    stage: EvalEnvironment
    truths: Mapping[str, CaseTruth]
    model_for: ModelFor
    settings: AgentSettings
    timeouts: Timeouts
    folder: RunFolder
    cache: Path | None = None
    """The folder of cached replies; none calls the model every time."""
    count: CacheCount = field(default_factory=CacheCount)

    async def make(self, planned: Planned) -> ScoredRun:
        """Make one run and keep it, unless the model was away."""
        truth = self.truths[planned.case.id]
        model = self._cached(self.model_for(planned, truth), planned)
        limit = self.timeouts.limit(planned.case.difficulty)
        cached = model if isinstance(model, CachedModel) else None
        recording = Recording(planned.gold.today, limit, cached)
        recording.note_model(model)
        mode = MODES[planned.key.mode]
        judged = await attempt(
            planned,
            truth,
            lambda emit: self.stage.session(
                mode, planned.case, planned.gold, model, self.settings, emit
            ),
            recording,
            _trace_id(planned),
            limit,
        )
        if judged.record.timed_out:
            recording.time_out()
        if not judged.model_is_away:
            self.folder.save(judged, recording.text)
        return judged

    def _cached(self, model: Model | None, planned: Planned) -> Model | None:
        if model is None or self.cache is None:
            return model
        repeat = planned.key.repeat if is_drawn(self.settings) else None
        return CachedModel(model, self.cache, self.count, repeat)


def _trace_id(planned: Planned) -> str:
    key = planned.key
    return f"{key.case}-{key.mode}-{key.repeat}-{uuid4().hex[:8]}"


def setup_of(
    ground: EvalInputs,
    settings: AgentSettings,
    planned: Sequence[Planned],
    *,
    timeouts: Timeouts,
    same_words: bool = False,
) -> RunSetup:
    """The setup of these runs."""
    hashed = gold_hash(ground.golds)
    ontology = ground.stage.known.ontology_hash
    return RunSetup(
        header=RunHeader(
            gold=", ".join(gold.name for gold in ground.golds),
            cases=len({each.key.case for each in planned}),
            repeats=max((each.key.repeat + 1 for each in planned), default=0),
            model=settings.model,
            simulated=ground.model_for is not None,
            settings=_shown(settings, timeouts, hashed, ontology),
            version=version("veridical"),
        ),
        gold=ground.sources,
        gold_hash=hashed,
        ontology_hash=ontology,
        rules_hash=rules_hash(),
        settings=settings.model_dump(mode="json", exclude=_NOT_DECISIVE),
        timeouts=timeouts,
        same_words=same_words,
    )


def _shown(
    settings: AgentSettings, timeouts: Timeouts, gold: str, ontology: str
) -> dict[str, Setting]:
    """The settings that a report shows."""
    return {
        "temperature": settings.temperature,
        "promptTokens": settings.prompt_tokens,
        "maxOutputTokens": settings.max_output_tokens,
        "toolChoiceRequired": settings.tool_choice_required,
        "knownQuestions": settings.known_questions,
        "stablePrompt": settings.stable_prompt,
        "rounds": settings.budget.rounds,
        "wallSeconds": settings.budget.wall_seconds,
        "timeoutFactor": timeouts.factor,
        "goldHash": gold,
        "ontologyHash": ontology,
        "rulesHash": rules_hash(),
    }
