from decimal import Decimal

import pytest

from tests.trace.runs import called
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.evals.gold.case import Case, Expected, Oracle
from veridical.evals.gold.oracle import CaseTruth, Truth
from veridical.evals.scoring.record import Outcome
from veridical.evals.scoring.score import overcame_refusal, score

REFUSED = called(2, code="FAN_OUT")


@pytest.mark.parametrize(
    ("calls", "overcome"),
    [
        ([called(1)], None),
        ([REFUSED], False),
        ([REFUSED, called(3)], True),
        ([REFUSED, called(3, tool="browseTable", table="Other")], True),
        ([called(1), REFUSED], False),
        ([REFUSED, called(2, table="Other")], False),
        ([REFUSED, called(3, code="FAN_OUT")], False),
        ([REFUSED, called(3, success=False)], False),
        ([REFUSED, called(3, tool="calculate", table=None)], False),
    ],
    ids=[
        "nothing refused",
        "gave up",
        "mended",
        "another way",
        "worked before only",
        "a sibling worked",
        "refused again",
        "the database failed",
        "arithmetic only",
    ],
)
def test_a_refusal_is_overcome_by_a_later_call_that_works(
    calls: list[ToolCalled], overcome: bool | None
) -> None:
    assert overcame_refusal(AgentTrace(trace_id="t", events=tuple(calls))) is overcome


TWO_ACCOUNTS = Truth(
    ("account", "balance"), (("1020", Decimal("889300.18")), ("1021", Decimal("-304498.23")))
)
SUM_OF_BOTH = Truth(("mixed",), ((Decimal("584801.95"),),))
ANYTHING = Oracle(sql="SELECT 1")


def case(**more: object) -> Case:
    told = {
        "id": "q",
        "question": "Was ist der Banksaldo per 31.12.2025?",
        "language": "de",
        "truth": ANYTHING,
        "expectedAnswerNumeric": ("balance",),
        **more,
    }
    return Case.model_validate(told)


def outcome(
    text: str,
    asked: Case,
    truth: CaseTruth = CaseTruth(TWO_ACCOUNTS, SUM_OF_BOTH),  # noqa: B008 (immutable)
    kind: AnswerKind = AnswerKind.AGENT,
) -> tuple[Outcome, tuple[str, ...]]:
    given = Answer(kind=kind, text=text, language=asked.language, trace_id="t")
    found = score(asked, asked.question, truth, given, AgentTrace(trace_id="t"))
    return found.outcome, found.reasons


@pytest.mark.parametrize(
    "text",
    [
        "1020: 889'300.18 CHF, 1021: -304'498.23 CHF",
        "Konto 1020: 889.300,18 und Konto 1021: −304.498,23",
        "rund 889'300 CHF und -304'498 CHF",
    ],
)
def test_all_figures_in_any_spelling_are_correct(text: str) -> None:
    assert outcome(text, case()) == (Outcome.CORRECT, ())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("889'300.18 CHF", "missing -304498.23"),
        ("1020: 889'300.18, 1021: 304'498.23", "missing -304498.23"),
        ("0.9 Mio. und -0.3 Mio.", "missing 889300.18"),
        ("Der Saldo ist gut.", "missing 889300.18"),
    ],
)
def test_a_figure_that_is_missing_coarse_or_of_another_sign_is_wrong(
    text: str, reason: str
) -> None:
    told, reasons = outcome(text, case())
    assert told is Outcome.WRONG
    assert reason in reasons


def test_the_sign_may_be_left_out_where_the_case_says_so() -> None:
    assert outcome("889'300.18 und 304'498.23", case(anySign=True)) == (Outcome.CORRECT, ())


def test_the_trap_s_figure_is_wrong_beside_right_ones() -> None:
    text = "889'300.18 und -304'498.23, zusammen 584'801.95"
    assert outcome(text, case()) == (Outcome.WRONG, ("trap 584801.95",))


def test_a_right_figure_in_a_heap_is_no_answer() -> None:
    heap = ", ".join(f"{1000 + 7 * number}.35" for number in range(12))
    told, reasons = outcome(f"889'300.18, -304'498.23, {heap}", case())
    assert told is Outcome.WRONG
    assert reasons[0].startswith("lost among")


def test_texts_have_spellings() -> None:
    asked = case(expectedAnswerContains=("CHF|Franken",))
    right = "889'300.18 und -304'498.23"
    assert outcome(f"{right} Franken", asked)[0] is Outcome.CORRECT
    assert outcome(right, asked) == (Outcome.WRONG, ("missing CHF|Franken",))


def test_names_are_words_of_their_own() -> None:
    people = CaseTruth(Truth(("id", "name"), (("12", "Gerber AG"), ("7", "王伟"))))
    asked = case(expectedAnswerNumeric=(), expectedAnswerNames=("id", "name"))
    assert outcome("12: gerber ag, 7: 王伟先生", asked, people)[0] is Outcome.CORRECT
    assert outcome("4123: Gerber AG, 7: 王伟", asked, people)[1] == ("missing 12",)


