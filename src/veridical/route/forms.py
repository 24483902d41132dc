"""The forms of requests that need general knowledge only: what is X, how do you say X in French.

A form has a topic. Here it is judged by its shape; whether it belongs to the business, or the
request to the user's own data, is judged before.
"""

import re
from enum import StrEnum

from veridical.ontology.terms import fold
from veridical.route.lexicon import LEXICON, any_of
from veridical.route.said import Said


class Form(StrEnum):
    """What kind of knowledge is asked for."""

    KNOWLEDGE = "knowledge"
    TRANSLATION = "translation"
    CHAT = "chat"


def _folded(pattern: str) -> re.Pattern[str]:
    return re.compile(fold(pattern).replace("(?p<", "(?P<"))


_LEAD = _folded(
    r"(?:(?:hi|hello|hey|hallo|guten tag|ok|okay|so|well|please|pls|bitte|and|und|um)\b ?)*"
    r"(?:(?:(?:can|could|would|will|may) (?:you|u|i)|please|i (?:want|need|would like|d like|wish|am wanting"
    r"|am needing|wanna|gotta)(?: you)? to|id like (?:you )?to|i wanna|lets|help me|kannst du|konnten sie"
    r"|konntest du|ich (?:möchte|will|würde gern|würde gerne)|do you|weisst du|wissen sie) )*"
    r"(?:(?:please|pls|kindly|bitte|mal|mir|uns) )*"
    r"(?:(?:tell me|tell|give me|know|hear|learn|understand|let me know|remind me|teach me|sag mir"
    r"|sage mir|sagen|wissen|verrate mir|erkläre mir|erklär mir|erklären)\b ?)*"
)
_TAIL = _folded(
    r"(?: (?:please|pls|bitte|for me|to me|exactly|genau|eigentlich|überhaupt|thanks|danke|in general|allgemein|in simple terms|einfach erklärt|in a sentence|briefly|kurz))*$"
)
_HEADS = [
    "meaning",
    "definition",
    "concept",
    "idea",
    "theory",
    "law",
    "principle",
    "difference",
    "differences",
    "distinction",
    "purpose",
    "point",
    "capital",
    "formula",
    "synonym",
    "antonym",
    "opposite",
    "plural",
    "etymology",
    "pronunciation",
    "history",
    "origin",
    "function",
    "symbol",
    "abbreviation",
    "acronym",
    "inventor",
    "author",
    "founder",
    "bedeutung",
    "definition",
    "begriff",
    "konzept",
    "theorie",
    "prinzip",
    "unterschied",
    "unterschiede",
    "zweck",
    "hauptstadt",
    "formel",
    "synonym",
    "gegenteil",
    "mehrzahl",
    "plural",
    "geschichte",
    "ursprung",
    "herkunft",
    "abkurzung",
    "erfinder",
]
_WHAT_IS = _folded(
    r"(?:what|wat|whats|what the heck|was|wtf)(?: exactly| genau)?(?: is| are| was| were| ist| sind)?"
    r"(?: meant by| eigentlich| genau| ein| eine| a| an)? (?P<topic>.+)"
)
_WHAT_IS_VERB = _folded(
    r"(?:whats|wat|(?:what(?: exactly| the heck)?|was(?: genau)?) (?:is|are|was|were|ist|sind|war))\b.*"
)
_HEAD_OF = _folded(
    r"(?:(?:what|whats|was|which|welches) )?(?:(?:is|are|was|were|ist|sind) )?(?:the|der|die|das)? ?"
    r"(?:\w+ )?(?:"
    + "|".join(_HEADS)
    + r")(?: \w+)? (?:of|to|for|behind|between|von|vom|des|der|zwischen|für|hinter)"
    r" (?P<topic>.+)"
)
_EXPLAIN = _folded(
    r"(?:define|explain|describe|erkläre?|erkläre?n|definiere|beschreibe?)(?: mir| to me| for me)?"
    r"(?: what| was)?(?: an?| einen?| eine| the concept of| den begriff| das konzept| the term)?"
    r" (?P<topic>.+?)(?: is| are| ist| sind| means| bedeutet)?"
)
_HOW_WORKS = _folded(
    r"(?:how (?:does|do|did)(?: an?)?|wie) (?P<topic>.+?) (?:work|works)"
    r"|what (?:does|do) (?:the )?(?:acronym |abbreviation |letters? )?(?P<letters>.+?) stand for|wie (?:funktioniert|funktionieren|entsteht|entstehen)"
    r"(?: ein| eine| der| die| das)? (?P<subject>.+)"
)
_UNDERSTOOD = _folded(
    r"was (?:versteht man|verstehst du|bedeutet|bedeuten|heisst|meint man)(?: unter| mit)?(?: das| der| die)?"
    r"(?: wort| begriff| abkürzung| ausdruck)?(?: einem| einer| ein| eine)? (?P<topic>.+?)(?: auf deutsch)?"
    r"|wofür steht(?: die abkürzung| das kürzel)? (?P<subject>.+)"
)
_MEANING = frozenset(
    [
        "definition",
        "definitions",
        "define",
        "defined",
        "defines",
        "meaning",
        "meanings",
        "mean",
        "means",
        "meant",
        "dictionary",
        "spell",
        "spelled",
        "spelling",
        "spelt",
        "bedeutung",
        "buchstabiere",
        "buchstabiert",
        "schreibt",
        "rechtschreibung",
    ]
)
_MEANING_WORDS = frozenset(
    [
        "word",
        "words",
        "term",
        "phrase",
        "expression",
        "describe",
        "correct",
        "proper",
        "right",
        "way",
        "meaning",
        "sentence",
        "stand",
        "stands",
        "stood",
        "letters",
        "out",
        "use",
        "used",
        "connotation",
        "explain",
        "read",
        "share",
        "provide",
        "heck",
        "wort",
        "begriff",
        "ausdruck",
        "richtig",
        "might",
        "be",
        "me",
        "tell",
    ]
)
_DEFINITE = re.compile(
    r"\b(?:dos|do|did) the (?!words?\b|terms?\b|phrase\b|expression\b|acronym\b)"
)
_FACT = _folded(
    r"\b(?:something|anything|things?|stuff|facts?|trivia|jokes?|tidbits?|information|fakt|fakten|witze?"
    r"|etwas)\b.*\b(?:about|on|regarding|relating to|over|of|for|über|zu|zum)\b"
)
_FACTS = frozenset(
    fold(
        "fact facts trivia joke jokes tidbit tidbits fakt fakten witz witze funny interesting neat cool"
        " fun amusing weird fascinating intriguing awesome amazing funniest lustiges interessantes"
    ).split()
)
_FACT_WORDS = frozenset(
    fold(
        "fun interesting random cool neat unique amazing weird good great funny piece bit information"
        " read share hear some few most know knows learn regarding relating related really impressive"
        " awesome one über lustigen lustige lustiger interessanten interessante interessanter lustiges"
        " crazy surprising little known best knock another something anything thing things stuff lets"
    ).split()
)
_TONGUES = (
    "english german french italian spanish portuguese dutch swedish norwegian danish finnish icelandic"
    " polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian serbian croatian"
    " arabic hebrew persian farsi hindi urdu bengali chinese mandarin cantonese japanese korean"
    " vietnamese thai indonesian malay tagalog swahili latin irish welsh gaelic hawaiian mongolian"
    " esperanto catalan basque albanian estonian latvian lithuanian"
    " englisch deutsch französisch italienisch spanisch portugiesisch niederländisch holländisch"
    " schwedisch norwegisch dänisch finnisch polnisch tschechisch ungarisch rumänisch griechisch"
    " türkisch russisch ukrainisch serbisch kroatisch arabisch hebräisch persisch hindi chinesisch"
    " japanisch koreanisch vietnamesisch thailändisch latein lateinisch rätoromanisch albanisch"
    " englische deutsche französische italienische spanische chinesische russische"
)
_LANDS = (
    "england france germany italy spain portugal brazil mexico russia china japan korea india greece"
    " turkey poland sweden norway denmark finland hawaii vietnam thailand egypt israel ireland"
    " netherlands holland austria switzerland belgium argentina chile cuba colombia peru venezuela"
    " canada australia indonesia philippines pakistan iran iraq ukraine hungary romania iceland"
    " scotland wales kenya nigeria africa taiwan tibet nepal morocco jamaica haiti quebec"
)
_PEOPLES = "englishman mexican brazilian germans russians french italians spaniards americans"
PLACES = frozenset(fold(f"{_TONGUES} {_LANDS} {_PEOPLES}").split())
"""Languages, and where and by whom they are spoken."""
_TONGUE = rf"(?:{any_of(fold(_TONGUES).split())})"
_PLACE = rf"(?:{any_of(PLACES)})"
_TRANSLATE = re.compile(r"\b(?:translat(?:e|ion|ing)|ubersetz(?:e|en|t|ung)?)\b")
_DETERMINED = re.compile(
    r"\b(?:translat(?:e|ion of)|ubersetz(?:e|ung)?)(?: me| mir| bitte| for me)* (?:it|that|es|(?:the|der|die|das|den)(?! (?:following |folgenden? )?(?:word|sentence|phrase|expression|wort|satz|begriff|ausdruck)))\b"
)
_SAY = re.compile(
    rf"\b(?:say|said|sagt|sage|sagen|heisst|call|word|words|phrase|expression|slang|equivalent|greet|ask|thank|tell)\b"
    rf".*\b(?:in|into|to|auf|if|were|was|as an?|be|from)\b.*\b{_PLACE}\b"
    rf"|\b(?:do|would|did|does|the|what) (?:the )?{_PLACE}s? (?:people |person |speakers )?(?:say|word|call|phrase)\b"
    rf"|^(?:what|whats|was)(?: is| are| ist| s)? {_TONGUE} (?:for|fur)\b"
    rf"|^(?:what|whats)(?: is| are| does)? .+ (?:in|mean in) {_TONGUE}$"
    rf"|^was (?:ist|heisst|bedeutet) .+ auf {_TONGUE}$"
    rf"|\bin {_PLACE} how\b"
    rf"|\bif (?:i|you|one) (?:were|was) (?:an? )?{_PLACE}\b.*\b(?:say|call|ask|tell)\b"
    rf"|\b(?:say|call|ask|tell)\b.*\bif (?:i|you|one) (?:were|was) (?:an? )?{_PLACE}\b"
)
_LITERAL = re.compile(
    rf"how (?:do|can|would|could|should|dos|to|did|might) ?(?:i|you|u|they|we|one|people|someone|somebody)? ?(?:\w+ly )?(?:say|ask(?: for| about)?|tell|greet|thank|order|write|express)"
    rf" .+ (?:in|auf) {_TONGUE}|wie sagt man .+ (?:auf|in) {_TONGUE}"
)
_TRANSLATED = re.compile(
    rf"(?:translate|ubersetze?)(?: for me| me| mir| bitte)* (?!(?:the|this|that|it|these|those|all|every"
    rf"|der|die|das|den|dies\w*|es|alle\w*)\b).+ (?:to|into|in|ins|auf) {_TONGUE}"
)
LITERAL_CUES = frozenset(
    {"say", "ask", "tell", "greet", "thank", "order", "write", "express", "sagt", "translate", "ubersetze", "ubersetz"}
)
_SPEAK = re.compile(
    r"\b(?:speak|speaking|talk|respond|reply|answer|sprich|antworte|language|everything|things)\b"
)

