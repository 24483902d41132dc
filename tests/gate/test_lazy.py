"""A lazy value is worked out once for each instance."""

from veridical.gate.lazy import lazy


class Counter:
    def __init__(self) -> None:
        self.worked = 0

    @lazy
    def value(self) -> int:
        """The value."""
        self.worked += 1
        return self.worked


def test_the_work_is_done_once_for_each_instance() -> None:
    one, other = Counter(), Counter()
    assert (one.value, one.value, other.value) == (1, 1, 1)
    assert one.worked == 1


def test_the_class_shows_the_property_itself() -> None:
    assert Counter.value.__doc__ == "The value."
