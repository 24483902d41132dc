"""Every page with every role and of another tenant: nobody sees what is not theirs to see."""

import pytest
from fastapi.routing import APIRoute

from tests.console.pages import SAME, signed_in, started_review, token_of, visitor
from tests.console.stored import (
    feedback_on,
    kept_conversation,
    proposals,
    reported,
    reviewed_case,
    shared_answer,
)
from tests.server.rights import MAY, NOTHING, Belongings, belongings
from tests.server.standing import ACME, GLOBEX, Standing
from veridical.console.mount import ROUTERS
from veridical.server.identity import Action, Role
from veridical.store.feedback import decide_feedback

pytestmark = pytest.mark.postgres

READ, ASK, DECIDE, ADMIN = Action.READ, Action.ASK, Action.DECIDE, Action.ADMIN
OPEN: frozenset[Action] = frozenset()
Operation = tuple[str, str]
NEEDS: dict[Operation, frozenset[Action]] = {
    ("GET", "/"): OPEN,
    ("GET", "/console"): OPEN,
    ("GET", "/console/static/{name:path}"): OPEN,
    ("GET", "/console/signin"): OPEN,
    ("POST", "/console/signin"): OPEN,
    ("GET", "/console/signin/oidc"): OPEN,
    ("GET", "/console/signin/callback"): OPEN,
    ("POST", "/console/language"): OPEN,
    ("GET", "/console/enter"): OPEN,
    ("GET", "/console/settings"): frozenset({READ}),
    ("POST", "/console/theme"): frozenset({READ}),
    ("POST", "/console/tour"): frozenset({READ}),
    ("POST", "/console/signout"): frozenset({READ}),
    ("POST", "/console/signout/everywhere"): frozenset({READ}),
    ("GET", "/console/sessions"): frozenset({READ}),
    ("POST", "/console/sessions/end"): frozenset({ADMIN}),
    ("GET", "/console/ask"): frozenset({READ}),
    ("POST", "/console/ask"): frozenset({ASK}),
    ("GET", "/c/{conversation}"): OPEN,
    ("GET", "/console/conversations"): frozenset({READ}),
    ("GET", "/console/c/{conversation}"): frozenset({READ}),
    ("POST", "/console/c/{conversation}"): frozenset({READ}),
    ("GET", "/console/ask/files"): frozenset({ASK}),
    ("POST", "/console/ask/files"): frozenset({ASK}),
    ("POST", "/console/ask/{trace_id}/report"): frozenset({ASK}),
    ("POST", "/console/ask/{trace_id}/feedback"): frozenset({ASK}),
    ("GET", "/console/runs"): frozenset({READ}),
    ("GET", "/console/runs/compare"): frozenset({READ}),
    ("GET", "/console/runs/{trace_id}"): frozenset({READ}),
    ("GET", "/console/runs/{trace_id}/events"): frozenset({READ}),
    ("GET", "/console/runs/{trace_id}/export"): frozenset({READ}),
    ("POST", "/console/runs/{trace_id}/share"): frozenset({READ}),
    ("GET", "/console/shares"): frozenset({READ}),
    ("GET", "/console/s/{share_id}"): frozenset({READ}),
    ("POST", "/console/s/{share_id}/revoke"): frozenset({READ}),
    ("GET", "/console/runs/{trace_id}/table.csv"): frozenset({READ}),
    ("GET", "/console/runs/{trace_id}/signed.html"): frozenset({READ}),
    ("GET", "/console/signing-key.pem"): OPEN,
    ("GET", "/console/runs/{trace_id}/tables.xlsx"): frozenset({READ}),
    ("GET", "/console/inbox"): frozenset({READ}),
    ("GET", "/console/inbox/{item}"): frozenset({READ, DECIDE}),
    ("POST", "/console/inbox/{item}"): frozenset({READ, DECIDE}),
    ("GET", "/console/evidence"): frozenset({ASK}),
    ("GET", "/console/evidence/runs"): frozenset({ASK}),
    ("POST", "/console/evidence/runs"): frozenset({ASK}),
    ("GET", "/console/evidence/runs/{run_id}"): frozenset({READ}),
    ("GET", "/console/requirements"): frozenset({ASK}),
    ("POST", "/console/requirements"): frozenset({ASK}),
    ("GET", "/console/requirements/{run_id}"): frozenset({ASK}),
    ("GET", "/console/requirements/{run_id}/events"): frozenset({ASK}),
    ("GET", "/console/requirements/{run_id}/question"): frozenset({ASK}),
    ("POST", "/console/requirements/{run_id}/question"): frozenset({ASK}),
    ("GET", "/console/quality"): frozenset({ADMIN}),
    ("GET", "/console/quality/evals"): frozenset({ADMIN}),
    ("GET", "/console/quality/reviews"): frozenset({ADMIN}),
    ("POST", "/console/quality/reviews/{report}"): frozenset({ADMIN}),
    ("GET", "/console/quality/reviews/{report}/case"): frozenset({ADMIN}),
    ("POST", "/console/quality/reviews/feedback/{number}"): frozenset({ADMIN}),
    ("GET", "/console/quality/questions"): frozenset({ADMIN}),
    ("POST", "/console/quality/questions/{feature}/{key}"): frozenset({ADMIN}),
    ("GET", "/console/quality/reviews/feedback/{number}/case"): frozenset({ADMIN}),
    ("GET", "/console/data"): frozenset({READ}),
    ("GET", "/console/data/connect"): frozenset({ADMIN}),
    ("POST", "/console/data/connect/file"): frozenset({ADMIN}),
    ("POST", "/console/data/connect/address"): frozenset({ADMIN}),
    ("GET", "/console/data/connect/{attempt_id}"): frozenset({ADMIN}),
    ("GET", "/console/data/connect/{attempt_id}/state"): frozenset({ADMIN}),
    ("POST", "/console/data/{name}/remove"): frozenset({ADMIN}),
    ("GET", "/console/ontology"): frozenset({READ}),
    ("GET", "/console/ontology/edit"): frozenset({ADMIN}),
    ("POST", "/console/ontology/edit/{feature}"): frozenset({ADMIN}),
    ("GET", "/console/ontology/history"): frozenset({ADMIN}),
    ("POST", "/console/ontology/history/{feature}"): frozenset({ADMIN}),
    ("GET", "/console/ontology/rules"): frozenset({ADMIN}),
    ("POST", "/console/ontology/rules/{feature}"): frozenset({ADMIN}),
    ("GET", "/console/ontology/upkeep"): frozenset({ADMIN}),
    ("POST", "/console/ontology/upkeep/{feature}"): frozenset({ADMIN}),
    ("GET", "/console/admin"): frozenset({ADMIN}),
    ("GET", "/console/admin/audit"): frozenset({ADMIN}),
    ("GET", "/console/admin/model"): frozenset({ADMIN}),
    ("POST", "/console/admin/model"): frozenset({ADMIN}),
    ("POST", "/console/admin/keys"): frozenset({ADMIN}),
    ("GET", "/console/admin/keys/{key_id}/revoke"): frozenset({ADMIN}),
    ("POST", "/console/admin/keys/{key_id}/revoke"): frozenset({ADMIN}),
}
CLOSED = sorted(operation for operation, needed in NEEDS.items() if needed)
_FORMS: dict[Operation, dict[str, str]] = {
    ("POST", "/console/ask"): {"feature": "trustee", "question": "Saldo von Konto 1020 Ende 2024?"},
    ("POST", "/console/c/{conversation}"): {"do": "pin"},
    ("POST", "/console/ask/{trace_id}/feedback"): {"verdict": "right"},
    ("POST", "/console/quality/reviews/feedback/{number}"): {"decision": "gold"},
    ("POST", "/console/requirements"): {"text": "The system shall be fast."},
    ("POST", "/console/quality/reviews/{report}"): {"decision": "agree"},
    ("POST", "/console/ontology/upkeep/{feature}"): {
        "decision": "accept",
        "id": proposals()[0].id,
    },
    ("POST", "/console/ontology/rules/{feature}"): {"do": "remove", "rule": "none"},
    ("POST", "/console/admin/model"): {"do": "off"},
    ("POST", "/console/admin/keys/{key_id}/revoke"): {"confirmed": "yes"},
    ("POST", "/console/admin/keys"): {"name": "one more", "role": "viewer", "days": "1"},
}
_DONE = frozenset({200, 303})
_NOTHING_TO_DO: dict[Operation, int] = {
    ("POST", "/console/ask/{trace_id}/report"): 404,
    ("GET", "/console/requirements/{run_id}/question"): 204,
    ("GET", "/console/data/connect/{attempt_id}"): 404,
    ("GET", "/console/data/connect/{attempt_id}/state"): 404,
    ("POST", "/console/data/{name}/remove"): 404,
    ("POST", "/console/quality/questions/{feature}/{key}"): 404,
    ("POST", "/console/ontology/edit/{feature}"): 404,
    ("POST", "/console/ontology/history/{feature}"): 404,
    ("POST", "/console/ontology/rules/{feature}"): 404,
}
"""The answer that is there was not held back, the review asks nothing (yet), no data was connected
here, and no part of an ontology is named: whoever may is told so."""


