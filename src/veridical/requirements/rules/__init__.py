"""The rules with their weights and criteria, in the order of the findings. A rule is a
pure function of the tokens; one that raises is reported as not evaluated."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from veridical.requirements.finding import Criterion, Weight
from veridical.requirements.rules import lng, neg, nom, pas, phrases, sls, sol, vag
from veridical.requirements.rules.actions import second_actions, second_goals
from veridical.requirements.rules.comparison import comparatives, superlatives
from veridical.requirements.rules.figures import (
    approximations,
    missing_bounds,
    missing_figures,
    missing_units,
)
from veridical.requirements.rules.mark import Mark
from veridical.requirements.rules.obligation import hidden_obligations, missing_obligation
from veridical.requirements.rules.phrases import by_phrases
from veridical.requirements.rules.pronouns import ambiguous_pronouns
from veridical.requirements.rules.story import BENEFIT, ROLE, builder_roles, missing_parts
from veridical.requirements.tokens import Tokens

Find = Callable[[Tokens], Iterable[Mark]]
_HIGH, _MEDIUM, _LOW = Weight.HIGH, Weight.MEDIUM, Weight.LOW


@dataclass(frozen=True)
class Rule:
    """A rule: its findings name the first criterion and lower the score of all of them."""

    id: str
    find: Find
    weight: Weight
    criteria: tuple[Criterion, ...]
    variants: Mapping[str, Weight] = field(default_factory=dict[str, Weight])
    """The weights of findings that say more than the rule alone."""
    phrases: str = ""
    """The list of phrases without which the rule finds nothing; it is skipped then."""


_CLEAR, _SURE = Criterion.CLARITY, Criterion.UNAMBIGUITY
_TEST, _MEASURE = Criterion.TESTABILITY, Criterion.MEASURABILITY
_WHOLE, _ONE = Criterion.COMPLETENESS, Criterion.ATOMICITY
_SAME, _NEUTRAL = Criterion.CONSISTENCY, Criterion.NEUTRALITY

RULES: tuple[Rule, ...] = (
    Rule("IMP0", missing_obligation, _HIGH, (_WHOLE, _TEST)),
    Rule("IMP2", second_actions, _HIGH, (_ONE,)),
    Rule("STO", missing_parts, _HIGH, (_WHOLE,), {ROLE: _HIGH, BENEFIT: _HIGH}),
    Rule("ATM", second_goals, _LOW, (_ONE,)),
    Rule("ROL", builder_roles, _LOW, (_WHOLE,)),
    Rule("TBD", by_phrases("TBD", phrases.is_open_point), _HIGH, (_WHOLE, _TEST), phrases="TBD"),
    Rule("VAG", vag.find, _HIGH, (_CLEAR, _SURE, _TEST, _MEASURE)),
    Rule("NUM", missing_figures, _HIGH, (_MEASURE, _TEST)),
    Rule("UNIT", missing_units, _HIGH, (_MEASURE, _SURE)),
    Rule(
        "TMP",
        by_phrases("TMP", phrases.is_vague_time),
        _HIGH,
        (_MEASURE, _TEST, _CLEAR),
        phrases="TMP",
    ),
    Rule("PRO", ambiguous_pronouns, _HIGH, (_SURE, _CLEAR, _TEST)),
    Rule("ESC", by_phrases("ESC", phrases.is_escape), _HIGH, (_SURE, _TEST), phrases="ESC"),
    Rule("OPN", by_phrases("OPN"), _HIGH, (_WHOLE, _SURE, _TEST), phrases="OPN"),
    Rule(
        "MODW", by_phrases("MODW", phrases.is_weak_modal), _MEDIUM, (_SURE, _TEST), phrases="MODW"
    ),
    Rule("ISTZU", hidden_obligations, _MEDIUM, (_CLEAR,)),
    Rule(
        "MAN", by_phrases("MAN", phrases.is_unknown_actor), _MEDIUM, (_WHOLE, _CLEAR), phrases="MAN"
    ),
    Rule(
        "QNT",
        by_phrases("QNT", phrases.is_vague_quantity),
        _MEDIUM,
        (_MEASURE, _SURE),
        phrases="QNT",
    ),
    Rule("APX", approximations, _MEDIUM, (_MEASURE,), phrases="APX"),
    Rule("ABS", by_phrases("ABS", phrases.is_absolute), _MEDIUM, (_TEST,), phrases="ABS"),
    Rule("CMP", comparatives, _MEDIUM, (_MEASURE, _SURE)),
    Rule("SUP", superlatives, _MEDIUM, (_TEST, _MEASURE)),
    Rule("RNG", missing_bounds, _MEDIUM, (_TEST,)),
    Rule("SLS", sls.find, _MEDIUM, (_SURE, _TEST)),
    Rule("SOL", sol.find, _MEDIUM, (_NEUTRAL,)),
    Rule("LNG", lng.find, _MEDIUM, (_SAME,)),
    Rule("PAS", pas.find, _LOW, (_WHOLE,)),
    Rule("NEG", neg.find, _LOW, (_CLEAR,), {neg.DOUBLE: _HIGH}, phrases="NEG"),
    Rule("INF", by_phrases("INF", phrases.is_ability), _LOW, (_CLEAR,), phrases="INF"),
    Rule("NOM", nom.find, _LOW, (_CLEAR,), phrases="NOM"),
)

PLAIN_RULES = frozenset({"VAG", "NUM", "QNT", "TMP", "CMP", "SUP", "ABS", "APX"})
"""Rules about how precise a demand is: they say nothing about what it is good for."""
