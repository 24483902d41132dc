"""Labels for the columns of a table: in every language where a name is one known notion."""

from collections import Counter
from collections.abc import Sequence

from veridical.contracts.language import Language, Text
from veridical.onboarding.display_names import column_name, group_name
from veridical.onboarding.hints import hints_at
from veridical.onboarding.labels import drafted_label
from veridical.onboarding.names import singular, words_of

_KEY = "key"


def drafted_labels(columns: Sequence[str]) -> dict[str, Text]:
    """The display name of each column; two columns of a table never share one."""
    known = {each: _in_every_language(each) for each in columns}
    used = Counter(
        (language, label.casefold())
        for labels in known.values()
        for language, label in labels.items()
    )
    return {
        column: labels
        if labels and all(used[language, each.casefold()] == 1 for language, each in labels.items())
        else drafted_label(column)
        for column, labels in known.items()
    }


def _in_every_language(column: str) -> dict[Language, str]:
    """Empty where it is no such notion; a key stays a key: the customer id is no customer."""
    words = words_of(column)
    is_plural = bool(words) and singular(words[-1]) != words[-1]
    name = (group_name if is_plural else column_name)(column)
    return {} if hints_at(column, _KEY) or not name.is_notion else dict(name.shown)