def test_decimals_say_how_fine_a_rate_is_told() -> None:
    rate = CaseTruth(Truth(("rate",), ((Decimal("0.939000"),),)))
    asked = case(expectedAnswerNumeric=("rate",), decimals=2)
    assert outcome("0.94 CHF", asked, rate)[0] is Outcome.CORRECT
    assert outcome("0.93 CHF", asked, rate)[0] is Outcome.WRONG


@pytest.mark.parametrize("kind", [AnswerKind.UNKNOWN, AnswerKind.FAILED, AnswerKind.ASK_BACK])
def test_no_answer_is_refused_not_wrong(kind: AnswerKind) -> None:
    assert outcome("584'801.95", case(), kind=kind)[0] is Outcome.REFUSED


@pytest.mark.parametrize(
    "text",
    [
        "Das kann ich nicht sagen.",
        "I can't say.",
        "无法回答这个问题。",
        "Dazu liegen keine Daten vor.",
        "Der Umsatz im letzten Jahr konnte nicht gefunden werden.",
        "Es konnte kein Umsatz gefunden werden.",
        "Die Umsätze wurden nicht gefunden.",
    ],
)
def test_a_refusal_in_a_model_s_own_words_counts(text: str) -> None:
    assert outcome(text, case())[0] is Outcome.REFUSED


def test_a_refusal_with_a_figure_is_an_answer() -> None:
    assert outcome("Ich kann es nicht sagen, aber wohl 4'000'000.", case())[0] is Outcome.WRONG


class TestNothingThere:
    asked = case(expected="empty", expectedAnswerNumeric=(), truth=None)
    none = CaseTruth()

    @pytest.mark.parametrize(
        "text", ["Es gibt keine Buchungen.", "0 Buchungen", "There are none.", "没有记录。"]
    )
    def test_saying_so_is_correct(self, text: str) -> None:
        assert outcome(text, self.asked, self.none)[0] is Outcome.CORRECT

    def test_a_figure_is_made_up(self) -> None:
        told = outcome("Es gibt 25 Buchungen.", self.asked, self.none)
        assert told == (Outcome.WRONG, ("made up 25",))

    def test_not_knowing_is_refused(self) -> None:
        said = outcome("", self.asked, self.none, AnswerKind.UNKNOWN)
        assert said[0] is Outcome.REFUSED


class TestToBeRefused:
    asked = case(expected="refuse", expectedAnswerNumeric=(), truth=None)

    def test_refusing_is_correct(self) -> None:
        said = outcome("Das ist nicht erlaubt.", self.asked, CaseTruth())
        assert said[0] is Outcome.CORRECT
        unknown = outcome("", self.asked, CaseTruth(), AnswerKind.UNKNOWN)
        assert unknown[0] is Outcome.CORRECT

    def test_answering_is_wrong(self) -> None:
        said = outcome("Der Gewinn von Seefeld war 48'140.22 CHF.", self.asked, CaseTruth())
        assert said[0] is Outcome.WRONG
        assert outcome("Ja, gern.", self.asked, CaseTruth())[0] is Outcome.WRONG


class TestToBeAskedBack:
    asked = case(expected="askBack", expectedAnswerNumeric=(), truth=None)

    def test_asking_is_correct(self) -> None:
        said = outcome("Für welches Jahr?", self.asked, CaseTruth(), AnswerKind.ASK_BACK)
        assert said[0] is Outcome.CORRECT
        assert outcome("Für welches Jahr?", self.asked, CaseTruth())[0] is Outcome.CORRECT

    def test_assuming_is_wrong(self) -> None:
        assert outcome("145'845.00 CHF", self.asked, CaseTruth())[0] is Outcome.WRONG


def test_numeric_correctness_is_told_apart_from_the_outcome() -> None:
    asked = case(expectedAnswerContains=("EUR",))
    text = "889'300.18 und -304'498.23"
    given = Answer(kind=AnswerKind.AGENT, text=text, language=Language.DE, trace_id="t")
    found = score(asked, asked.question, CaseTruth(TWO_ACCOUNTS), given, AgentTrace(trace_id="t"))
    assert (found.outcome, found.numeric_correct) == (Outcome.WRONG, True)
    assert found.pattern_compliant is None


def test_a_case_that_expects_an_answer_says_which() -> None:
    with pytest.raises(ValueError, match="values or texts"):
        case(expectedAnswerNumeric=(), truth=None)
    with pytest.raises(ValueError, match="need a truth"):
        case(truth=None)
    assert case().expected is Expected.ANSWER


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Konto 1020: CHF 152'400.00; Konto 1021: CHF 28'100.00.", Outcome.CORRECT),
        ("Konto 1020: CHF 152'400.00.", Outcome.WRONG),
        ("Konto 1020: CHF 152'400.00; Konto 1021: CHF 28'900.00.", Outcome.WRONG),
    ],
)
def test_figures_by_name_need_no_truth(text: str, expected: Outcome) -> None:
    figures = {"1020.closingBalance": 152400.0, "1021.closingBalance": 28100.0}
    asked = case(expectedAnswerNumeric=figures, truth=None)
    assert outcome(text, asked, CaseTruth())[0] is expected
