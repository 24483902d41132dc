"""Recognises "there is nothing" and "I can't say" in a model's own words."""

import re

_CANT_SAY = re.compile(
    r"""kann\ (?:ich\ |das\ |dies(?:e\ \w+)?\ |leider\ |dazu\ |die\ \w+\ )*(?:nicht|keine)
    | konnten?\ (?:\w+\ ){0,3}(?:nicht|keine?\w?)\ | wurden?\ nicht\ gefunden
    | nicht\ (?:sagen|beantworten|ermitteln|verfügbar|möglich|vorhanden|erlaubt|belegt|zugänglich)
    | nicht\ angegeben
    | keine\ (?:Angaben?|Daten|Informationen|Auskunft|Berechtigung|Antwort)
    | liegen\ (?:mir\ )?nicht\ vor | nicht\ berechtigt | unmöglich
    | can(?:no|')t | can\ not | could(?:\ not|n't) | unable\ to
    | not\ (?:available|possible|allowed)
    | (?:no|not\ enough|insufficient)\ (?:data|information|access|permission) | don't\ (?:have|know)
    | do\ not\ (?:have|know) | not\ permitted
    | (?:syntax|database)\ error | Fehler | does\ not\ exist | 错误
    | 无法 | 不能 | 无权 | 不可用 | 没有(?:足够的?)?(?:数据|信息|资料|权限) | 不知道 | 未提供""",
    re.VERBOSE | re.IGNORECASE,
)
_NOTHING = re.compile(
    r"""\bkein(?:e|en|er|em|es)?\b | \bnichts\b | \bniemand\b
    | nicht\ (?:gefunden|vorhanden|gebucht)
    | \bno(?:ne|thing|body)?\b | not\ (?:found|any) | n't\ any | without\ any | \bnil\b
    | 没有 | 无(?!法) | 未(?:找到|发现|记录) | 不存在 | 为零""",
    re.VERBOSE | re.IGNORECASE,
)
_EXISTS_NOT = re.compile(
    r"""existiert\ nicht | gibt\ es\ (?:\w+\ ){0,4}(?:nicht|kein) | (?:does|do|did)\ not\ exist
    | (?:doesn|don|didn)'t\ exist | no\ such | there\ (?:is|was|were|are)\ no | 不存在 | 并没有""",
    re.VERBOSE | re.IGNORECASE,
)


def cant_say(text: str) -> bool:
    """Whether the text says that it has no answer."""
    return _CANT_SAY.search(text) is not None


def says_nothing_there(text: str) -> bool:
    """Whether the text says that there is nothing of what was asked for."""
    return _NOTHING.search(text) is not None or _EXISTS_NOT.search(text) is not None
