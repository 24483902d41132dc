"""What each operation needs, written by hand; and for each a request that would succeed."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

import httpx2

from tests.runs.asked import asked
from tests.server.standing import ACME, BALANCE, Standing
from veridical.contracts.caller import Caller
from veridical.contracts.person import ItemKind, PersonNeeded, Waiting
from veridical.contracts.search_collect import CollectTask
from veridical.runs.request import collect_request
from veridical.server.evidence_request import CollectRequest
from veridical.server.identity import Action, Role
from veridical.server.keys import create_key

Operation = tuple[str, str]
READ, ASK, DECIDE, ADMIN = Action.READ, Action.ASK, Action.DECIDE, Action.ADMIN
PUBLIC: frozenset[Action] = frozenset()

NEEDS: Mapping[Operation, frozenset[Action]] = {
    ("GET", "/health/live"): PUBLIC,
    ("GET", "/.well-known/oauth-protected-resource/mcp"): PUBLIC,
    ("GET", "/health/ready"): PUBLIC,
    ("GET", "/metrics"): PUBLIC,  # from this machine, where no token is set
    ("GET", "/openapi.json"): PUBLIC,
    ("POST", "/v1/ask"): frozenset({ASK}),
    ("POST", "/v1/gate"): frozenset({ASK}),
    ("POST", "/v1/facts"): frozenset({ASK}),
    ("POST", "/v1/gate/false-blocks"): frozenset({ASK}),
    ("GET", "/v1/gate/false-blocks"): frozenset({ADMIN}),
    ("POST", "/v1/check"): frozenset({ASK}),
    ("POST", "/v1/files/ask"): frozenset({ASK}),
    ("POST", "/v1/search"): frozenset({ASK}),
    ("POST", "/v1/search/runs"): frozenset({ASK}),
    ("GET", "/v1/search/runs/{id}"): frozenset({READ}),
    ("POST", "/api/v2/evaluate/single"): frozenset({ASK}),
    ("POST", "/api/v1/validate/batch"): frozenset({ASK}),
    ("POST", "/api/v1/validate/suggest"): frozenset({ASK}),
    ("POST", "/api/kg/search/nodes"): frozenset({ASK}),
    ("POST", "/v1/requirements/reviews"): frozenset({ASK}),
    ("POST", "/v1/chat/completions"): frozenset({ASK}),
    ("GET", "/v1/models"): frozenset({READ}),
    ("GET", "/v1/models/{model}"): frozenset({READ}),
    ("GET", "/v1/ontology"): frozenset({READ}),
    ("GET", "/v1/ontology/{feature}"): frozenset({READ}),
    ("POST", "/v1/runs"): frozenset({ASK}),
    ("GET", "/v1/runs"): frozenset({READ}),
    ("GET", "/v1/runs/{id}"): frozenset({READ}),
    ("GET", "/v1/runs/{id}/events"): frozenset({READ}),
    ("POST", "/v1/runs/{id}/cancel"): frozenset({ASK}),
    ("GET", "/v1/traces"): frozenset({READ}),
    ("GET", "/v1/traces/{id}"): frozenset({READ}),
    ("GET", "/v1/inbox"): frozenset({READ}),
    ("GET", "/v1/inbox/{id}"): frozenset({READ, DECIDE}),  # of somebody else's run
    ("POST", "/v1/inbox/{id}/decision"): frozenset({READ, DECIDE}),
    ("GET", "/v1/keys"): frozenset({ADMIN}),
    ("POST", "/v1/keys"): frozenset({ADMIN}),
    ("DELETE", "/v1/keys/{id}"): frozenset({ADMIN}),
    ("GET", "/v1/audit"): frozenset({ADMIN}),
    ("POST", "/mcp"): frozenset({READ}),
}
MAY: Mapping[Role, frozenset[Action]] = {
    Role.VIEWER: frozenset({READ}),
    Role.ANALYST: frozenset({READ, ASK}),
    Role.APPROVER: frozenset({READ, ASK, DECIDE}),
    Role.ADMIN: frozenset({READ, ASK, DECIDE, ADMIN}),
}

_ASKED: dict[str, Any] = {"feature": "trustee", "question": BALANCE}
_CALL = {"tool": "executeSqlSafe", "sql": 'SELECT "label" FROM "TrusteeDataAccount"'}
_CHAT = {"model": "veridical:trustee", "messages": [{"role": "user", "content": BALANCE}]}
COLLECTION = "rules"
_COLLECTED = {"collection": COLLECTION, "data": {"query": "deposit"}}
_FILE = {"name": "a.csv", "content": "n\n7\n"}
_HELD_BACK = {
    "verdict": "block",
    "findings": [{"code": "UNGROUNDED_CLAIM", "mode": "block", "hint": "no", "claim": "7"}],
}
_BODIES: Mapping[Operation, dict[str, Any]] = {
    ("POST", "/v1/ask"): _ASKED,
    ("POST", "/v1/runs"): _ASKED,
    ("POST", "/v1/gate"): {"answer": "It was 7.", "evidence": [{"n": 7}]},
    ("POST", "/v1/facts"): {"answer": {"facts": {}, "answer": "No."}, "evidence": [{"n": 7}]},
    ("POST", "/v1/gate/false-blocks"): {"proof": _HELD_BACK},
    ("POST", "/v1/check"): {"feature": "trustee", "call": _CALL},
    ("POST", "/v1/search"): {"feature": "trustee", "data": {"query": "deposit"}},
    ("POST", "/v1/search/runs"): {"feature": "trustee", **_COLLECTED},
    ("POST", "/v1/files/ask"): {"question": "How many?", "files": [_FILE]},
    ("POST", "/api/v2/evaluate/single"): {"text": "Die App muss schnell sein"},
    ("POST", "/api/v1/validate/batch"): {"items": ["Die App muss schnell sein"]},
    ("POST", "/api/v1/validate/suggest"): {"items": ["Die App muss schnell sein"]},
    ("POST", "/api/kg/search/nodes"): {"requirements": ["Die App muss schnell sein"]},
    ("POST", "/v1/requirements/reviews"): {"requirements": ["Die App muss schnell sein"]},
    ("POST", "/v1/chat/completions"): _CHAT,
    ("POST", "/v1/keys"): {"name": "one more", "role": "admin", "actions": ["admin"]},
    ("POST", "/mcp"): {"jsonrpc": "2.0", "id": 1, "method": "ping"},
}
_CHANGING = (
    ("POST", "/v1/runs/{id}/cancel"),
    ("POST", "/v1/inbox/{id}/decision"),
    ("DELETE", "/v1/keys/{id}"),
)
_NOWHERE = "0123456789abcdef"


@dataclass(frozen=True)
class Belongings:
    """Something of each kind, with ids that nobody else should ever read."""

    run: str
    collecting: str
    trace: str
    item: str
    key: str
    evidence_hash: str = "0" * 64

    @property
    def ids(self) -> tuple[str, ...]:
        return astuple(self)


NOTHING = Belongings(_NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE)
"""What nobody has."""


def belongings(server: Standing, tenant: str = ACME) -> Belongings:
    """New ones of this tenant, all of somebody who holds none of its keys."""
    services = server.services
    run = services.runs.start(asked(), tenant, "somebody").run_id
    task = CollectRequest.model_validate({"feature": "trustee", **_COLLECTED}).as_request()
    wanted = CollectTask(request=task, collection=COLLECTION, searched=())
    caller = Caller(name="somebody", member_of=tenant)
    collecting = services.runs.start(collect_request(wanted, caller, "trustee"), tenant, "somebody")
    needed = PersonNeeded(
        name="evidence.1",
        kind=ItemKind.EVIDENCE,
        subject={"question": BALANCE, "results": [{"rows": [[run]]}]},
        reversible=True,
    )
    try:
        services.inbox.settled(run, tenant, needed)
        raise AssertionError("nobody was asked")
    except Waiting as waiting:
        item = waiting.item
    with services.store.tenant(tenant) as connection:
        key = create_key(connection, tenant, "somebody", Role.VIEWER, actor="somebody").id
    with server.client(tenant) as client:
        trace = client.post("/v1/ask", json=_ASKED).json()["traceId"]
    return Belongings(run, collecting.run_id, trace, item, key, needed.evidence_hash)


def changes(operation: Operation) -> bool:
    """Whether what it is done to is another thing afterwards."""
    return operation in _CHANGING


def names_something(operation: Operation) -> bool:
    """Whether it is done to one thing of a tenant."""
    return "{id}" in operation[1]


def body_of(operation: Operation, of: Belongings) -> dict[str, Any] | None:
    if operation[1].endswith("/decision"):
        return {"approved": True, "evidenceHash": of.evidence_hash}
    return _BODIES.get(operation)


def answered(
    client: httpx2.Client,
    operation: Operation,
    of: Belongings,
    **more: Any,
) -> tuple[int, str]:
    """The status and the text that came; of a stream that goes on, only its beginning."""
    method, path = operation
    wanted = _address(path, of)
    sent: dict[str, Any] = {"json": body_of(operation, of), **more}
    headers = {"accept": "application/json, text/event-stream"}
    with client.stream(method, wanted, headers=headers, **sent) as response:
        if response.headers.get("content-type", "").startswith("text/event-stream"):
            return response.status_code, next(response.iter_text(), "")
        return response.status_code, response.read().decode()


def _address(path: str, of: Belongings) -> str:
    thing = {"runs": of.run, "traces": of.trace, "inbox": of.item, "keys": of.key}
    if path.startswith("/v1/search"):
        return path.replace("{id}", of.collecting)
    known = path.replace("{feature}", "trustee").replace("{model}", "veridical:trustee")
    return known.replace("{id}", thing.get(path.split("/")[2] if "{id}" in path else "", ""))
