"""A German dairy of two companies: milk by weight and fat, cold stores at day's end, two moneys."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
Mandant
  MandantNr INTEGER key
  Bezeichnung TEXT
Erzeuger
  ErzeugerNr INTEGER key
  MandantNr INTEGER ->Mandant.MandantNr tenant
  Nachname TEXT person
  Hofname TEXT
  Telefon TEXT person
  IBAN TEXT person
  PLZ INTEGER code
  MilchArt TEXT list=BIO|HEU|KON
  Kuhzahl INTEGER additive
  Geloescht INTEGER deleted
Sammeltour
  TourNr INTEGER key
  Fahrer TEXT person
  TourTag INTEGER time=YYYYMMDD
  FahrzeugNr INTEGER list=1|2|3|4|5 code
  KmGefahren REAL additive
Anlieferung
  AnlieferNr INTEGER key
  ErzeugerNr INTEGER ->Erzeuger.ErzeugerNr
  TourNr INTEGER ~>Sammeltour.TourNr            # nothing where the farm brings it
  Zeitpunkt INTEGER time=UNIX_SECONDS
  MengeKg REAL additive
  FettProzent REAL non_additive
  EiweissProzent REAL non_additive
  Keimzahl INTEGER non_additive
  ProbenNr INTEGER code                         # ten digits from 17, and no time
Milchpreis valid=GueltigAb,GueltigBis
  MilchArt TEXT key list=BIO|HEU|KON
  GueltigAb INTEGER key time=YYYYMMDD
  GueltigBis INTEGER time=YYYYMMDD              # 99991231 where it lasts
  GrundpreisCent REAL non_additive              # for a kilogram
Artikel
  ArtikelNr INTEGER key
  Bezeichnung TEXT
  Warengruppe TEXT list=BUT|FRI|KAE|SUM         # SUM is Süßmolke here, no total
  Mengeneinheit TEXT list=KAR|KG|STK
  GewichtKg REAL non_additive                   # of one
  MwstSatz REAL non_additive
  MhdTage INTEGER non_additive
  EAN INTEGER code
Kunde                               # numbered anew in each company
  MandantNr INTEGER key ->Mandant.MandantNr tenant
  KundenNr INTEGER key
  Firma TEXT
  Ansprechpartner TEXT person
  EMail TEXT person
  Land TEXT list=AT|CH|DE
  Kundengruppe TEXT list=EXP|GAS|IND|LEH
  LoeschKz TEXT deleted                         # X or nothing
Auftrag MandantNr,KundenNr->Kunde.MandantNr,KundenNr
  AuftragNr TEXT key
  MandantNr INTEGER ->Mandant.MandantNr tenant
  KundenNr INTEGER
  Auftragsdatum TEXT time           # 31.01.2024
  Wunschtermin TEXT time=ISO_TEXT
  Waehrung TEXT list=CHF|EUR
  Nettosumme REAL additive unit=Auftrag.Waehrung
  Status TEXT list=geliefert|offen|storniert
AuftragPos
  AuftragNr TEXT key ->Auftrag.AuftragNr
  PosNr INTEGER key
  ArtikelNr INTEGER ~>Artikel.ArtikelNr
  Menge REAL additive unit=Artikel.Mengeneinheit
  Einzelpreis REAL non_additive unit=Auftrag.Waehrung
  RabattProzent REAL non_additive
  PosNetto REAL additive unit=Auftrag.Waehrung
Charge
  ChargenNr TEXT key
  ArtikelNr INTEGER ->Artikel.ArtikelNr
  Linie INTEGER list=1|2|3|4 code
  ProdStart INTEGER time=UNIX_MILLISECONDS      # from start to end: an event, no validity
  ProdEnde INTEGER time=UNIX_MILLISECONDS
  RohmilchKg REAL additive
  AusbeuteKg REAL additive
  AusbeuteProzent REAL non_additive
Lieferung AuftragNr,PosNr->AuftragPos.AuftragNr,PosNr
  LieferNr INTEGER key
  AuftragNr TEXT ->Auftrag.AuftragNr
  PosNr INTEGER
  ChargenNr TEXT ~>Charge.ChargenNr
  LieferTag INTEGER time=YYYYMMDD
  GewichtBruttoKg REAL additive
  TaraKg REAL additive
  FrachtEur REAL additive
Lagerbestand snapshot=Stichtag
  Stichtag TEXT key time=ISO_TEXT
  Lagerort TEXT key list=HOF|KUE|TIE
  ArtikelNr INTEGER key ->Artikel.ArtikelNr
  BestandKg REAL semi_additive
  GesperrtKg REAL semi_additive
  ZugangKg REAL additive                        # of the day: a flow beside the stocks
Rechnung
  RechnungNr INTEGER key
  AuftragNr TEXT ->Auftrag.AuftragNr
  RechnungsDatum TEXT time=ISO_TEXT
  Netto REAL additive unit=Auftrag.Waehrung
  Mwst REAL additive unit=Auftrag.Waehrung
  Brutto REAL additive unit=Auftrag.Waehrung
  StornoVon INTEGER ~>Rechnung.RechnungNr       # the one taken back, with amounts below zero
Zahlung
  ZahlungId INTEGER key
  RechnungNr INTEGER ->Rechnung.RechnungNr
  Eingang TEXT time=ISO_TEXT
  Waehrung TEXT list=CHF|EUR
  Betrag REAL additive unit=Zahlung.Waehrung
  Zahlweg TEXT list=BAR|LAST|UEBW
WerkMonat
  Jahr INTEGER key
  Monat INTEGER key
  Abteilung TEXT key list=Abfüllung|Butterei|Käserei|Summe|Trocknung total=Summe
  EnergieKwh REAL additive
  WasserM3 REAL additive
  KostenEur REAL additive
  AuslastungProzent REAL non_additive
Wechselkurs
  KursTag TEXT key time=ISO_TEXT
  Waehrung TEXT key list=CHF|EUR
  KursEur REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
COMPANIES = {1: "Alpenrand Milch eG", 2: "Moorland Käse GmbH"}
NAMES = ("Achatz", "Baumgartner", "Denk", "Ebner", "Fuchs", "Gruber", "Huber", "Ilg", "Kern")
PLACES = ("Birken", "Brunnen", "Eichen", "Isar", "Linden", "Sonnen", "Steig", "Wiesen")
GOODS = {
    "BUT": ("Süßrahmbutter", "Sauerrahmbutter", "Kräuterbutter", "Butterblock"),
    "FRI": ("Vollmilch", "Magerquark", "Naturjoghurt", "Schlagrahm", "Buttermilch"),
    "KAE": ("Bergkäse", "Emmentaler", "Gouda jung", "Weichkäse", "Reibekäse"),
    "SUM": ("Molkepulver", "Molkedrink"),
}
FARMS = 170
YEAR = date(2024, 1, 1)


def fill(connection: sqlite3.Connection) -> None:
    """The milk of a hundred and seventy farms and what was made and sold of it in a year."""
    draw = random.Random(6202)
    insert(connection, "Mandant", list(COMPANIES.items()))
    _milk(connection, draw, _farms(connection, draw))
    goods = _goods(connection, draw)
    batches = _batches(connection, draw, goods)
    customers = _customers(connection, draw)
    _orders(connection, draw, customers, batches)
    _stock(connection, draw, goods)
    _months(connection, draw)
    days = [(YEAR + timedelta(days=day)).isoformat() for day in range(456)]
    rates = [(day, "CHF", round(draw.uniform(1.02, 1.08), 4)) for day in days]
    insert(connection, "Wechselkurs", rates + [(day, "EUR", 1.0) for day in days])


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _farms(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    for own in draw.sample(range(61_000, 69_999), FARMS):
        name, bank = draw.choice(NAMES), f"DE{draw.randrange(10**19, 10**20)}"
        phone, zone = f"08{draw.randrange(10**7, 10**8)}", draw.randint(82_001, 87_999)
        kind = draw.choices(("KON", "BIO", "HEU"), (5, 3, 2))[0]
        farm, gone = f"{draw.choice(PLACES)}hof {own % 97}", int(draw.random() < 0.09)
        cows = draw.randint(14, 190)
        rows.append((own, 1 + own % 2, name, farm, phone, bank, zone, kind, cows, gone))
    insert(connection, "Erzeuger", rows)
    prices: list[Row] = []
    for kind, base in (("BIO", 58.0), ("HEU", 52.0), ("KON", 43.0)):
        for start, end in ((20230101, 20231231), (20240101, 20240531), (20240601, 99991231)):
            prices.append((kind, start, end, round(base + draw.uniform(-4, 4), 2)))
    insert(connection, "Milchpreis", prices)
    return [row[0] for row in rows]


def _milk(connection: sqlite3.Connection, draw: random.Random, farms: list[int]) -> None:
    tours: list[Row] = []
    brought: list[Row] = []
    for tour in range(1, 361):
        day = YEAR + timedelta(days=draw.randrange(366))
        driver = f"{draw.choice(NAMES)} {draw.choice('ABCDEFGH')}."
        truck, way = draw.randint(1, 5), round(draw.uniform(40, 260), 1)
        tours.append((80_000 + tour, driver, _number(day), truck, way))
        for farm in draw.sample(farms[:158], draw.randint(6, 12)):
            at = seconds(day.year, day.month, day.day) + draw.randrange(4 * 3600, 19 * 3600)
            weight = round(draw.expovariate(1 / 1500) + 120, 1)
            # small farms bring the richer milk, so a plain mean is not the mean of the milk
            fat = round(4.9 - min(weight, 5000) / 4000 + draw.uniform(-0.3, 0.3), 2)
            protein = round(draw.uniform(3.1, 3.7), 2)
            germs, sample = draw.randint(4, 90) * 1000, draw.randint(1_700_000_000, 1_739_999_999)
            by = 80_000 + tour if draw.random() < 0.93 else None
            row = (farm, by, at, weight, fat, protein, germs, sample)
            brought.append((len(brought) + 1, *row))
    insert(connection, "Sammeltour", tours)
    insert(connection, "Anlieferung", brought)


def _goods(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    for group, names in GOODS.items():
        for name in names:
            for unit in draw.sample(("KAR", "KG", "STK"), 2):
                weight = {"KAR": draw.choice((5.0, 8.0, 10.0)), "KG": 1.0, "STK": 0.25}[unit]
                own, tax = 4000 + 7 * len(rows), draw.choice((0.07, 0.07, 0.19))
                days, bars = draw.choice((10, 21, 45, 180)), draw.randrange(4 * 10**12, 5 * 10**12)
                rows.append((own, name, group, unit, weight, tax, days, bars))
    insert(connection, "Artikel", rows)
    return [row[0] for row in rows]


def _batches(
    connection: sqlite3.Connection, draw: random.Random, goods: list[int]
) -> dict[int, list[str]]:
    rows: list[Row] = []
    for number in range(420):
        good, line = draw.choice(goods), draw.randint(1, 4)
        start = (seconds(2024, 1, 1) + draw.randrange(365 * 86_400)) * 1000
        end = start + draw.randint(40, 900) * 60_000
        milk = round(draw.uniform(800, 16_000), 1)
        made = round(milk * draw.uniform(0.08, 0.4), 1)
        own = f"L{line}-{number:04}"
        rows.append((own, good, line, start, end, milk, made, round(100 * made / milk, 2)))
    insert(connection, "Charge", rows)
    return {good: [row[0] for row in rows if row[1] == good] for good in goods}


def _customers(connection: sqlite3.Connection, draw: random.Random) -> list[tuple[int, int, str]]:
    rows: list[Row] = []
    for company in COMPANIES:
        for own in range(1001, 1121):
            name, land = draw.choice(NAMES), draw.choices(("DE", "AT", "CH"), (6, 2, 2))[0]
            kind = draw.choice(("EXP", "GAS", "IND", "LEH"))
            firm = f"{draw.choice(PLACES)}{draw.choice(('kost', 'markt', 'handel'))} GmbH"
            mail = f"{name.lower()}{company}{own}@kunde.test"
            gone = "X" if draw.random() < 0.08 else None
            rows.append((company, own, firm, f"Frau {name}", mail, land, kind, gone))
    insert(connection, "Kunde", rows)
    return [(row[0], row[1], row[5]) for row in rows]


def _orders(
    connection: sqlite3.Connection,
    draw: random.Random,
    customers: list[tuple[int, int, str]],
    batches: dict[int, list[str]],
) -> None:
    orders: list[Row] = []
    lines: list[Row] = []
    sent: list[Row] = []
    bills: list[Row] = []
    paid: list[Row] = []
    active = [each for each in customers if each[1] < 1106]
    for number in range(1050):
        company, customer, land = draw.choice(active)
        own, day = f"A24-{number:05}", YEAR + timedelta(days=draw.randrange(330))
        money = "CHF" if land == "CH" else "EUR"
        state = draw.choices(("geliefert", "offen", "storniert"), (8, 2, 1))[0]
        total = 0.0
        for line, good in enumerate(draw.sample(list(batches), draw.randint(1, 5)), 1):
            many, price = float(draw.randint(2, 160)), round(draw.uniform(1.2, 38), 2)
            less = draw.choice((0.0, 0.0, 2.0, 5.0, 10.0))
            net = round(many * price * (1 - less / 100), 2)
            total += net
            lines.append((own, line, good, many, price, less, net))
            if state == "geliefert":
                sent += _parcels(draw, len(sent), (own, line, day), batches[good])
        wish = (day + timedelta(days=draw.randint(2, 20))).isoformat()
        asked = day.strftime("%d.%m.%Y")
        total = round(total, 2)
        orders.append((own, company, customer, asked, wish, money, total, state))
        if state == "geliefert":
            _bill(draw, bills, paid, (own, money, day + timedelta(days=draw.randint(3, 30)), total))
    insert(connection, "Auftrag", orders)
    insert(connection, "AuftragPos", lines)
    insert(connection, "Lieferung", sent)
    insert(connection, "Rechnung", bills)
    insert(connection, "Zahlung", paid)


def _parcels(
    draw: random.Random, before: int, line: tuple[str, int, date], batches: list[str]
) -> list[Row]:
    own, number, day = line
    rows: list[Row] = []
    for at in range(draw.choice((1, 1, 1, 2, 3))):
        on = _number(day + timedelta(days=draw.randint(1, 25)))
        weight, tare = round(draw.uniform(8, 900), 1), round(draw.uniform(1, 25), 1)
        cost, batch = round(draw.uniform(6, 120), 2), draw.choice(batches)
        rows.append((700_001 + before + at, own, number, batch, on, weight, tare, cost))
    return rows


def _bill(
    draw: random.Random, bills: list[Row], paid: list[Row], order: tuple[str, str, date, float]
) -> None:
    own, money, day, total = order
    parts = (1.0,) if draw.random() < 0.7 else (0.5, 0.5)
    for share in parts:
        number, net = 240_001 + len(bills), round(total * share, 2)
        tax = round(net * 0.07, 2)
        bills.append((number, own, day.isoformat(), net, tax, round(net + tax, 2), None))
        if draw.random() < 0.06:
            for back in draw.choice(((1.0,), (0.5, 0.5))):
                on = (day + timedelta(days=draw.randint(1, 9))).isoformat()
                less, part = -round(net * back, 2), -round(tax * back, 2)
                row = (240_001 + len(bills), own, on, less, part, round(less + part, 2), number)
                bills.append(row)
            continue
        for part in draw.choice(((1.0,), (1.0,), (0.6, 0.4), ())):
            on = day + timedelta(days=draw.randint(1, 40))
            at = f"{on.isoformat()} {draw.randint(6, 18):02}:{draw.randint(0, 59):02}:00"
            way = draw.choices(("UEBW", "LAST", "BAR"), (6, 3, 1))[0]
            amount = round((net + tax) * part, 2)
            paid.append((len(paid) + 1, number, at, money, amount, way))


def _stock(connection: sqlite3.Connection, draw: random.Random, goods: list[int]) -> None:
    rows: list[Row] = []
    for place in ("HOF", "KUE", "TIE"):
        for good in goods:
            held = draw.uniform(100, 9000)
            for day in range(30):
                came = round(draw.choice((0, 0, 0, 1)) * draw.uniform(50, 1500), 1)
                held = max(0.0, held + came - draw.uniform(0, 350))
                locked = round(held * draw.choice((0.0, 0.0, 0.1)), 1)
                on = (date(2024, 9, 1) + timedelta(days=day)).isoformat()
                rows.append((on, place, good, round(held, 1), locked, came))
    insert(connection, "Lagerbestand", rows)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for year in range(2020, 2025):
        for month in range(1, 13):
            parts = [
                (part, *(round(draw.uniform(low, 15 * low), 1) for low in (2e4, 400, 3e4)))
                for part in ("Abfüllung", "Butterei", "Käserei", "Trocknung")
            ]
            columns = zip(*(part[1:] for part in parts), strict=True)
            sums = [round(sum(figures), 1) for figures in columns]
            for part, *figures in (*parts, ("Summe", *sums)):
                rows.append((year, month, part, *figures, round(draw.uniform(45, 99), 1)))
    insert(connection, "WerkMonat", rows)
