"""Veridical in LlamaIndex: the tool checks and runs queries, the gate reads what the agent says."""

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.workflow import Context

import veridical.client


async def answer(question: str, model: FunctionCallingLLM, client: veridical.AsyncClient) -> str:
    """The agent's answer, once one of them stands."""
    results: list[veridical.client.Source] = []

    async def query(sql: str) -> str:
        """Run one SELECT statement."""
        if verdict := client.check(sql, question=question):
            results.append(await client.run(verdict))
        rows = f"{results[-1].columns}: {results[-1].rows}\n" if verdict else ""
        return rows + verdict.feedback

    agent = FunctionAgent(llm=model, tools=[query], system_prompt=client.context(question))
    memory, asked = Context(agent), question
    for _ in range(2):
        text = str(await agent.run(asked, ctx=memory))
        proof = client.gate(text, results, question=question)
        if not proof.findings:
            return text
        asked = "\n".join(finding.hint for finding in proof.findings)
    return "I can't say."
