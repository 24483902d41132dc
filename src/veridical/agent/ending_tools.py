"""The tools by which a model that must always call something ends a run."""

FINAL_ANSWER = "finalAnswer"
ANSWER_TEXT = "text"
ANSWER_IN_FACTS = "answer"
"""The argument of an answer in facts that has its prose."""
SHOW_RESULT = "showResult"
"""Ends with a result in the words that its tool put it into: nothing is copied, nothing changed."""
ENDINGS = frozenset({FINAL_ANSWER, SHOW_RESULT})
