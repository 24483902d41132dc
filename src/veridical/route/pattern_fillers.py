"""Words that change nothing: articles, polite turns, ways to ask how much or which.

A word is listed only if a question means the same without it. Negations, comparisons, "and",
"only", "without", "until", "per" are not: with one of them it is another question.
"""

from veridical.contracts.language import Language
from veridical.ontology.model import Asks

_ALWAYS: dict[Language, str] = {
    Language.DE: """der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines, ist, sind,
        war, waren, hat, haben wir, wir haben, habe, hatte, hatten, wir, uns, unser, unsere,
        unserer, unserem, unseren, ich, mir, man, es, bitte, von, vom, für, in, im, am, an, auf,
        bei, per, zu, zum, zur, gab, gibt, wurde, wurden, betrug, betrugen, beträgt, betragen, lag,
        lagen, liegt, steht, standen, belief, beliefen, sich, kannst du, könntest du, können
        sie, könnten sie, ich möchte, ich möchte gerne, ich brauche, wissen, sagen, nennen, gib
        mir, geben sie mir, nenne, nenne mir, nenn mir, sag mir, sagen sie mir, mal, denn,
        eigentlich, genau, firma, unternehmen, unternehmens, gesellschaft, buchhaltung, hallo,
        guten tag, danke""",
    Language.EN: """the, a, an, is, are, was, were, do, does, did, have, has, had, we, our, us, my,
        i, me, of, for, in, on, at, as, please, give me, tell me, can you, could you, can i,
        would like to know, d like to know, would like to see, would like, i want to know,
        want to know, i need, let me know, there, it, s, company, books, hello, hi, thanks,
        thank you, during""",
    Language.ZH: """的, 是, 了, 在, 请, 请问, 我, 我们, 我司, 公司, 本公司, 给我, 告诉我, 请告诉我,
        帮我, 一下, 想知道, 我想知道, 有, 为多少, 于, 截至, 截止, 到, 时, 时候, 你好, 谢谢""",
}
_SHOWING: dict[Language, str] = {
    Language.DE: "zeige, zeig, zeigen, sehen, liste, auflisten, liste auf, auflistung, übersicht",
    Language.EN: "show, see, list, display, overview",
    Language.ZH: "显示, 查询, 查看, 查一下, 查, 看, 看一下, 列出",
}
_AMOUNTS: dict[Language, str] = {
    Language.DE: """wie hoch, wie viel, wieviel, wie gross, was, wie, wie lautet, wie lauten,
        welchen, welcher, welches, lautet, lauten, höhe, die höhe, betrag""",
    Language.EN: "what, how much, how high, how large, how big, amount",
    Language.ZH: "多少, 多少钱, 几多, 多大, 如何, 怎样, 金额",
}
_BY_KIND: dict[Asks, dict[Language, str]] = {
    Asks.HOW_MUCH: _AMOUNTS,
    Asks.TOTAL: _AMOUNTS,
    Asks.HOW_MANY: {
        Language.DE: "wie viele, wieviele",
        Language.EN: "how many",
        Language.ZH: "一共, 总共, 共",
    },
    Asks.WHICH: {
        Language.DE: """welche, welches, welcher, was, was für, alle, sämtliche""",
        Language.EN: "which, what, all, any",
        Language.ZH: "哪些, 哪几, 所有, 全部, 清单, 名单, 列表, 一览",
    },
}


def fillers(language: Language, asks: Asks) -> tuple[str, ...]:
    """The phrases to pass over in a question of this kind."""
    showing = "" if asks is Asks.TOTAL else f", {_SHOWING[language]}"
    texts = (_ALWAYS[language], _BY_KIND[asks][language] + showing)
    return tuple(" ".join(each.split()) for text in texts for each in text.split(","))


def asking(language: Language, asks: Asks) -> str:
    """The first words of a question of this kind."""
    return " ".join(_BY_KIND[asks][language].split(",")[0].split())
