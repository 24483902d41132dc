"""The ways a figure may be made from others, and the words that name them in three languages."""

import re
from enum import StrEnum
from functools import lru_cache

from veridical.late_pattern import late_pattern


class Operation(StrEnum):
    """How figures are put together."""

    SUM = "sum"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    """one divided by the other: times as much, margin, turnover"""
    CHANGE = "change"
    """the difference as a share of the earlier one, in percent"""
    SHARE = "share"
    """one as a percentage of the other or of all"""
    REST = "rest"
    """what is left of a whole without a part, as a percentage of the whole"""
    MEAN = "mean"
    PRODUCT = "product"
    COUNT = "count"


_LONGEST = 4_000
"""No passage that puts figures together is longer."""
ADDING = frozenset({Operation.SUM, Operation.MEAN})
_WORDS = {
    Operation.SUM: (
        r"\b(?:totals?|totall?ing|total+ed|sum(?:s|med|ming)?|combined|together|altogether|overall"
        r"|in all|plus|add(?:s|ed|ing)?|aggregate|cumulative|both|consist(?:s|ing)? of"
        r"|\w*summe\w*|summier\w*|gesamt\w*|insgesamt|\w*total\w*|zusammen\w*|ergeben|alle)\b"
        r"|合计|总计|总共|共计|总额|总和|一共|累计|总数|之和|全年|全季|整个"
    ),
    Operation.DIFFERENCE: (
        r"\b(?:differ\w*|change[sd]?|changing|increas\w*|decreas\w*|declin\w*|grew|gr[eo]w\w*|rose"
        r"|ris(?:e|es|en|ing)|fell|fall\w*|drop\w*|reduc\w*|reduction|gain\w*|more|less|fewer|higher"
        r"|lower|above|below|minus|net of|gap|spread|exceed\w*|improv\w*|deteriorat\w*"
        r"|vari(?:ance|ation)|out(?:s[oe]ld|sells?|perform|pac|number|strip|earn|rank|do)\w*"
        r"|outs(?:old|ells?|elling)|under(?:sold|perform)\w*|surpass\w*|overt[ao]\w*|beats?|beaten"
        r"|trail\w*|lag(?:s|ged|ging)?|ahead|behind|übertr[aieo]\w*|überbiet\w*|überbot\w*"
        r"|überflügel\w*|vorsprung|voraus|rückstand|hinter"
        r"|remain\w*|left|excluding|movement|year.over.year|net|shortfall|surplus|widen\w*|narrow\w*"
        r"|differenz\w*|unterschied\w*|rückg[aä]ng\w*|zunahme\w*|abnahme\w*|anstieg\w*|gestiegen"
        r"|stieg\w*|gesunken|sank\w*|gefallen|fiel\w*|mehr|weniger|höher\w*|tiefer\w*|niedriger\w*"
        r"|veränder\w*|zuwachs\w*|wachstum\w*|plus|minus|verbesser\w*|verbleib\w*|übrig|rest\w*"
        r"|verringer\w*|erhöh\w*|zugenommen|abgenommen|gewachsen|über|unter|netto\w*|saldo)\b"
        r"|增加|减少|增长|下降|上升|差额|差异|相差|变化|高于|低于|降低|提高|上涨|下跌|剩余|超过|超出|多出|领先|落后"
    ),
    Operation.RATIO: (
        r"\b(?:ratios?|times|multiples?|per|divided|rate[sd]?|margins?|turnover|proportion\w*"
        r"|coverage|yield\w*|return\w*|twice|double\w*|triple\w*|half|fold|days|conversion|leverage"
        r"|intensi\w*|relative|quotient\w*|verhältnis\w*|mal|fach\w*|[a-zäöü]*quote|rate|\w*marge\w*|pro|je"
        r"|doppelt\w*|verdoppel\w*|rendite\w*|umschlag\w*)\b|倍|比率|比例|比值|每|毛利率|净利率|利润率|回报率"
    ),
    Operation.CHANGE: (
        r"\b(?:change[sd]?|increas\w*|decreas\w*|declin\w*|gr[eo]w\w*|growth|rose|ris(?:e|es|en|ing)"
        r"|fell|fall\w*|drop\w*|reduc\w*|gain\w*"
        r"|(?<!make )(?<!makes )(?<!made )(?<!making )up|down|higher|lower|more|less"
        r"|improv\w*|cagr|jump\w*"
        r"|year.over.year|yoy|surg\w*|differ\w*|expand\w*|shrank|contract\w*|compared|variation"
        r"|rückg[aä]ng\w*|zunahme\w*|abnahme\w*|anstieg\w*|gestiegen|stieg\w*|gesunken|sank\w*"
        r"|gefallen|fiel\w*|mehr|weniger|höher\w*|tiefer\w*|niedriger\w*|veränder\w*|zuwachs\w*"
        r"|wachstum\w*|plus|minus|verbesser\w*|verringer\w*|erhöh\w*|zugenommen|abgenommen|gewachsen"
        r"|verglichen|gegenüber)\b|增加|减少|增长|下降|上升|变化|高于|低于|降低|提高|上涨|下跌|同比|环比|增幅|降幅"
    ),
    Operation.SHARE: (
        r"\b(?:shares?|percent\w*|portion\w*|proportion\w*|fraction|part|represent\w*|account\w*"
        r"|compris\w*|make[s]? up|made up|constitut\w*|margins?|rates?|ratios?|of (?:the )?total"
        r"|of (?:all|sales|revenue)|relative|anteil\w*|prozent\w*|entspr\w*|macht|machen|ausmach\w*"
        r"|davon|quote\w*|[a-zäöü]+quote|\w*marge\w*|rendite\w*|return|yield|conversion|intensi\w*)\b"
        r"|占|比重|份额|占比|比例|百分之|利率|毛利率|净利率|利润率"
    ),
    Operation.MEAN: (
        r"\b(?:mean|averag\w*|avg|on average|typical\w*|durchschnitt\w*|mittel\w*|schnitt"
        r"|mittlere\w*)\b"
        r"|平均|均值|人均"
    ),
    Operation.PRODUCT: r"\b(?:times|multipl\w*|product|multipliziert|mal)\b|乘|倍",
    Operation.COUNT: (
        r"\b(?:how many|number of|count|there (?:are|were)|anzahl|wie viele|es gibt)\b"
        r"|多少个|几个|共有|数量"
    ),
}
_NAMED = tuple(
    (operation, late_pattern(words, re.IGNORECASE)) for operation, words in _WORDS.items()
)


@lru_cache(maxsize=4096)
def named_operations(text: str) -> frozenset[Operation]:
    """All ways of putting figures together that a text names."""
    return frozenset(operation for operation, words in _NAMED if words.search(text, 0, _LONGEST))