_reviews: dict[str, str] = {}
"""By the run that somebody has: a review of theirs."""


@pytest.fixture(scope="module")
def own(console: Standing) -> Belongings:
    return _belongings(console)


def _belongings(console: Standing) -> Belongings:
    of = belongings(console)
    _reviews[of.run] = started_review(console)
    return of


def test_every_page_is_in_the_matrix() -> None:
    routes = [route for router in ROUTERS for route in router.routes]
    found = {
        (method, route.path)
        for route in routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert found == set(NEEDS)


@pytest.mark.parametrize("operation", CLOSED, ids=" ".join)
def test_nobody_unknown(console: Standing, own: Belongings, operation: Operation) -> None:
    with visitor(console) as client:
        method, path = operation[0], _address(operation, own)
        response = client.request(method, path, data=_form(operation, own), headers=SAME)
    assert response.status_code == 303
    assert response.headers["location"].startswith("/console/signin")


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("operation", CLOSED, ids=" ".join)
def test_each_role(console: Standing, operation: Operation, role: Role) -> None:
    of = _belongings(console) if operation[0] == "POST" else _shared(console)
    status, _ = _tried(console, operation, of, role, ACME)
    if not NEEDS[operation] <= MAY[role]:
        assert status == 403
    else:
        assert status in _DONE or status == _NOTHING_TO_DO.get(operation)


@pytest.mark.parametrize("operation", [each for each in CLOSED if "{" in each[1]], ids=" ".join)
def test_what_another_tenant_has_is_not_there(
    console: Standing, own: Belongings, operation: Operation
) -> None:
    theirs = _tried(console, operation, own, Role.ADMIN, GLOBEX)
    nothing = _tried(console, operation, NOTHING, Role.ADMIN, GLOBEX)
    assert theirs[0] == nothing[0] == 404
    told = theirs[1].replace(_address(operation, own), "")  # what was asked for may be said again
    assert not any(each in told for each in (*own.ids, _reviews[own.run]))


@pytest.mark.parametrize(
    "path", ["quality/evals", "ontology/upkeep", "admin/model", "data/connect"]
)
def test_what_holds_for_all_is_for_who_looks_after_it(console: Standing, path: str) -> None:
    with signed_in(console, Role.ADMIN, GLOBEX) as client:
        assert client.get(f"/console/{path}").status_code == 404
        for page in ("quality", "ontology", "admin", "ask"):
            assert f"/console/{path}" not in client.get(f"/console/{page}").text


def test_lists_have_ones_own_tenant_only(console: Standing, own: Belongings) -> None:
    for path in ("runs", "inbox?every=true", "admin", "admin/audit"):
        with signed_in(console, Role.ADMIN, GLOBEX) as client:
            text = client.get(f"/console/{path}").text
        assert not any(each in text for each in (own.run, own.trace, own.item, own.key))


_kept: dict[str, Belongings] = {}


def _shared(console: Standing) -> Belongings:
    if console.address not in _kept:
        _kept[console.address] = _belongings(console)
    return _kept[console.address]


def _tried(
    console: Standing, operation: Operation, of: Belongings, role: Role, tenant: str
) -> tuple[int, str]:
    with signed_in(console, role, tenant) as client:
        form = _form(operation, of)
        if operation[0] == "POST":
            form = {**form, "csrf": token_of(client)}
        path = _address(operation, of)
        if "{conversation}" in path:
            whose = f"{role} of {ACME}" if tenant == ACME and of is not NOTHING else "nobody"
            path = path.replace("{conversation}", kept_conversation(console, whose, of.trace))
        if "{share_id}" in path:
            whose = f"{role} of {ACME}" if of is not NOTHING else ""
            path = path.replace("{share_id}", shared_answer(console, whose, of.trace))
        if "{number}" in path:
            path = path.replace("{number}", str(_opinion(console, operation, of)))
        if "{report}" in path:
            path = path.replace("{report}", str(_report(console, operation, of)))
        data = form if operation[0] == "POST" else None
        with client.stream(operation[0], path, data=data, headers=SAME) as response:
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                return response.status_code, next(response.iter_text(), "")
            return response.status_code, response.read().decode(errors="replace")


def _report(console: Standing, operation: Operation, of: Belongings) -> int:
    """A report of its own for who decides, and a decided one for who reads."""
    if of is NOTHING:
        return 999_999
    found = reported(console, of.trace, by=operation[0])
    if operation[0] == "GET":
        reviewed_case(console, found)
    return found


def _opinion(console: Standing, operation: Operation, of: Belongings) -> int:
    """What somebody says about an answer: open for who decides, and decided for who reads."""
    if of is NOTHING:
        return 999_999
    number = feedback_on(console, of.trace, operation[0])
    if operation[0] == "GET":
        with console.services.store.tenant(ACME) as connection:
            cases = [{"question": "What?", "truth": {"sql": "SELECT 1"}}]
            decide_feedback(connection, ACME, "somebody", number, {"name": "one", "cases": cases})
    return number


def _form(operation: Operation, of: Belongings) -> dict[str, str]:
    if operation == ("POST", "/console/inbox/{item}"):
        return {"decision": "approve", "evidenceHash": of.evidence_hash}
    return dict(_FORMS.get(operation, {}))


def _address(operation: Operation, of: Belongings) -> str:
    trace = of.run if operation[1].endswith("/events") else of.trace
    path = operation[1].replace("{trace_id}", trace).replace("{item}", of.item)
    run = of.collecting if "/evidence/" in path else _reviews.get(of.run, of.run)
    path = path.replace("{key_id}", of.key).replace("{run_id}", run)
    path = path.replace("{feature}", "nothing" if of is NOTHING else "trustee")
    return f"{path}?a={of.trace}&b={of.trace}" if path.endswith("/compare") else path
