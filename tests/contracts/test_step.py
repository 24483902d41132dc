import asyncio

from veridical.contracts.step import Action, Json, directly, recorded
from veridical.contracts.wire import Wire


class Weighed(Wire):
    in_grams: float
    parts: tuple[int, ...]


WEIGHED = Weighed(in_grams=1.5, parts=(1, 2))


async def weigh() -> Weighed:
    return WEIGHED


async def must_not_run() -> Weighed:
    raise AssertionError("it was recorded")


def test_what_nobody_records_is_given_as_it_is() -> None:
    assert asyncio.run(recorded(directly, "weigh", weigh, Weighed)) is WEIGHED


def test_what_is_recorded_is_json_and_is_read_back_without_being_done_again() -> None:
    journal: dict[str, Json] = {}

    async def recording(name: str, action: Action) -> Json:
        journal[name] = await action()
        return journal[name]

    async def replayed(name: str, action: Action) -> Json:
        return journal[name]

    first = asyncio.run(recorded(recording, "weigh", weigh, Weighed))
    assert journal == {"weigh": {"inGrams": 1.5, "parts": [1, 2]}}
    again = asyncio.run(recorded(replayed, "weigh", must_not_run, Weighed))
    assert first == again == WEIGHED
