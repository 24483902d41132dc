"""The agent's instructions: rules, data, known questions, the skill to follow."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from veridical.agent.answer_form import AnswerForm
from veridical.agent.conversation import calls_made
from veridical.agent.prompt import compose_instructions
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.agent.settings import AgentSettings
from veridical.answering.context import RunContext
from veridical.answering.fact_tables import fact_tables, of_run
from veridical.answering.grounds import exhibits_of
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.facts.instruction import instruction as facts_instruction
from veridical.facts.schema import facts_schema
from veridical.gate.quotations.instruction import citing_instruction
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
    """The request to the agent with its instructions; after an answer that was off topic, with
    other known questions than those that led there."""
    session, language = run.session, run.language
    form = session.settings.answer_form
    in_facts = form is AnswerForm.FACTS
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
        answer_form=form,
    )
    if in_facts:
        instructions += "\n\n" + facts_instruction()
    elif SEARCH_EVIDENCE in toolbox.names and form is AnswerForm.TEXT:
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
        answer_schema=partial(_facts_schema, run) if in_facts else None,
    )


def _facts_schema(run: RunContext, sources: Sequence[Source]) -> dict[str, Any]:
    """The JSON schema of a final answer in facts, over these results."""
    question, meaning = run.question, run.session.feature.meaning
    exhibits = exhibits_of(sources, question, meaning)
    return facts_schema(fact_tables(of_run(sources, exhibits, question, meaning)))


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
        evidence_first=settings.evidence_first and _needs_reminding(settings),
        stream=settings.stream and settings.answer_form is AnswerForm.TEXT,
        at=run.opening.at,
    )


def _needs_reminding(settings: AgentSettings) -> bool:
    """False for a model that may choose and writes facts: what it says without a result is its own
    words, which no figure can be in."""
    return settings.tool_choice_required or settings.answer_form is not AnswerForm.FACTS


def selecting_words(run: RunContext) -> str:
    """The words that select a model's instructions; none where they are the same every time."""
    return "" if run.session.settings.stable_prompt else run.question.text


def _likely(run: RunContext, known: Repertoire, off_topic: LoopOutcome | None) -> str:
    """The known questions that come near to this one."""
    tried = frozenset(_tried(off_topic, known, run.language)) if off_topic else frozenset[str]()
    near = likely_patterns(run.question.text, known.index, run.language, run.today, tried)
    named = ", ".join(str(each) for each in near if each.intent in known.patterns)
    return message("agent.likely", run.language, questions=named) if named else ""


def _tried(off_topic: LoopOutcome, known: Repertoire, language: Language) -> Iterator[str]:
    """The intents of the known questions that were called."""
    for tool, arguments in calls_made(off_topic.messages):
        call = read_known_question(arguments, known, language) if tool == KNOWN_QUESTION else None
        if isinstance(call, KnownCall):
            yield call.pattern.intent
