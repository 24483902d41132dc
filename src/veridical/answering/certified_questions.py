"""Known questions that a tenant has certified, beside those of the feature's files.

They are the same patterns and take the same way: the route, the agent's prompt and the tool.
"""

from collections.abc import Sequence
from dataclasses import replace

from veridical.answering.feature import Feature
from veridical.ontology.model import CanonicalQueryPattern
from veridical.ontology.slice import index_ontology
from veridical.route.pattern_index import index_patterns


def with_questions(feature: Feature, patterns: Sequence[CanonicalQueryPattern]) -> Feature:
    """The feature with these known questions as well. The hash under which its rules were compiled
    stays: no rule changes with a question. Where the files name a question the same, theirs
    counts."""
    own = {each.intent for each in feature.ontology.canonical_patterns}
    more = tuple(each for each in patterns if each.intent not in own)
    if feature.patterns is None or not more:
        return feature
    known = feature.ontology.canonical_patterns
    grown = feature.ontology.model_copy(update={"canonical_patterns": (*known, *more)})
    return replace(
        feature, ontology=grown, index=index_ontology(grown), patterns=index_patterns(grown)
    )
