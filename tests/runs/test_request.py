import json

from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.caller import Caller, Permissions, Scope
from veridical.contracts.language import Language
from veridical.runs.request import FrozenCaller

_NAMES = st.text(max_size=8)
_CALLERS = st.builds(
    Caller,
    scope=st.builds(
        Scope,
        allowed=st.dictionaries(
            _NAMES, st.lists(st.text(max_size=5) | st.integers(), max_size=3).map(tuple)
        ),
        shared=st.frozensets(_NAMES),
    ),
    permissions=st.builds(
        Permissions, allow=st.lists(_NAMES).map(tuple), deny=st.lists(_NAMES).map(tuple)
    ),
    language=st.sampled_from(Language),
    name=_NAMES,
)


@given(_CALLERS)
def test_a_caller_comes_back_from_json_with_the_same_rights(caller: Caller) -> None:
    frozen = FrozenCaller.of(caller)
    told = json.loads(json.dumps(frozen.model_dump(mode="json", by_alias=True)))
    assert FrozenCaller.model_validate(told).thawed() == caller
