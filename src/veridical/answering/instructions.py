"""What the agent is told before it begins: rules, data, known questions, the skill to follow."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from veridical.agent.conversation import calls_made
from veridical.agent.prompt import compose_instructions
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.agent.settings import AnswerForm
from veridical.answering.context import RunContext
from veridical.answering.grounds import exhibits_of
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.gate.quotations.instruction import citing_instruction
from veridical.gate.references.instruction import instruction, json_instruction
from veridical.gate.references.parts_schema import parts_schema
from veridical.gate.references.verdict import named_tables
from veridical.messages import message
from veridical.route.likely import likely_patterns
from veridical.skills import instructions as skill_instructions
from veridical.tools.describe import DESCRIBE
from veridical.tools.evidence import SEARCH_EVIDENCE
from veridical.tools.known_question import (
    KNOWN_QUESTION,
    KnownCall,
    read_known_question,
    worked_examples,
)
from veridical.tools.repertoire import Repertoire


def instructed(run: RunContext, off_topic: LoopOutcome | None = None) -> LoopRequest:
    """The request to the agent, with all that it is told; after an answer that was off topic, with
    other known questions than those that led there."""
    session, language = run.session, run.language
    toolbox = session.toolbox
    known = toolbox.known
    data = session.feature.context(
        session.caller,
        selecting_words(run),
        session.settings.prompt_tokens,
        known_calls=known is None,
        describe=DESCRIBE if DESCRIBE in toolbox.names else "",
    )
    instructions = compose_instructions(
        language,
        data,
        session.feature.ontology.canonical_patterns if session.feature.patterns else (),
        toolbox.names,
        tool_choice_required=session.settings.ends_with_tool,
        known_questions=worked_examples(known, language) if known else (),
    )
    form = session.settings.answer_form
    if form in _INSTRUCTIONS:
        instructions += "\n\n" + _INSTRUCTIONS[form]()
    if SEARCH_EVIDENCE in toolbox.names:
        instructions += "\n\n" + citing_instruction()
    if session.skill is not None:
        instructions += "\n\n" + skill_instructions(session.skill.skill, language)
    hint = _likely(run, known, off_topic) if known else ""
    return replace(
        loop_request(run, instructions),
        hint=hint,
        first_tools=(KNOWN_QUESTION,) if hint else (),
        results_in_words=known is not None,
        answer_form=form,
        answer_schema=partial(_schema, run) if form is AnswerForm.REFERENCES_JSON else None,
    )


_INSTRUCTIONS = {
    AnswerForm.REFERENCES: instruction,
    AnswerForm.REFERENCES_JSON: json_instruction,
}


def _schema(run: RunContext, sources: Sequence[Source]) -> dict[str, Any]:
    """What a final answer in parts looks like, over these results."""
    exhibits = exhibits_of(sources, run.question, run.session.feature.meaning)
    return parts_schema(named_tables(exhibits))


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
        tool_choice_required=settings.ends_with_tool,
        evidence_first=settings.evidence_first,
        stream=settings.stream and settings.answer_form is AnswerForm.TEXT,
        at=run.opening.at,
    )


def selecting_words(run: RunContext) -> str:
    """The words that select what a model is told; none where it is told the same every time."""
    return "" if run.session.settings.stable_prompt else run.question.text


def _likely(run: RunContext, known: Repertoire, off_topic: LoopOutcome | None) -> str:
    """The known questions that come near to this one."""
    tried = frozenset(_tried(off_topic, known, run.language)) if off_topic else frozenset[str]()
    near = likely_patterns(run.question.text, known.index, run.language, run.today, tried)
    named = ", ".join(str(each) for each in near if each.intent in known.patterns)
    return message("agent.likely", run.language, questions=named) if named else ""


def _tried(off_topic: LoopOutcome, known: Repertoire, language: Language) -> Iterator[str]:
    """The known questions that were asked, by intent."""
    for tool, arguments in calls_made(off_topic.messages):
        asked = read_known_question(arguments, known, language) if tool == KNOWN_QUESTION else None
        if isinstance(asked, KnownCall):
            yield asked.pattern.intent
