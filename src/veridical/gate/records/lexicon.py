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
        *("beyond", "besides", "apart", "abgesehen"),
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
    *(
        "specific information",
        "specific details",
        "information about",
        "information on",
        "genre mentioned",
    ),
    *("in the provided data", "in the structured data", "in the given data"),
    *("no data", "data provided", "were specified", "are listed", "no other attributes"),
    *("additional amenities", "other amenities", "specific amenities", "not applicable"),
    *("specific characteristics", "descriptors", "marked", "not described", "not highlighted"),
    *("not defined", "not noted", "not detailed", "details on", "parking details"),
    *("limited information", "information regarding", "information is", "information available"),
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
        *("setting", "environment", "feel", "umgebung", "环境"),
        *("ambiente", "atmosphaere", "atmosphare", "stimmung", "stil", "氛围", "气氛", "风格"),
    }
)
"""Groups whose members describe the whole, and what sentences call that: *casual* says nothing of
a place in *a casual sandwich*."""

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
        *("outdoor seating", "outdoor dining", "seating outdoors", "outdoor patio"),
        *("outside seating", "outdoor tables", "outdoor options"),
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
    ("paid", "bezahlt", "beglichen", "已付款", "已支付", "付款"),
    ("active", "aktiv", "启用", "有效"),
    ("approved", "genehmigt", "freigegeben", "已批准", "批准"),
    ("shipped", "versandt", "verschickt", "已发货", "发货"),
    ("cancelled", "canceled", "storniert", "已取消", "取消"),
    ("overdue", "überfällig", "逾期"),
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

SERVICES: tuple[tuple[str, ...], ...] = (
    ("delivery", "lieferung", "lieferservice", "lieferdienst", "外卖", "送餐", "配送"),
    ("catering", "catering services", "餐饮承办"),
    (
        "online ordering",
        "online orders",
        "order online",
        "onlinebestellung",
        "在线订购",
        "网上订购",
    ),
    ("mobile app", "smartphone app", "handy app", "手机应用"),
    ("full bar", "open bar", "vollbar", "酒吧"),
    ("happy hour",),
    ("alcohol", "alkohol", "酒精饮料"),
    ("credit cards", "credit card", "kreditkarten", "kreditkarte", "信用卡"),
    ("gift cards", "gift card", "geschenkkarten", "gutscheine", "礼品卡"),
    ("loyalty program", "rewards program", "treueprogramm", "会员计划"),
    ("vegetarian", "vegetarisch", "vegetarische", "素食"),
    ("vegan", "vegane", "纯素"),
    ("gluten free", "glutenfrei", "glutenfreie", "无麸质"),
    ("halal", "清真"),
    ("kosher", "koscher"),
    ("shuttle", "shuttle service", "shuttlebus", "班车", "接送"),
    ("room service", "zimmerservice", "客房服务"),
    ("swimming pool", "pool", "schwimmbad", "泳池"),
    ("fitness center", "fitness centre", "gym", "fitnessraum", "健身房"),
    ("sauna", "桑拿"),
    ("spa", "wellnessbereich", "水疗"),
    ("golf course", "golfplatz", "高尔夫球场"),
    ("private beach", "privatstrand", "私人海滩"),
    ("rooftop", "dachterrasse", "屋顶"),
    ("playground", "spielplatz", "游乐场"),
    ("wheelchair", "rollstuhl", "barrierefrei", "无障碍"),
    ("pet friendly", "dog friendly", "haustiere erlaubt", "宠物友好", "=dog", "=pet", "=hund"),
    ("air conditioning", "klimaanlage", "空调"),
    ("free shipping", "kostenloser versand", "包邮", "免运费"),
    ("warranty", "garantie", "保修"),
    ("wireless charging", "kabelloses laden", "无线充电"),
    ("drive thru", "drive through", "得来速"),
    ("dress code", "kleiderordnung", "着装要求"),
)
"""Services and features that somebody either offers or doesn't: a record that is silent about one
bears out neither."""

TOPICS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "price",
        (
            *("prices", "priced", "pricey", "pricing", "price range", "affordable", "expensive"),
            *("inexpensive", "overpriced", "value for money", "affordability", "preise", "teuer"),
            *("günstig", "preiswert", "价 格", "价格", "昂贵", "便宜", "实惠"),
        ),
        (
            *(
                "pric",
                "expens",
                "cheap",
                "afford",
                "cost",
                "money",
                "worth",
                "value",
                "overcharg",
                "buck",
            ),
            *(
                "pay",
                "paid",
                "fee",
                "budget",
                "deal",
                "preis",
                "teuer",
                "günstig",
                "kost",
                "dollar",
            ),
            *("$", "€", "£", "¥", "价", "贵", "便", "钱", "元"),
        ),
    ),
    (
        "speed",
        (
            *("slow", "slowly", "long wait", "wait times", "waiting times", "wait time"),
            *("langsam", "lange wartezeiten", "wartezeit", "很慢", "等待时间"),
        ),
        (
            *("slow", "wait", "took", "minut", "mins", "hour", "forever", "late", "long", "delay"),
            *("langsam", "wart", "stund", "lang", "慢", "等", "久"),
        ),
    ),
    (
        "noise",
        ("loud", "noisy", "busy", "crowded", "laut", "überfüllt", "吵", "拥挤"),
        (
            *("busy", "crowd", "packed", "line", "loud", "nois", "wait", "full", "laut", "voll"),
            *("queue", "popular", "lively", "吵", "挤", "忙"),
        ),
    ),
    (
        "location",
        (
            *(
                "in the heart of",
                "walking distance",
                "centrally located",
                "im herzen von",
                "zentral gelegen",
                "市中心",
            ),
        ),
        (
            *("heart", "walk", "convenien", "locat", "central", "center", "herz", "zentral"),
            *("lage", "中心", "位置"),
        ),
    ),
    (
        "ingredients",
        ("fresh ingredients", "frische zutaten", "新鲜食材"),
        ("fresh", "ingredient", "organic", "farm", "frisch", "zutat", "鲜", "食材"),
    ),
)
"""What answers like to say of anything: the words that say it, and the beginnings of words of which
a record that speaks about the topic has at least one."""

STYLES = frozenset(
    {
        *("casual", "intimate", "romantic", "upscale", "trendy", "classy", "rustic", "formal"),
        *("elegant", "hip", "touristy", "luxurious", "bohemian", "industrial", "minimalist"),
        *("leger", "intim", "romantisch", "gehoben", "elegant", "rustikal", "förmlich"),
    }
)
"""Words that place something in a class; praise like *nice* or *lively* does not."""

FINITE = frozenset(
    {
        *("is", "are", "was", "were", "has", "offers", "provides", "accepts", "takes", "allows"),
        *("includes", "features", "boasts", "serves", "supports", "gives", "accommodates"),
        *("ist", "sind", "hat", "bietet", "gibt", "nimmt", "verfügt"),
    }
)
"""Forms of verbs that begin a statement of their own, even after a mere comma."""

PLACED = frozenset({"situated", "parked", "truck", "vacant", "behind", "liegt", "位于"})
"""Words that tell where something is: a stall in a parking lot has no parking by that."""
