"""A metric query before it runs: every metric exists, every item is reached, every filter reads."""

from collections.abc import Iterator

from veridical.contracts.call import MetricCall
from veridical.contracts.language import Language
from veridical.contracts.violation import Code, Violation
from veridical.messages.hints import hint
from veridical.ontology.metric_condition import ConditionSyntaxError, parse_condition
from veridical.ontology.metric_reference import (
    Reference,
    ReferenceKind,
    ReferenceSyntaxError,
    parse_reference,
)
from veridical.ontology.metrics import MetricGraph, Reach
from veridical.ontology.model import Metric
from veridical.ontology.nearest import nearest


def metric_violations(call: MetricCall, graph: MetricGraph, language: Language) -> list[Violation]:
    """All faults of the call, each once; none when it may run."""
    found = _Findings(call, graph, language).all()
    unique = {(each.code, each.field): each for each in reversed(list(found))}
    return list(reversed(unique.values()))


class _Findings:
    """One call against one graph."""

    def __init__(self, call: MetricCall, graph: MetricGraph, language: Language) -> None:
        self._call, self._graph, self._language = call, graph, language
        known = (graph.metric(name) for name in call.metrics)
        self._metrics = tuple(metric for metric in known if metric is not None)

    def all(self) -> Iterator[Violation]:
        """Metrics first, then groups, filters and order."""
        call = self._call
        if not call.metrics and not call.group_by:
            yield self._violation(Code.SYNTAX_ERROR, None, "nothing_asked")
        for name in call.metrics:
            yield from self._metric(name)
        for text in (*call.group_by, *(each.field for each in call.filters)):
            yield from self._item_in(text)
        for text in call.where:
            yield from self._condition(text)
        for text in call.order_by:
            yield from self._order(text)

    def _metric(self, name: str) -> Iterator[Violation]:
        if self._graph.metric(name) is None:
            close = nearest(name, self._graph.metrics)
            yield self._violation(Code.METRIC_NOT_FOUND, name, "metric_not_found", close, name=name)

    def _item_in(self, text: str) -> Iterator[Violation]:
        try:
            reference = parse_reference(text)
        except ReferenceSyntaxError:
            yield self._violation(Code.SYNTAX_ERROR, text, "unreadable", name=text)
            return
        yield from self._item(reference)

    def _item(self, reference: Reference) -> Iterator[Violation]:
        if reference.kind is ReferenceKind.METRIC:
            yield from self._metric(reference.name)
            return
        if self._call.metrics and not self._metrics:
            return
        name = reference.item
        for metric in self._metrics or (None,):
            reach = self._graph.reach(metric, name)
            if reach is not Reach.REACHED:
                yield self._missed(reach, name, metric)
                return

    def _missed(self, reach: Reach, name: str, metric: Metric | None) -> Violation:
        if reach is not Reach.UNKNOWN:
            return self._violation(Code.UNREACHABLE_DIMENSION, name, reach.value, name=name)
        shared = set[str].intersection(
            *(set(self._graph.items(each)) for each in self._metrics or (None,))
        )
        close = _nearest_item(name, shared)
        if metric is None or self._graph.reach(None, name) is Reach.UNKNOWN:
            key, values = "dimension_not_found", {"name": name}
        else:
            key, values = "unreachable", {"name": name, "metric": metric.name}
        return self._violation(Code.UNREACHABLE_DIMENSION, name, key, close, **values)

    def _condition(self, text: str) -> Iterator[Violation]:
        try:
            condition = parse_condition(text)
        except ConditionSyntaxError:
            yield self._violation(Code.SYNTAX_ERROR, text, "not_one_condition")
            return
        except ReferenceSyntaxError as error:
            yield self._violation(Code.SYNTAX_ERROR, text, "unreadable", name=str(error))
            return
        for reference in condition.references:
            if reference.kind is ReferenceKind.ITEM and self._is_returned(reference):
                continue
            yield from self._item(reference)

    def _order(self, text: str) -> Iterator[Violation]:
        try:
            reference = parse_reference(text)
        except ReferenceSyntaxError:
            yield self._violation(Code.SYNTAX_ERROR, text, "unreadable", name=text)
            return
        if not self._is_returned(reference):
            name = reference.item
            close = nearest(name, (*self._call.metrics, *self._call.group_by))
            yield self._violation(
                Code.UNREACHABLE_DIMENSION, name, "not_returned", close, name=name
            )

    def _is_returned(self, reference: Reference) -> bool:
        returned = {_folded(name) for name in (*self._call.metrics, *self._call.group_by)}
        return _folded(reference.item) in returned or _folded(reference.name) in returned

    def _violation(
        self, code: Code, field: str | None, key: str, suggestion: str | None = None, **names: str
    ) -> Violation:
        text = hint(f"metric.{key}", self._language, **names)
        return Violation(code=code, field=field, suggestion=suggestion, hint=text)


def _nearest_item(name: str, reached: set[str]) -> str | None:
    """The item whose own name is most alike; among several paths to it, the most alike path."""
    by_last: dict[str, list[str]] = {}
    for item in sorted(reached):
        by_last.setdefault(item.rpartition("__")[2].casefold(), []).append(item)
    last = name.rpartition("__")[2].casefold()
    close = last if last in by_last else nearest(last, by_last)
    return nearest(name, by_last[close], cutoff=0) if close else None


def _folded(text: str) -> str:
    try:
        return parse_reference(text).item.casefold()
    except ReferenceSyntaxError:
        return text.casefold()
