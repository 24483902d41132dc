"""The rules with their weights and criteria, in the order of the findings. A rule is a
pure function of the tokens; one that raises is reported as not evaluated."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from veridical.requirements.criterion import Criterion
from veridical.requirements.finding import Weight
from veridical.requirements.rules import (
    abs,
    apx,
    atm,
    cmp,
    esc,
    imp0,
    imp2,
    inf,
    istzu,
    lng,
    man,
    modw,
    neg,
    nom,
    num,
    opn,
    pas,
    pro,
    qnt,
    rng,
    rol,
    sls,
    sol,
    sto,
    sup,
    tbd,
    tmp,
    unit,
    vag,
)
from veridical.requirements.rules.mark import Mark
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
    Rule("IMP0", imp0.find, _HIGH, (_WHOLE, _TEST)),
    Rule("IMP2", imp2.find, _HIGH, (_ONE,)),
    Rule("STO", sto.find, _HIGH, (_WHOLE,), {sto.ROLE: _HIGH, sto.BENEFIT: _HIGH}),
    Rule("ATM", atm.find, _LOW, (_ONE,)),
    Rule("ROL", rol.find, _LOW, (_WHOLE,)),
    Rule("TBD", tbd.find, _HIGH, (_WHOLE, _TEST), phrases="TBD"),
    Rule("VAG", vag.find, _HIGH, (_CLEAR, _SURE, _TEST, _MEASURE)),
    Rule("NUM", num.find, _HIGH, (_MEASURE, _TEST)),
    Rule("UNIT", unit.find, _HIGH, (_MEASURE, _SURE)),
    Rule("TMP", tmp.find, _HIGH, (_MEASURE, _TEST, _CLEAR), phrases="TMP"),
    Rule("PRO", pro.find, _HIGH, (_SURE, _CLEAR)),
    Rule("ESC", esc.find, _HIGH, (_SURE, _TEST), phrases="ESC"),
    Rule("OPN", opn.find, _HIGH, (_WHOLE, _SURE), phrases="OPN"),
    Rule("MODW", modw.find, _MEDIUM, (_SURE,), phrases="MODW"),
    Rule("ISTZU", istzu.find, _MEDIUM, (_CLEAR,)),
    Rule("MAN", man.find, _MEDIUM, (_WHOLE, _CLEAR), phrases="MAN"),
    Rule("QNT", qnt.find, _MEDIUM, (_MEASURE, _SURE), phrases="QNT"),
    Rule("APX", apx.find, _MEDIUM, (_MEASURE,), phrases="APX"),
    Rule("ABS", abs.find, _MEDIUM, (_TEST,), phrases="ABS"),
    Rule("CMP", cmp.find, _MEDIUM, (_MEASURE, _SURE)),
    Rule("SUP", sup.find, _MEDIUM, (_TEST, _MEASURE)),
    Rule("RNG", rng.find, _MEDIUM, (_TEST,)),
    Rule("SLS", sls.find, _MEDIUM, (_SURE,)),
    Rule("SOL", sol.find, _MEDIUM, (_NEUTRAL,)),
    Rule("LNG", lng.find, _MEDIUM, (_SAME,)),
    Rule("PAS", pas.find, _LOW, (_WHOLE,)),
    Rule("NEG", neg.find, _LOW, (_CLEAR,), {neg.DOUBLE: _HIGH}, phrases="NEG"),
    Rule("INF", inf.find, _LOW, (_CLEAR,), phrases="INF"),
    Rule("NOM", nom.find, _LOW, (_CLEAR,), phrases="NOM"),
)
