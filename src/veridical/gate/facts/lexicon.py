"""General words, per language: saying no, not knowing, and the notions that records have keys for.

No list here belongs to one record or one trade: a notion is looked up only when a key names it.
"""

NEGATIONS = frozenset(
    {
        *("not", "no", "without", "cannot", "neither", "nor", "lack", "lacks", "lacking", "lacked"),
        *("never", "none", "unavailable", "absent", "absence", "isnt", "doesnt", "dont"),
        *("nicht", "kein", "keine", "keinen", "keiner", "keinem", "keines", "ohne", "weder"),
        *("nie", "fehlt", "fehlen", "fehlende", "fehlendes"),
        *("不", "没", "無", "无", "未", "非"),
    }
)
"""Whole words, folded; English ``n't`` is told by its ending."""

AFTERWARDS = frozenset({"unavailable", "absent", "missing", "fehlt", "fehlen"})
"""Negations that speak about what stands before them."""

BREAKS = frozenset(
    {
        *("but", "however", "although", "though", "while", "whereas", "yet", "except", "instead"),
        *("because", "so", "making", "with", "which", "who", "where", "when", "if", "despite"),
        *("aber", "jedoch", "sondern", "obwohl", "waehrend", "wahrend", "dafuer", "dafur", "mit"),
        *("weil", "dass", "wenn", "但", "而"),
    }
)
"""Words at which what was denied before ends."""

SUBJECTS = frozenset(
    {
        *("it", "they", "we", "there", "this", "that", "these", "those", "the", "its", "their"),
        *("customers", "guests", "visitors", "users", "one", "some", "many", "he", "all", "both"),
        *("er", "sie", "es", "wir", "der", "die", "das", "dort", "hier", "ihre", "seine"),
        *("它", "他", "她", "这", "该"),
    }
)
"""Words that begin a new statement after a comma or an ``and``."""

