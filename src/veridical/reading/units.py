"""The words and signs around a figure: currencies, scales, percent, units of measure."""

from veridical.reading.listed import listed

CURRENCY_SIGNS: dict[str, str] = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "￥": "CNY", "₹": "INR", "元": "CNY",
    "US$": "USD", "A$": "AUD", "C$": "CAD", "HK$": "HKD", "S$": "SGD", "NZ$": "NZD", "RMB¥": "CNY",
}  # fmt: skip

CURRENCIES: dict[str, str] = {
    code: code
    for code in listed(
        "CHF EUR USD GBP JPY CNY CAD AUD NZD SEK NOK DKK HKD SGD INR PLN CZK HUF RON TRY BRL MXN "
        "ZAR KRW TWD THB ILS AED SAR RUB"
    )
} | {
    "RMB": "CNY", "Fr": "CHF", "SFr": "CHF", "Fr.": "CHF", "SFr.": "CHF", "sFr.": "CHF",
    "Franken": "CHF", "franken": "CHF", "francs": "CHF", "franc": "CHF", "Francs": "CHF",
    "Euro": "EUR", "Euros": "EUR", "euro": "EUR", "euros": "EUR",
    "Dollar": "USD", "Dollars": "USD", "dollar": "USD", "dollars": "USD", "US-Dollar": "USD",
    "Pfund": "GBP", "pounds": "GBP", "pound": "GBP", "Yen": "JPY", "yen": "JPY",
    "Yuan": "CNY", "yuan": "CNY", "Renminbi": "CNY", "renminbi": "CNY",
    "Kronen": "SEK", "rupees": "INR",
}  # fmt: skip
"""Currencies by code or by name, as they are spelt beside a figure."""

HAN_CURRENCIES: dict[str, str] = {
    "元": "CNY", "块钱": "CNY", "块": "CNY", "人民币": "CNY", "元人民币": "CNY", "美元": "USD",
    "美金": "USD", "欧元": "EUR", "瑞士法郎": "CHF", "瑞郎": "CHF", "法郎": "CHF", "英镑": "GBP",
    "日元": "JPY", "港元": "HKD", "港币": "HKD", "卢比": "INR",
}  # fmt: skip

SCALES: dict[str, float] = {
    "k": 1e3, "K": 1e3, "Tsd": 1e3, "TCHF": 1e3, "TEUR": 1e3, "tausend": 1e3, "Tausend": 1e3,
    "thousand": 1e3, "thousands": 1e3, "hundred": 1e2, "hundert": 1e2, "dozen": 12, "Dutzend": 12,
    "Mio": 1e6, "mio": 1e6, "MIO": 1e6, "Mill": 1e6, "mill": 1e6, "Million": 1e6,
    "Millionen": 1e6, "million": 1e6, "millions": 1e6, "mn": 1e6, "mln": 1e6, "MM": 1e6, "mm": 1e6,
    "M": 1e6, "m": 1e6,
    "Mrd": 1e9, "mrd": 1e9, "Mia": 1e9, "mia": 1e9, "Milliarde": 1e9, "Milliarden": 1e9,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "bln": 1e9, "B": 1e9, "b": 1e9, "Bn": 1e9,
    "Billionen": 1e12, "Billion": 1e12, "trillion": 1e12, "trillions": 1e12, "tn": 1e12,
    "trn": 1e12, "Bio": 1e12, "T": 1e12, "lakh": 1e5, "crore": 1e7,
}  # fmt: skip

UNSURE_SCALES = frozenset({"m", "M", "mm", "MM", "B", "b", "T", "k", "K"})
"""Also units of measure (metres, millimetres, bytes) or letters where no currency stands by."""

HAN_SCALES: dict[str, float] = {
    "万亿": 1e12, "千亿": 1e11, "百亿": 1e10, "十亿": 1e9, "亿": 1e8, "千万": 1e7, "百万": 1e6,
    "十万": 1e5, "万": 1e4, "千": 1e3, "百": 1e2,
}  # fmt: skip

PERCENTS: dict[str, float] = {
    "%": 1.0, "％": 1.0, "Prozent": 1.0, "prozent": 1.0, "percent": 1.0, "pct": 1.0,
    "per cent": 1.0, "Prozentpunkte": 1.0, "Prozentpunkten": 1.0, "Prozentpunkt": 1.0,
    "percentage points": 1.0, "percentage point": 1.0, "percent points": 1.0, "pp": 1.0,
    "ppt": 1.0, "ppts": 1.0, "%-Punkte": 1.0, "%-Punkten": 1.0, "个百分点": 1.0, "百分点": 1.0,
    "‰": 0.1, "Promille": 0.1,
    "bps": 0.01, "bp": 0.01, "Basispunkte": 0.01, "Basispunkten": 0.01, "Basispunkt": 0.01,
    "basis points": 0.01, "basis point": 0.01, "个基点": 0.01, "基点": 0.01, "BP": 0.01,
}  # fmt: skip
"""The value of one unit in percent."""

UNITS = listed(
    "km m cm mm nm mi ft yd in² m² km² m2 km2 sqm sqft ha l ml dl cl L kg g mg t lb lbs oz kWh MWh "
    "GWh kW MW GW W V A mAh Ah Wh GB MB TB KB kB GiB MiB Mbit Gbit Mbps Gbps GHz MHz kHz Hz px dpi "
    "ppi nits fps rpm bar hPa Pa kPa °C °F ° K C F h hrs hr min mins s sec secs ms kcal cal dB "
    "hPa mph kmh km/h m/s °C/°F inches inch feet foot miles mile meters metres meter metre "
    "kilometers kilometres grams kilograms pounds tons tonnes liters litres "
    "hours hour minutes minute seconds second days day weeks week months month quarters years year "
    "Stunden Stunde Minuten Minute Sekunden Sekunde Tage Tagen Tag Wochen Woche Monate Monaten "
    "Monat Quartale Quartalen Jahre Jahren Jahr Stück Stk Kilometer Meter Zentimeter Gramm "
    "Kilogramm Tonnen Liter Grad degrees degree megapixels megapixel MP pixels points Punkte "
    "Punkten shares Aktien employees FTE FTEs Vollzeitstellen"
)

HAN_UNITS: tuple[str, ...] = (
    "平方公里", "平方米", "公里", "千米", "厘米", "毫米", "米", "公斤", "千克", "克", "吨", "小时",
    "分钟", "秒", "天", "周", "个月", "季度", "年", "岁", "度", "倍", "股", "页", "次",
)  # fmt: skip