_HAN_KNOWLEDGE = re.compile(
    r"(?:你好|您好|请问|请|你|能|可以|告诉我|帮我|给我|想知道|我想知道|一下|能不能|可不可以|知道|跟我|说说|讲讲)*"
    r"(?:解释一下|解释|说明一下|介绍一下)?"
    r"(?:(?:什么是|啥是|什么叫做?|何为|何谓|解释|解释一下|介绍一下|定义|说明一下|科普一下)(?P<a>[^什么怎]{1,14}?)(?:的?(?:意思|含义|概念|定义|原理))?"
    r"|(?P<b>[^什么怎]{1,14}?)(?:这个词)?(?:是什么|是啥|是什么意思|什么意思|的意思是什么|的定义是什么|的含义是什么|指的是什么|是指什么|代表什么)"
    r"|(?P<c>[^什么怎]{1,14}?)(?:是)?(?:如何|怎么|怎样)(?:工作|运作|形成|产生)的?"
    r"|(?P<d>[^什么怎]{1,10}?)(?:和|与|跟)(?P<e>[^什么怎]{1,10}?)(?:有什么区别|的区别是什么|的区别|有什么不同|有何区别)"
    r"|(?P<f>[^什么怎]{1,8}?)(?:的首都是哪里|的首都是什么|的首都|怎么读|怎么写|怎么念))"
    r"(?:呢|吗|啊|呀|吧|谢谢)*"
)
_HAN_TONGUES = [
    "英语",
    "英文",
    "德语",
    "德文",
    "法语",
    "法文",
    "意大利语",
    "西班牙语",
    "葡萄牙语",
    "俄语",
    "日语",
    "日文",
    "韩语",
    "韩文",
    "中文",
    "汉语",
    "拉丁语",
    "阿拉伯语",
    "泰语",
    "越南语",
    "荷兰语",
]
_HAN_TONGUE = f"(?:{any_of(_HAN_TONGUES)})"
_HAN_TRANSLATION = re.compile(
    rf"翻译成?{_HAN_TONGUE}?|(?:用)?{_HAN_TONGUE}(?:怎么|如何)(?:说|讲|表达|写)|的?{_HAN_TONGUE}是什么|译成{_HAN_TONGUE}"
)
_HAN_DETERMINED = re.compile(r"翻译(?:一下)?(?:这|那|上面|下面的?(?:文件|报告))")

