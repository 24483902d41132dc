"""The tools that end a run of a model that must always call something."""

FINAL_ANSWER = "finalAnswer"
ANSWER_TEXT = "text"
ANSWER_IN_FACTS = "answer"
"""The argument with the prose of an answer in facts."""
SHOW_RESULT = "showResult"
"""Ends with a result in its tool's words, unchanged."""
ENDINGS = frozenset({FINAL_ANSWER, SHOW_RESULT})
