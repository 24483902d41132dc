from veridical.contracts.answer import Answer, AnswerKind, Usage
from veridical.contracts.language import Language
from veridical.server.openai.completion import CompletionHeader

HEADER = CompletionHeader("chatcmpl-1", 1, "veridical:trustee", Language.EN)


def test_all_tokens_of_all_models_are_counted() -> None:
    usage = Usage(model_calls=2, input_tokens=1_200, output_tokens=34)
    given = Answer(
        kind=AnswerKind.AGENT, text="5 CHF", language=Language.EN, trace_id="t", usage=usage
    )
    whole = HEADER.completion(given)
    assert (whole.usage.prompt_tokens, whole.usage.completion_tokens) == (1_200, 34)
    assert whole.usage.total_tokens == 1_234
    assert HEADER.usage_chunk(given).usage == whole.usage


def test_the_proof_goes_along_unchanged() -> None:
    arguments = {"filters": [{"field": "paidAt", "op": "=", "value": None}]}
    given = Answer.model_validate(
        {
            "kind": "agent",
            "text": "5 CHF",
            "language": "en",
            "traceId": "t",
            "sources": [
                {
                    "tool": "queryTable",
                    "arguments": arguments,
                    "columns": ["a"],
                    "rows": [[None]],
                    "receipt": {
                        "callId": "c",
                        "queryHash": "q",
                        "ontologyHash": "o",
                        "sql": "SELECT",
                        "rowCount": 1,
                        "truncated": False,
                        "elapsedMs": 1,
                    },
                }
            ],
        }
    )
    written = HEADER.completion(given).model_dump(mode="json", by_alias=True)
    assert Answer.model_validate(written["veridical"]) == given