_LONGEST_TOPIC = 4
_JOINING = frozenset(
    [
        "of",
        "and",
        "the",
        "in",
        "a",
        "an",
        "der",
        "die",
        "das",
        "des",
        "von",
        "und",
        "im",
        "to",
        "vs",
    ]
)


def form_of(text: str, words: tuple[str, ...]) -> Form | None:
    """The form of a request, by its folded words in a row."""
    body = _TAIL.sub("", text[_lead(text) :])
    if _is_translation(body):
        return Form.TRANSLATION
    if _FACT.search(body) and _is_about(words, _FACTS, _FACT_WORDS):
        return Form.CHAT
    if _asks_meaning(body):
        return Form.KNOWLEDGE
    if _is_about(words, _MEANING, _MEANING_WORDS) and not _DEFINITE.search(body):
        return Form.KNOWLEDGE
    return None


def han_form_of(text: str) -> Form | None:
    """The form of a Chinese request, by its signs without blanks and punctuation."""
    if _HAN_TRANSLATION.search(text):
        return None if _HAN_DETERMINED.search(text) else Form.TRANSLATION
    return Form.KNOWLEDGE if _HAN_KNOWLEDGE.fullmatch(text) else None


def is_literal(said: Said) -> bool:
    """True for "how do you say X in French", where X is text and asks for nothing."""
    if LITERAL_CUES.isdisjoint(said.held):
        return False
    body = _TAIL.sub("", said.text[_lead(said.text) :])
    if _LITERAL.fullmatch(body):
        return True
    return LEXICON.affairs.isdisjoint(said.held) and _TRANSLATED.fullmatch(body) is not None


