"""Veridical in NeMo Guardrails: an output rail is the gate, and replaces what never stands."""

from checked_question import CheckedQuestion
from nemoguardrails import LLMRails, RailsConfig
from nemoguardrails.actions.rail_outcome import RailOutcome, TransformTarget
from nemoguardrails.rails.llm.options import RailStatus
from openai_client import reply

CONFIG = """
models: []
rails: {output: {flows: [veridical]}}
"""
FLOWS = """
define subflow veridical
  $outcome = execute veridical_gate(text=$bot_message)
  if $outcome.is_blocked
    $hint = $outcome.reason
    bot object
    stop
  if $outcome.is_transform
    $bot_message = $outcome.transform_text["bot_message"]

define bot object
  "$hint"
"""


def answer(asked: CheckedQuestion, model: str) -> str:
    """The model's answer where it stands, else the host's own."""

    async def veridical_gate(text: str) -> RailOutcome:
        if hint := asked.objection(text):
            return RailOutcome.block(reason=hint)
        if asked.answer == text:
            return RailOutcome.allow()
        return RailOutcome.transform([(TransformTarget.BOT_MESSAGE, asked.answer)])

    rails = LLMRails(RailsConfig.from_content(FLOWS, CONFIG))
    rails.register_action(veridical_gate, "veridical_gate")
    told = asked.messages
    while True:
        text = reply(asked, model, told)
        found = rails.check([{"role": "assistant", "content": text}])
        if found.status is not RailStatus.BLOCKED:
            return found.content
        told.append({"role": "user", "content": found.content})
