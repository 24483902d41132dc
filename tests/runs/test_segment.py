from hypothesis import given
from hypothesis import strategies as st

from tests.runs.asked import asked
from veridical.runs.request import RunSegment, run_of


@given(st.uuids(), st.integers(0, 50))
def test_the_lives_of_a_run_are_told_apart_and_belong_to_it(run: object, number: int) -> None:
    segment = RunSegment(
        run_id=str(run), number=number, tenant="acme", asked_by="Ada", request=asked()
    )
    names = [*segment.earlier, segment.workflow_id, segment.next.workflow_id]
    assert len(set(names)) == number + 2
    assert {run_of(name) for name in names} == {str(run)}
    assert names[0] == str(run)
    assert segment.next.earlier == [*segment.earlier, segment.workflow_id]