def _lead(text: str) -> int:
    found = _LEAD.match(text)
    return found.end() if found else 0


def _is_translation(body: str) -> bool:
    if _TRANSLATE.search(body):
        return not _DETERMINED.search(body)
    return bool(_SAY.search(body)) and not _SPEAK.search(body)


def _asks_meaning(body: str) -> bool:
    found = _HEAD_OF.fullmatch(body)
    if found:
        return _is_topic(found["topic"], determined=True)
    for form in (_HOW_WORKS, _EXPLAIN, _UNDERSTOOD):
        found = form.fullmatch(body)
        if found:
            topic = next(filter(None, found.groups()), "")
            return _is_topic(topic, determined=False)
    if not _WHAT_IS_VERB.fullmatch(body):
        return False
    found = _WHAT_IS.fullmatch(body)
    return bool(found) and _is_topic(found["topic"], determined=False)


def _is_topic(topic: str, determined: bool) -> bool:
    """A few words of content. With an article a thing that both sides know is meant: no topic."""
    words = topic.split()
    if determined and words[0] in _JOINING:
        words = words[1:]
    if not 0 < len(words) <= _LONGEST_TOPIC + determined or words[0] in _JOINING:
        return False
    inner = [word for word in words if word not in _JOINING]
    return not any(word in LEXICON.fillers or not word.isalpha() for word in inner)


def _is_about(words: tuple[str, ...], cues: frozenset[str], near: frozenset[str]) -> bool:
    if cues.isdisjoint(words):
        return False
    known = LEXICON.fillers | near | cues
    unknown = [word for word in words if word not in known]
    return 0 < len(unknown) <= _LONGEST_TOPIC and all(word.isalpha() for word in unknown)