VERBS = frozenset(
    {
        *("is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "can", "may"),
        *("will", "offers", "provides", "accepts", "takes", "allows", "includes", "features"),
        *("boasts", "serves", "supports", "gives", "comes", "offer", "provide", "accept", "take"),
        *("ist", "sind", "war", "waren", "hat", "haben", "bietet", "bieten", "gibt", "verfuegt"),
        *("verfugt", "nimmt", "kann", "koennen", "konnen", "有", "提", "是", "可"),
    }
)

UNKNOWN = (
    *("specific information", "information about", "information on", "genre mentioned"),
    *("in the provided data", "in the structured data", "in the given data"),
    *("not specified", "unspecified", "not mentioned", "not provided", "not indicated"),
    *("not listed", "not stated", "not known", "not clear", "not available in the data"),
    *("unclear", "unknown", "no information", "not explicitly", "no specific information"),
    *("not disclosed", "not given", "no mention", "no details", "not include information"),
    *("not provide information", "not specify", "not mention", "not indicate", "n/a"),
    *("nicht angegeben", "nicht bekannt", "unbekannt", "keine angabe", "keine information"),
    *("nicht erwähnt", "未 注 明", "没 有 提 及", "未 知", "未 提 及", "不 详", "没 有 说 明"),
)
"""What says that the record says nothing."""

FILLERS = frozenset(
    {
        *("good", "for", "is", "has", "have", "are", "allow", "allowed", "allows", "available"),
        *("accept", "accepts", "accepted", "offer", "offers", "the", "of", "and", "with", "a"),
        *("by", "to", "in", "on", "can", "does", "provide", "provides", "include", "included"),
        *("includes", "support", "supports", "supported", "flag", "enabled", "option", "options"),
        *("ist", "hat", "mit", "fuer", "fur", "und", "verfuegbar", "erlaubt", "vorhanden"),
        *("是", "否", "有", "可"),
    }
)
"""Words of a key that say nothing about what it is for."""

THINGS = frozenset(
    {
        *("business", "restaurant", "restaurants", "company", "hotel", "shop", "store", "item"),
        *("product", "venue", "property", "room", "place", "customer", "user", "account"),
        *("betrieb", "firma", "laden", "produkt", "artikel", "kunde", "zimmer"),
    }
)
"""Words of a key that name what the whole record is about."""

QUALITIES = frozenset(
    {
        *("ambience", "ambiance", "atmosphere", "vibe", "mood", "style", "character", "decor"),
        *("ambiente", "atmosphaere", "atmosphare", "stimmung", "stil", "氛围", "气氛", "风格"),
    }
)
"""Groups whose members describe the whole: one member alone in a text already says something."""

NOTIONS: tuple[tuple[str, ...], ...] = (
    ("wifi", "wi fi", "wireless internet", "wlan", "w lan", "无线网络", "无线上网"),
    (
        *("takeout", "take out", "takeaway", "take away", "carryout", "carry out"),
        *("zum mitnehmen", "mitnahme", "外带", "打包"),
    ),
    (
        "delivery",
        "home delivery",
        "lieferung",
        "lieferservice",
        "lieferdienst",
        "外卖",
        "送餐",
        "配送",
    ),
    (
        *("outdoor seating", "outdoor dining", "seating outdoors", "outdoor area", "outdoor patio"),
        *("outside seating", "outdoor tables", "outdoor space", "outdoor options", "outdoors"),
        *("aussenbereich", "aussenplaetze", "terrasse", "户外座位", "露天座位", "室外座位"),
    ),
    ("reservation", "booking", "reserve a table", "reservierung", "预订", "预约", "订位"),
    ("parking", "park", "parkplatz", "parken", "parkmoeglichkeit", "停车"),
    ("music", "musik", "音乐"),
    ("group", "gruppe", "团体", "聚会"),
    (*("ambience", "ambiance", "atmosphere", "vibe", "ambiente"), "atmosphaere", "氛围", "气氛"),
    ("breakfast", "fruehstueck", "早餐"),
    ("pool", "swimming pool", "schwimmbad", "泳池"),
    ("gym", "fitness center", "fitness centre", "fitnessraum", "健身房"),
    ("dogs", "pets", "pet friendly", "haustiere", "hunde", "宠物"),
    ("wheelchair", "wheelchair accessible", "barrierefrei", "rollstuhl", "无障碍"),
    ("credit card", "credit cards", "kreditkarte", "信用卡"),
    ("alcohol", "alkohol", "酒精"),
    ("smoking", "rauchen", "吸烟"),
    ("air conditioning", "klimaanlage", "空调"),
    ("elevator", "lift", "aufzug", "电梯"),
    ("warranty", "guarantee", "garantie", "保修"),
    ("waterproof", "water resistant", "wasserdicht", "防水"),
    ("in stock", "auf lager", "vorraetig", "现货", "有货"),
    ("wireless charging", "kabelloses laden", "无线充电"),
    ("headphone jack", "kopfhoereranschluss", "耳机孔", "耳机插孔"),
)
"""What different people and languages call the same amenity or feature."""

CONTAINERS = frozenset(
    {
        *("attributes", "amenities", "features", "properties", "facilities", "services"),
        *("options", "flags", "settings", "details", "info", "data", "equipment", "specs"),
        *("merkmale", "ausstattung", "eigenschaften", "angebote", "设施", "属性", "特点"),
    }
)
"""Keys that only hold others together: their members speak for themselves."""

PLACING = frozenset(
    {"in", "on", "with", "via", "at", "including", "such", "(", ":", "im", "am", "auf"}
)
"""Words between a group and one of its kinds: parking in a garage."""

BETWEEN = PLACING | {
    *("a", "the", "and", "or", "option", "options", "available", "is", "both", "as", "services"),
    *("service", "facilities", "spaces", "for", "ein", "eine", "einem", "einer", "der", "die"),
    *("und", "oder"),
}
