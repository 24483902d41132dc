"""A question of the demo that waits for a person: its inbox is not empty."""

from dataclasses import replace

from fastapi import FastAPI

from veridical.contracts.approvals import Approvals
from veridical.contracts.language import Language
from veridical.contracts.person import ItemKind
from veridical.contracts.question import Question
from veridical.messages import message
from veridical.server.answerer import Answerer
from veridical.server.routes.inbox import entries_for
from veridical.server.run_start import start_run
from veridical.server.services import Services

_LOOKED_AT = 50


async def ask_for_approval(app: FastAPI, key: str, feature: str, language: Language) -> None:
    """Ask as a colleague of whoever holds this key, who may then approve it: the worker looks the
    rows up and asks whether the answer may rest on them. Nothing is asked where an approval waits
    from an earlier time."""
    services: Services = app.state.services
    here: Answerer = app.state.answerer
    viewer = await services.identify(f"Bearer {key}")
    identity = replace(viewer, name=message("serve.demo_colleague", language), people=())
    waiting = await entries_for(services, identity, _LOOKED_AT, None, everything=False)
    if any(each.kind is ItemKind.EVIDENCE for each in waiting):
        return
    text = message("serve.demo_approval", language)
    question = Question(text=text, feature=feature, language=language)
    caller = here.caller(identity, feature, language)
    await start_run(services, identity, question, caller, Approvals(evidence=True))
