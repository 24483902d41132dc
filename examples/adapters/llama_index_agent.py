"""Veridical in LlamaIndex: the tool checks and runs queries, the gate reads what the agent says."""

from checked_question import CheckedQuestion
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.memory import Memory


async def answer(asked: CheckedQuestion, model: FunctionCallingLLM) -> str:
    """The agent's answer where it stands, else the host's own."""
    agent = FunctionAgent(llm=model, tools=[asked.query], system_prompt=asked.context)
    memory, told = Memory.from_defaults(), asked.question
    while told:
        text = str(await agent.run(told, memory=memory))
        told = asked.objection(text)
    return asked.answer
