"""Nonsense against whatever strangers can send something to: it answers or refuses, and soon.

    python -m benchmarks.fuzz --json [--smoke] [--seed N]

searches for texts that make check, gate or route crash, slow or hungry (``fuzz_search``), for files
of every format that do so to their readers (``hostile_files.search``), and uploads the worst of
these four at once to a server (``hostile_files.uploads``): ``upload_ask_ratio`` is the 95th
percentile of another tenant's known questions meanwhile ÷ alone, ``upload_health_p95_ms`` that of
``/health/live``, ``upload_stop_seconds`` how long the server then takes to stop.
"""

import json
import logging
import random
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter_ns
from typing import Any

from pydantic import ValidationError

from benchmarks.command import command, show
from benchmarks.cost_cases import SQL, STRUCTURED, trustee_caller, trustee_checker
from benchmarks.tenant_leaks import leak_statements
from veridical.contracts.call import Call, SqlCall, parse_call
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.violation import Refusal

TIME_LIMIT_MS = 50.0
_AGAIN = 3
_JUNK = (
    "'", '"', "`", "--", "/*", "*/", ";", "(", ")", "((((", "))))", ",", "\0", "\n", "\\", "$$",
    "$1", "?", "::", "=", "<>", "NULL", "SELECT", "FROM", "WHERE", "UNION ALL", "CASE WHEN",
    "OVER (", "WITH x AS (", "LATERAL", "JOIN", "ON", "1e999", "0x", "😀", "余额", "Ä", "\u202e",
    "U&\"\\0061\"", "E'\\''", "1" * 400, "a" * 5000, "(" * 80, "NOT " * 60, "- " * 200,
    "x IN (" + ",".join(map(str, range(600))) + ")",
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 2**70, 1e308, float("inf"), "", "x" * 10_000, "'; --", "2025-01-01", [],
    [1, "a", None], {"a": 1}, [[1]], "余额",
)  # fmt: skip


def run(count: int = 100_000, seed: int = 1) -> dict[str, Any]:
    """Crashes and slow answers among this many inputs."""
    checker, caller = trustee_checker(), trustee_caller()
    crashes = _Unforeseen()
    logging.getLogger("veridical.check").addHandler(crashes.handler)
    slow: list[str] = []
    slowest = 0.0
    for text, make in _inputs(count, random.Random(seed)):
        judge = partial(_judge, make, checker, caller)
        try:
            took = _timed(judge)
            if took > TIME_LIMIT_MS:  # once more, should the machine have been busy elsewhere
                took = min(_timed(judge) for _ in range(_AGAIN))
        except Exception as error:
            crashes.examples.append(f"{type(error).__name__}: {text[:200]}")
            continue
        slowest = max(slowest, took)
        if took > TIME_LIMIT_MS:
            slow.append(text[:200])
    return {
        "fuzz_inputs": count,
        "fuzz_crashes": len(crashes.examples),
        "fuzz_slow": len(slow),
        "fuzz_slowest_ms": round(slowest, 1),
        "fuzz_examples": [*crashes.examples[:5], *slow[:5]],
    }


class _Unforeseen:
    """What crashed, and what the check could only refuse because it did not foresee it."""

    def __init__(self) -> None:
        self.examples: list[str] = []
        self.handler = logging.Handler(logging.ERROR)
        self.handler.emit = self._note

    def _note(self, record: logging.LogRecord) -> None:
        self.examples.append(record.getMessage()[:200])


def _judge(make: Callable[[], Call], checker: Any, caller: Any) -> None:
    try:
        call = make()
    except ValidationError:
        return
    verdict = checker.check(call, caller, "Saldo der Bank?")
    if not isinstance(verdict, CheckedQuery | Refusal):
        raise TypeError(type(verdict).__name__)


def _timed(action: Callable[[], None]) -> float:
    start = perf_counter_ns()
    action()
    return (perf_counter_ns() - start) / 1e6


def _inputs(count: int, chance: random.Random) -> Iterator[tuple[str, Callable[[], Call]]]:
    statements = [*SQL, *leak_statements()]
    for number in range(count):
        if number % 5 == 4:
            data = _corrupted_call(chance)
            yield repr(data)[:300], lambda data=data: parse_call(data)
        else:
            sql = _corrupted_sql(chance, statements)
            yield sql, lambda sql=sql: SqlCall(sql=sql)


def _corrupted_sql(chance: random.Random, statements: list[str]) -> str:
    text = chance.choice(statements)
    for _ in range(chance.randint(1, 6)):
        at = chance.randint(0, len(text))
        match chance.randint(0, 5):
            case 0:
                text = text[:at] + chance.choice(_JUNK) + text[at:]
            case 1:
                text = text[:at] + text[at + chance.randint(1, 12) :]
            case 2:
                words = text.split(" ")
                chance.shuffle(words[: chance.randint(0, len(words))])
                words.insert(chance.randint(0, len(words)), chance.choice(words))
                text = " ".join(words)
            case 3:
                other = chance.choice(statements)
                text = text[:at] + other[chance.randint(0, len(other)) :]
            case 4:
                text = f"SELECT * FROM ({text}) AS t{at}"
            case _:
                signs = (chr(chance.randint(1, 0xFFFF)) for _ in range(chance.randint(1, 8)))
                text = text[:at] + "".join(signs) + text[at:]
    return text.encode("utf-8", "ignore").decode("utf-8")


def _corrupted_call(chance: random.Random) -> Any:
    data = json.loads(json.dumps(chance.choice(STRUCTURED)))
    for _ in range(chance.randint(1, 4)):
        key = chance.choice([*data, "fields", "filters", "groupBy", "limit", "aggregate"])
        if key == "filters" and isinstance(data.get("filters"), list) and chance.random() < 0.7:
            for each in (each for each in data["filters"] if isinstance(each, dict)):
                each[chance.choice(["field", "op", "value"])] = chance.choice(_VALUES)
        else:
            data[key] = chance.choice(_VALUES)
    return data


def main() -> None:
    """Search, and print what was found."""
    from benchmarks.hostile_files.figures import everything

    parser = command(__doc__, smoke="a small part, in less than a minute")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = everything(smoke=options.smoke, seed=options.seed)
    show(found, options)
    if found["crashes"]:  # how long something takes says something about the machine as well
        raise SystemExit(1)


if __name__ == "__main__":
    main()
