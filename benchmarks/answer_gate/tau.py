"""tau-bench airline: what an agent tells its user against what its tools returned.

Historical runs of GPT-4o with the reward of each run. An assistant's message to the user is an
answer; the evidence is what stood in the conversation before it: the policy, the user's words, the
tools' results, and what earlier messages and notes of the agent proved from these. A failed call
brings only what it did not merely repeat from its arguments.

Run: python -m benchmarks.answer_gate.tau --data DIR [--misses N]
"""

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.answer_gate import lexicons
from benchmarks.answer_gate.judges import Check
from benchmarks.answer_gate.sample import Half, half_of
from veridical import gate
from veridical.contracts.proof import ClaimKind, GateCode, ProvenClaim, Standing
from veridical.contracts.result import ToolRun
from veridical.gate.arguments import Untraced
from veridical.gate.carried import proven_exhibits
from veridical.gate.evidence.exhibit import Calculation, Exhibit

PLACE = Path("tau_bench") / "historical_trajectories" / "gpt-4o-airline.json"
TODAY = date(2024, 5, 15)
"""The day that the policy of every run names as the current one."""
_FIGURES = (ClaimKind.NUMBER, ClaimKind.AMOUNT, ClaimKind.PERCENT, ClaimKind.COUNT)
_WRONG = (Standing.UNGROUNDED, Standing.CONTRADICTED, Standing.ILLEGAL)
_MONEY = re.compile(r"\$\s?\d|\d\s?(?:dollars?|USD)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_CODE = re.compile(r"\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{5,}\b")
_TALK = frozenset({"think", "transfer_to_human_agents"})
_ECHO = re.compile(r"^\s*Error", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Turn:
    """One message to the user with what stood before it."""

    run: str
    group: str
    passed: bool
    text: str
    exhibits: tuple[Exhibit, ...]
    question: str
    runs: tuple[ToolRun, ...]
    notes: tuple[str, ...]
    """What the agent wrote before: earlier messages and thoughts, as far as they are proven."""

    @property
    def half(self) -> Half:
        return half_of(self.group)


@dataclass(frozen=True, slots=True)
class TracedCall:
    """One call and the values in it that came from nowhere."""

    group: str
    passed: bool
    tool: str
    untraced: tuple[Untraced, ...]
    twins: int
    caught: int
    """Copies with one value changed, and how many of them are flagged."""


def load(data: Path) -> list[dict[str, Any]]:
    return json.loads((data / PLACE).read_text("utf-8"))


def turns(runs: list[dict[str, Any]]) -> Iterator[Turn]:
    """Every message that a run's agent sent to its user."""
    for number, run in enumerate(runs):
        exhibits: list[Exhibit] = []
        asked: list[str] = []
        called: list[ToolRun] = []
        notes: list[str] = []
        arguments: dict[str, Any] = {}
        for message in run["traj"]:
            text = message.get("content") or ""
            match message["role"]:
                case "system":
                    exhibits.append(Exhibit(name="policy", text=text))
                case "user":
                    asked.append(text)
                case "tool":
                    exhibits += _exhibits(message, arguments)
                    called.append(_ran(message))
                case _:
                    if text:
                        yield Turn(
                            run=f"{run['task_id']}/{run.get('trial', number)}",
                            group=str(run["task_id"]),
                            passed=run["reward"] == 1.0,
                            text=text,
                            exhibits=tuple(exhibits),
                            question="\n".join(asked),
                            runs=tuple(called),
                            notes=tuple(notes),
                        )
                        notes.append(text)
                        called = []
                    arguments = _arguments(message)
                    notes += filter(None, [arguments.get("thought")])


def _exhibits(message: dict[str, Any], arguments: dict[str, Any]) -> Iterator[Exhibit]:
    name, text = message["name"], message["content"]
    if name in _TALK or not text:
        return
    if name == "calculate":
        value = _number(text)
        if value is not None:
            expression = str(arguments.get("expression", ""))
            yield Exhibit(name=name, calculation=Calculation(expression, value))
        return
    if _ECHO.match(text):
        yield Exhibit(name=name, text=_without_echo(text, arguments))
        return
    held = {key: value for key, value in arguments.items() if isinstance(value, str | int)}
    try:
        yield Exhibit(name=name, record=json.loads(text), held=held)
    except ValueError:
        yield Exhibit(name=name, text=text, held=held)


def _without_echo(text: str, arguments: dict[str, Any]) -> str:
    """An error's text without the values that the call itself brought."""
    given = {word for word in re.findall(r"\w+", json.dumps(arguments)) if _DIGIT.search(word)}
    return re.sub(r"\w+", lambda word: "" if word[0] in given else word[0], text)


def _ran(message: dict[str, Any]) -> ToolRun:
    return ToolRun(tool=message["name"], success=not _ECHO.match(message["content"] or ""))


def _arguments(message: dict[str, Any]) -> dict[str, Any]:
    calls = message.get("tool_calls") or []
    return json.loads(calls[0]["function"]["arguments"]) if calls else {}


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def is_money(claim: ProvenClaim, text: str) -> bool:
    """A figure with the dollar's sign or word."""
    return claim.kind in _FIGURES and bool(
        _MONEY.search(text[max(0, claim.start - 2) : claim.end + 9]) and _MONEY.search(claim.text)
    )


def calls(runs: list[dict[str, Any]], seed: int = 1) -> Iterator[TracedCall]:
    """Every call, with its values traced through what stood before it."""
    draw = random.Random(seed)
    for run in runs:
        known = gate.KnownValues(today=TODAY)
        arguments: dict[str, Any] = {}
        for message in run["traj"]:
            text = message.get("content") or ""
            if message["role"] in ("system", "user"):
                known.add_text(text)
            elif message["role"] == "tool":
                if message["name"] not in _TALK:
                    success = not _ECHO.match(text)
                    known.add_result(_parsed(text), arguments, success=success)
            elif message.get("tool_calls"):
                arguments = _arguments(message)
                tool = message["tool_calls"][0]["function"]["name"]
                if tool not in _TALK:
                    yield _traced(run, tool, arguments, known, draw)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _traced(
    run: dict[str, Any],
    tool: str,
    arguments: dict[str, Any],
    known: gate.KnownValues,
    draw: random.Random,
) -> TracedCall:
    untraced = gate.trace_arguments(arguments, known)
    twin = _corrupted_call(arguments, draw) if not untraced else None
    caught = bool(twin and gate.trace_arguments(twin, known))
    return TracedCall(
        group=str(run["task_id"]),
        passed=run["reward"] == 1.0,
        tool=tool,
        untraced=untraced,
        twins=int(twin is not None),
        caught=int(caught),
    )


def _corrupted_call(arguments: dict[str, Any], draw: random.Random) -> dict[str, Any] | None:
    """The call with one digit changed in an identifier, a date or an amount."""
    text = json.dumps(arguments)
    places = [
        found.start() + draw.randrange(len(found[0]))
        for found in re.finditer(r"(?<=[A-Z_])\d{2,}(?=\")|(?<=: )\d{3,}(?=[,}])", text)
    ]
    if not places:
        return None
    place = draw.choice(places)
    changed = str((int(text[place]) + draw.randrange(1, 9)) % 10)
    return json.loads(text[:place] + changed.replace("0", "7") + text[place + 1 :])


def corrupted(turn: Turn, draw: random.Random) -> str | None:
    """The message with one digit changed in an amount or a code; none where it has neither."""
    amounts = [found.end() - 1 for found in re.finditer(r"\$\s?\d{2,}", turn.text)]
    codes = [
        found.start() + found[0].index(digit[0])
        for found in _CODE.finditer(turn.text)
        for digit in [_DIGIT.search(found[0])]
        if digit
    ]
    places = amounts + codes
    if not places:
        return None
    place = draw.choice(places)
    changed = str((int(turn.text[place]) + draw.randrange(1, 9)) % 10)
    return turn.text[:place] + changed + turn.text[place + 1 :]


def measure(
    data: Path, half: Half | None = None, check: Check = lexicons.check, misses: int = 0
) -> dict[str, Any]:
    """The figures over one half or over all; prints misses where asked, of the half to read."""
    runs = [run for run in load(data) if half is None or half_of(str(run["task_id"])) == half]
    counts: Counter[str] = Counter()
    draw = random.Random(1)
    for turn in turns(runs):
        _count_turn(turn, counts, draw, check, misses)
    for call in calls(runs):
        _count_call(call, counts, misses)
    return _figures(counts)


def _count_turn(
    turn: Turn, counts: Counter[str], draw: random.Random, check: Check, misses: int
) -> None:
    kind = "passed" if turn.passed else "failed"
    evidence = gate.prepare((*turn.exhibits, *_proven(turn, check)))
    proof = check(turn.text, evidence, question=turn.question, runs=turn.runs)
    counts[f"{kind}_messages"] += 1
    counts[f"{kind}_blocked"] += proof.verdict == "block"
    money = [claim for claim in proof.claims if is_money(claim, turn.text)]
    wrong = [claim for claim in money if claim.standing in _WRONG]
    counts[f"{kind}_money"] += len(money)
    counts[f"{kind}_money_flagged"] += len(wrong)
    figures = [each for each in proof.claims if each.kind in _FIGURES and each.standing in _WRONG]
    counts[f"{kind}_with_ungrounded"] += bool(figures)
    counts[f"{kind}_after_error"] += any(
        each.code is GateCode.AFTER_TOOL_ERROR for each in proof.findings
    )
    for code in {each.code for each in proof.findings if each.mode == "block"}:
        counts[f"{kind}_code_{code}"] += 1
    if misses and turn.half == "read" and (turn.passed or misses > 1) and proof.findings:
        print("---", turn.run, [(each.code, each.mode, each.claim) for each in proof.findings])
        for claim in proof.claims:
            if claim.standing in _WRONG:
                around = turn.text[max(0, claim.start - 70) : claim.end + 40].replace("\n", " ")
                print(f"   {claim.standing} {claim.kind} {claim.text!r}: …{around}…")
    twin = corrupted(turn, draw) if proof.verdict != "block" else None
    if twin is not None:
        counts["twins"] += 1
        again = check(twin, evidence, question=turn.question, runs=turn.runs)
        counts["twins_caught"] += again.verdict == "block"
        if misses and turn.half == "read" and again.verdict != "block":
            print("+++ passed twin:", _difference(turn.text, twin))


def _proven(turn: Turn, check: Check) -> Iterator[Exhibit]:
    """What the agent's earlier words derived from the evidence."""
    notes = [note for note in turn.notes if "=" in note or "total" in note.casefold()]
    if notes:
        evidence = gate.prepare(turn.exhibits)
        for note in notes:
            yield from proven_exhibits(check(note, evidence, question=turn.question))


def _difference(one: str, other: str) -> str:
    at = next(place for place in range(len(one)) if one[place] != other[place])
    return f"{one[max(0, at - 60) : at + 20]!r} -> {other[at - 5 : at + 5]!r}"


def _count_call(call: TracedCall, counts: Counter[str], misses: int) -> None:
    kind = "passed" if call.passed else "failed"
    counts[f"{kind}_calls"] += 1
    counts[f"{kind}_calls_flagged"] += bool(call.untraced)
    counts["call_twins"] += call.twins
    counts["call_twins_caught"] += call.caught
    if misses and call.untraced and half_of(call.group) == "read" and call.passed:
        print("*** untraced", call.tool, [(each.path, each.value) for each in call.untraced])


def _figures(counts: Counter[str]) -> dict[str, Any]:
    return {
        "tau_money_flagged_passed": _share(counts, "passed_money_flagged", "passed_money"),
        "tau_money_flagged_failed": _share(counts, "failed_money_flagged", "failed_money"),
        "tau_blocked_passed": _share(counts, "passed_blocked", "passed_messages"),
        "tau_blocked_failed": _share(counts, "failed_blocked", "failed_messages"),
        "tau_twins_caught": _share(counts, "twins_caught", "twins"),
        "tau_arguments_flagged_passed": _share(counts, "passed_calls_flagged", "passed_calls"),
        "tau_arguments_flagged_failed": _share(counts, "failed_calls_flagged", "failed_calls"),
        "tau_argument_twins_caught": _share(counts, "call_twins_caught", "call_twins"),
        "counts": dict(sorted(counts.items())),
    }


def _share(counts: Counter[str], part: str, whole: str) -> float:
    return round(counts[part] / counts[whole], 4) if counts[whole] else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--misses", type=int, default=0)
    given = parser.parse_args()
    if not (given.data / PLACE).exists():
        print(f"skipped: there is no {PLACE} in the data")
        return
    if given.misses:
        print(json.dumps(measure(given.data, "read", misses=given.misses), indent=2))
        return
    told = {half: measure(given.data, half) for half in ("read", "held_out")}
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
