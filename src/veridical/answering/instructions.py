"""What the agent is told before it begins: rules, data, known questions, the skill to follow."""

from dataclasses import replace

from veridical.agent.prompt import compose_instructions
from veridical.agent.request import LoopRequest
from veridical.answering.context import RunContext
from veridical.messages import message
from veridical.route.likely import likely_patterns
from veridical.skills import instructions as skill_instructions
from veridical.tools.known_question import KNOWN_QUESTION, worked_examples
from veridical.tools.repertoire import Repertoire


def instructed(run: RunContext) -> LoopRequest:
    """The request to the agent, with all that it is told."""
    session, language = run.session, run.language
    toolbox = session.toolbox
    known = toolbox.known
    data = session.feature.context(
        session.caller,
        selecting_words(run),
        session.settings.prompt_tokens,
        known_calls=known is None,
    )
    instructions = compose_instructions(
        language,
        data,
        session.feature.ontology.canonical_patterns if session.feature.patterns else (),
        toolbox.names,
        tool_choice_required=session.settings.tool_choice_required,
        known_questions=worked_examples(known, language) if known else (),
    )
    if session.skill is not None:
        instructions += "\n\n" + skill_instructions(session.skill.skill, language)
    hint = _likely(run, known) if known else ""
    return replace(
        loop_request(run, instructions),
        hint=hint,
        first_tools=(KNOWN_QUESTION,) if hint else (),
        results_in_words=known is not None,
    )


def loop_request(run: RunContext, instructions: str) -> LoopRequest:
    """The question with these instructions, under the session's settings."""
    settings = run.session.settings
    return LoopRequest(
        question=run.question.text,
        instructions=instructions,
        language=run.language,
        thread=run.question.thread,
        today=run.today.isoformat(),
        budget=settings.budget,
        price=settings.price,
        timeout_seconds=settings.timeout_seconds,
        tool_choice_required=settings.tool_choice_required,
        evidence_first=settings.evidence_first,
        stream=settings.stream,
        at=run.opening.at,
    )


def selecting_words(run: RunContext) -> str:
    """The words that select what a model is told; none where it is told the same every time."""
    return "" if run.session.settings.stable_prompt else run.question.text


def _likely(run: RunContext, known: Repertoire) -> str:
    """The known questions that come near to this one."""
    near = likely_patterns(run.question.text, known.index, run.language, run.today)
    named = ", ".join(str(each) for each in near if each.intent in known.patterns)
    return message("agent.likely", run.language, questions=named) if named else ""
