import pytest

from tests.server.tenancy import SCOPE
from veridical.contracts.language import Language
from veridical.server.identity import ACTIONS, Action, Identity, Limits, NotEntitledError, Role

IDENTITY = Identity("acme", "Ada", Role.VIEWER, ACTIONS[Role.VIEWER], SCOPE)


@pytest.mark.parametrize(
    ("role", "actions"),
    [
        (Role.VIEWER, {"read"}),
        (Role.ANALYST, {"read", "ask"}),
        (Role.APPROVER, {"read", "ask", "decide"}),
        (Role.ADMIN, {"read", "ask", "decide", "admin"}),
    ],
)
def test_what_a_role_may_do(role: Role, actions: set[str]) -> None:
    assert ACTIONS[role] == {Action(action) for action in actions}


def test_a_caller_sees_what_the_tenant_sees() -> None:
    caller = IDENTITY.caller("trustee", Language.DE, frozenset({"Currency"}))
    assert caller.scope.allowed == {"mandateId": ("m-001",)}
    assert caller.scope.shared == {"Currency"}
    assert (caller.language, caller.name) == (Language.DE, "Ada")


def test_a_feature_without_a_scope_is_closed() -> None:
    with pytest.raises(NotEntitledError):
        IDENTITY.caller("payroll", Language.EN, frozenset())


def test_limits_that_are_missing_are_the_default() -> None:
    assert Limits.model_validate({"perMinute": 5}) == Limits(per_minute=5)
