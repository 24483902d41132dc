"""What an installation keeps for the pages on quality and ontology: reports, proposals, runs."""

from pathlib import Path

from tests.console.payloads import payloads
from tests.server.standing import ACME, Standing
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode
from veridical.evals.comparison.baseline import as_baseline, write_baseline
from veridical.evals.gold.case import Difficulty, Expected
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import Outcome, RunKey, RunRecord, Score
from veridical.evals.storage.folder import RunFolder
from veridical.evals.storage.setup import RunHeader, RunSetup
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.store.conversations import Owner, begin_conversation
from veridical.store.false_blocks import Ruling, add_report, add_review
from veridical.store.feedback import give_feedback, list_feedback
from veridical.store.shares import make_share
from veridical.trace.counters import Counters

MODES = (ModeName.BASELINE, ModeName.FULL)
_OUTCOMES = tuple(Outcome)


def write_evals(folder: Path) -> None:
    """Two reports of runs, the baseline of an older release, and what can't be read."""
    for place, version in enumerate(("0.2.0", "0.10.0"), 1):
        run = RunFolder(folder / f"run-{version}")
        run.path.mkdir(parents=True)
        run.write_setup(setup(version))
        for record in records(place):
            run.results.append(record)
    old = folder / "old"
    old.mkdir()
    write_baseline(old / "baseline.json", as_baseline(setup("0.1.0").header, records(0)))
    (folder / "broken").mkdir()
    (folder / "broken" / "baseline.json").write_text("{}", "utf-8")


def setup(version: str) -> RunSetup:
    header = RunHeader(gold="core", cases=6, repeats=2, model="a model", version=version)
    return RunSetup(header=header, gold=("core",), gold_hash="", ontology_hash="", settings={})


def records(shift: int, texts: tuple[str, ...] = ()) -> list[RunRecord]:
    """Six questions in two modes and two wordings, which end differently."""
    return [
        RunRecord(
            key=RunKey(case=f"q{case}", mode=mode, repeat=repeat),
            question=texts[case] if texts else f"question {case}, wording {repeat}",
            language=Language.EN,
            difficulty=Difficulty.EASY,
            expected=Expected.ANSWER,
            kind=AnswerKind.AGENT,
            text="",
            score=Score(outcome=_OUTCOMES[(case + place + repeat + shift) % 3 if case else 0]),
            counters=Counters(input_tokens=100 * (place + 1), output_tokens=10, cost=0.01),
        )
        for case in range(6)
        for place, mode in enumerate(MODES)
        for repeat in range(2)
    ]


def proposals() -> list[Proposal]:
    """One to decide on, and names that would run a script where somebody forgot to escape them."""
    hostile = [
        Proposal(kind=ProposalKind.CLOSED_LIST, table=text, columns=(text,), reason="counted",
                 evidence={"count": 3, "rows": 9}, values=(text,))
        for text in payloads()[:40]
    ]  # fmt: skip
    wanted = Proposal(
        kind=ProposalKind.CLOSED_LIST,
        table="orders",
        columns=("state",),
        reason="counted",
        evidence={"rows": 9, "count": 3},
    )
    return [wanted, *hostile]


def reported(server: Standing, trace_id: str, text: str = "It is right.", by: str = "") -> int:
    """A report of a wrong block of this run."""
    with server.services.store.tenant(ACME) as connection:
        found, _ = add_report(
            connection,
            ACME,
            by or "somebody",
            f"proof of {trace_id}{text[:20]}",
            (GateCode.UNGROUNDED_CLAIM,),
            Language.EN,
            text,
            [{"code": text, "claim": text}],
            trace_id,
        )
    return found.id


def reviewed_case(server: Standing, report: int) -> None:
    """The report, decided."""
    gold = {"name": "one", "cases": [{"question": "?", "truth": {"sql": "SELECT 1"}}]}
    with server.services.store.tenant(ACME) as connection:
        add_review(connection, ACME, "somebody", report, Ruling(True, "so it is", gold))


def kept_conversation(
    server: Standing, person: str, *thread: str, title: str = "What was the balance?"
) -> str:
    """A conversation of this person of the first tenant, with these runs."""
    with server.services.store.tenant(ACME) as connection:
        return begin_conversation(connection, Owner(ACME, person), "trustee", title, thread)


def shared_answer(server: Standing, person: str, trace_id: str, days: int = 7) -> str:
    """A link of this person of the first tenant to the answer of a run; none of nobody."""
    if not person:
        return "nothing"
    with server.services.store.tenant(ACME) as connection:
        return make_share(connection, ACME, person, trace_id, "What was the balance?", days)


def feedback_on(server: Standing, trace_id: str, by: str, *, is_right: bool = True) -> int:
    """What somebody says about the answer of a run of the first tenant."""
    with server.services.store.tenant(ACME) as connection:
        give_feedback(connection, ACME, by, trace_id, "Because.", is_right=is_right)
        found = list_feedback(connection, undecided=False, limit=100)
    return max(each.id for each in found if each.trace_id == trace_id and each.person == by)
