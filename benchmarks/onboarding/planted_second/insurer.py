"""A German group of insurers: versions of policies, reserves at month's end, parts beside sums."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
mandant
  mandant_nr INTEGER key
  firma TEXT
sparte
  sparte_kz TEXT key                # GES is Gesundheit here, no total
  bezeichnung TEXT
partner
  partner_id INTEGER key
  mandant_nr INTEGER ->mandant.mandant_nr tenant
  partner_typ TEXT list=J|N
  name TEXT person
  vorname TEXT person
  geb_dat TEXT person time          # 31.01.1970
  steuer_id TEXT person
  iban TEXT person
  ort TEXT
  loesch_kz TEXT deleted            # J or N
vermittler
  verm_nr INTEGER key
  mandant_nr INTEGER ->mandant.mandant_nr tenant
  verm_name TEXT person
  mail TEXT person
  uebergeordnet INTEGER ~>vermittler.verm_nr
  prov_satz REAL non_additive
police
  police_nr TEXT key
  mandant_nr INTEGER ->mandant.mandant_nr tenant
  partner_id INTEGER ->partner.partner_id
  vermittler INTEGER ~>vermittler.verm_nr       # nothing where sold without one
  sparte TEXT ~>sparte.sparte_kz
  abschluss TEXT time=ISO_TEXT
  whg TEXT list=CHF|EUR
  zahlweise INTEGER list=1|2|4|12 code
  kennzeichen TEXT person
police_version valid=gueltig_ab,gueltig_bis
  police_nr TEXT key ->police.police_nr
  version_nr INTEGER key
  gueltig_ab INTEGER time=YYYYMMDD
  gueltig_bis INTEGER time=YYYYMMDD             # 99991231 where it lasts
  jahresbeitrag REAL semi_additive unit=police.whg
  vers_summe REAL semi_additive unit=police.whg
  sf_klasse INTEGER code
schaden
  schaden_nr INTEGER key
  police_nr TEXT ->police.police_nr
  schaden_tag TEXT time=ISO_TEXT
  gemeldet INTEGER time=UNIX_SECONDS
  art INTEGER list=11|12|21|31|90 code
  status TEXT list=abgelehnt|geschlossen|offen
  erstschaetzung_eur REAL additive
schaden_zahlung
  zahlung_id INTEGER key
  schaden_nr INTEGER ->schaden.schaden_nr
  gebucht TEXT time=ISO_TEXT
  zahlart TEXT list=E|G|R
  waehrung TEXT list=CHF|EUR|PLN
  betrag REAL additive unit=schaden_zahlung.waehrung
reserve_stand snapshot=stichtag
  stichtag TEXT key time=ISO_TEXT
  schaden_nr INTEGER key ->schaden.schaden_nr
  reserve_eur REAL semi_additive
  gezahlt_kum_eur REAL semi_additive            # all that was paid until then
  zahlung_monat_eur REAL additive               # of the month: a flow beside the stocks
beitrag_soll
  soll_nr INTEGER key
  police_nr TEXT ->police.police_nr
  faellig TEXT time=ISO_TEXT
  netto REAL additive unit=police.whg
  vers_steuer REAL additive unit=police.whg
  brutto REAL additive unit=police.whg
  steuersatz REAL non_additive
  mahnstufe INTEGER list=0|1|2|3 code           # 0 is not reminded, no total
beitrag_eingang
  eingang_id INTEGER key
  soll_nr INTEGER ->beitrag_soll.soll_nr
  valuta INTEGER time=YYYYMMDD
  whg TEXT list=CHF|EUR
  teilbetrag REAL additive unit=beitrag_eingang.whg
provision
  prov_id INTEGER key
  verm_nr INTEGER ->vermittler.verm_nr
  police TEXT ~>police.police_nr
  abr_monat INTEGER time                        # 202401
  satz REAL non_additive
  prov_eur REAL additive
sparte_jahr
  mandant_nr INTEGER key ->mandant.mandant_nr tenant
  jahr INTEGER key
  sparte TEXT key list=GES|GESAMT|HAF|HAU|KFZ|RSV|UNF total=GESAMT
  beitraege_eur REAL additive
  schaeden_eur REAL additive
  schadenquote REAL non_additive
  neugeschaeft INTEGER additive
mitarbeiter                         # came and went: no validity
  pers_nr INTEGER key
  mandant_nr INTEGER ->mandant.mandant_nr tenant
  name TEXT person
  durchwahl INTEGER code
  eintritt TEXT time=ISO_TEXT
  austritt TEXT time=ISO_TEXT
  chef_nr INTEGER ~>mitarbeiter.pers_nr
bearbeitung
  schaden_nr INTEGER key ->schaden.schaden_nr
  pers_nr INTEGER key ->mitarbeiter.pers_nr
  rolle TEXT list=HB|NB|PR
  aufwand_min INTEGER additive
kurs
  kurs_tag TEXT key time=ISO_TEXT
  waehrung TEXT key list=CHF|EUR|PLN
  zu_eur REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
FIRMS = {1: "Nordstern Allgemeine", 2: "Alpenhort", 3: "Hansa Direkt"}
BRANCHES = {
    "KFZ": "Kraftfahrt",
    "HAU": "Hausrat",
    "HAF": "Haftpflicht",
    "UNF": "Unfall",
    "RSV": "Rechtsschutz",
    "GES": "Gesundheit",
}
FIRST = ("Antje", "Birger", "Carla", "Detlef", "Elke", "Fiete", "Gesine", "Harm", "Imke", "Jost")
LAST = ("Ahlers", "Behrens", "Claasen", "Diercks", "Ehlers", "Frerichs", "Garbe", "Harms", "Ibsen")
TOWNS = tuple(
    head + tail
    for head in ("Alten", "Bruns", "Eicken", "Gras", "Hoch", "Langen", "Neuen")
    for tail in ("bek", "burg", "feld", "hausen", "moor", "stedt", "wil")
)
RATES = {"CHF": 1.05, "EUR": 1.0, "PLN": 0.23}
YEAR = date(2024, 1, 1)


def fill(connection: sqlite3.Connection) -> None:
    """A thousand policies of three companies, with the claims and premiums of a year."""
    draw = random.Random(5202)
    insert(connection, "mandant", list(FIRMS.items()))
    insert(connection, "sparte", list(BRANCHES.items()))
    partners = _partners(connection, draw)
    agents = _agents(connection, draw)
    policies = _policies(connection, draw, partners, agents)
    claims = _claims(connection, draw, list(policies))
    _reserves(connection, draw, claims[:260])
    _staff(connection, draw, claims)
    _premiums(connection, draw, policies)
    _commissions(connection, draw, agents)
    _years(connection, draw)


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _partners(connection: sqlite3.Connection, draw: random.Random) -> list[tuple[int, int]]:
    rows: list[Row] = []
    for own in draw.sample(range(210_000, 299_999), 820):
        company, legal = draw.randint(1, 3), draw.random() < 0.1
        last, town = draw.choice(LAST), draw.choice(TOWNS)
        name, first = (f"{last} {town} GmbH", None) if legal else (last, draw.choice(FIRST))
        day = date(1941, 1, 1) + timedelta(days=draw.randrange(23_000))
        born = None if legal else day.strftime("%d.%m.%Y")
        tax, bank = f"{draw.randrange(10**10, 10**11)}", f"DE{draw.randrange(10**19, 10**20)}"
        gone = "J" if draw.random() < 0.06 else "N"
        kind = "J" if legal else "N"
        rows.append((own, company, kind, name, first, born, tax, bank, town, gone))
    insert(connection, "partner", rows)
    return [(row[0], row[1]) for row in rows]


def _agents(connection: sqlite3.Connection, draw: random.Random) -> list[tuple[int, int]]:
    rows: list[Row] = []
    for number in range(66):
        first, last = draw.choice(FIRST), draw.choice(LAST)
        above = None if number < 6 else 5001 + number % 6
        mail = f"{first.lower()}.{last.lower()}{number}@agentur.test"
        share = round(draw.uniform(0.03, 0.14), 3)
        rows.append((5001 + number, 1 + number % 3, f"{first} {last}", mail, above, share))
    insert(connection, "vermittler", rows)
    return [(row[0], row[1]) for row in rows]


def _policies(
    connection: sqlite3.Connection,
    draw: random.Random,
    partners: list[tuple[int, int]],
    agents: list[tuple[int, int]],
) -> dict[str, str]:
    policies: list[Row] = []
    versions: list[Row] = []
    for number in draw.sample(range(4711, 99_999), 1000):
        partner, company = draw.choice(partners)
        agent = draw.choice([each for each, its in agents[:60] if its == company])
        branch, money = draw.choice(list(BRANCHES)), draw.choices(("EUR", "CHF"), (4, 1))[0]
        own = f"{branch}-{number:06}"
        signed = date(2019, 1, 1) + timedelta(days=draw.randrange(1600))
        plate = f"HB-{draw.choice('ABKX')} {draw.randint(100, 9999)}" if branch == "KFZ" else None
        sold = agent if draw.random() < 0.8 else None
        often = draw.choice((1, 2, 4, 12))
        iso = signed.isoformat()
        policies.append((own, company, partner, sold, branch, iso, money, often, plate))
        versions += _versions(draw, own, signed)
    insert(connection, "police", policies)
    insert(connection, "police_version", versions)
    return {row[0]: row[6] for row in policies}


def _versions(draw: random.Random, own: str, start: date) -> list[Row]:
    rows: list[Row] = []
    premium, insured = draw.uniform(60, 1800), float(draw.randint(10, 900) * 1000)
    for version in range(1, 6):
        end = start + timedelta(days=draw.randint(200, 900))
        lasts = end >= date(2025, 1, 1) or version == 5
        ends = 99_991_231 if lasts else _number(end - timedelta(days=1))
        grade = draw.randint(0, 35)
        rows.append((own, version, _number(start), ends, round(premium, 2), insured, grade))
        if lasts or draw.random() < 0.07:  # a policy may end for good
            break
        start, premium = end, premium * draw.uniform(0.95, 1.15)
    return rows


def _claims(connection: sqlite3.Connection, draw: random.Random, policies: list[str]) -> list[int]:
    claims: list[Row] = []
    paid: list[Row] = []
    hit = draw.sample(policies, 620)
    for own in draw.sample(range(7_000_000, 7_900_000), 940):
        day = YEAR + timedelta(days=draw.randrange(366))
        told = seconds(day.year, day.month, day.day) + draw.randrange(3600, 12 * 86_400)
        kind = draw.choices((11, 12, 21, 31, 90), (5, 3, 3, 2, 1))[0]
        status = draw.choices(("geschlossen", "offen", "abgelehnt"), (6, 3, 1))[0]
        guess = round(draw.expovariate(1 / 2400) + 40, 2)
        claims.append((own, draw.choice(hit), day.isoformat(), told, kind, status, guess))
        for _ in range(0 if status == "abgelehnt" else draw.choice((0, 1, 2, 3))):
            on = min(day + timedelta(days=draw.randint(3, 80)), date(2024, 12, 31))
            clock = f"{draw.randint(7, 19):02}:{draw.randint(0, 59):02}:{draw.randint(0, 59):02}"
            how = draw.choices("EGR", (8, 2, 1))[0]
            money = draw.choices(("EUR", "CHF", "PLN"), (7, 2, 1))[0]
            amount = round(draw.uniform(50, 1900) / RATES[money] * (-1 if how == "R" else 1), 2)
            at = f"{on.isoformat()}T{clock}"
            paid.append((len(paid) + 1, own, at, how, money, amount))
    insert(connection, "schaden", claims)
    insert(connection, "schaden_zahlung", paid)
    rates = [
        ((YEAR + timedelta(days=day)).isoformat(), code, _rate(draw, code))
        for day in range(366)
        for code in RATES
    ]
    insert(connection, "kurs", rates)
    return [row[0] for row in claims]


def _rate(draw: random.Random, code: str) -> float:
    return 1.0 if code == "EUR" else round(RATES[code] * draw.uniform(0.97, 1.03), 5)


def _reserves(connection: sqlite3.Connection, draw: random.Random, claims: list[int]) -> None:
    rows: list[Row] = []
    for own in claims:
        held, paid = round(draw.uniform(500, 40_000), 2), 0.0
        for month in range(1, 13):
            end = date(2024 + month // 12, month % 12 + 1, 1) - timedelta(days=1)
            now = round(draw.choice((0, 0, 1)) * draw.uniform(0, held / 2), 2)
            held = round(held - now, 2)
            paid = round(paid + now, 2)
            rows.append((end.isoformat(), own, held, paid, now))
    insert(connection, "reserve_stand", rows)


def _staff(connection: sqlite3.Connection, draw: random.Random, claims: list[int]) -> None:
    staff: list[Row] = []
    for number in range(54):
        name = f"{draw.choice(LAST)}, {draw.choice(FIRST)}"
        came = date(2004, 1, 1) + timedelta(days=draw.randrange(7000))
        went = (date(2024, 2, 1) + timedelta(days=draw.randrange(300))).isoformat()
        left = went if draw.random() < 0.1 else None
        lead = None if number < 5 else 301 + number % 5
        phone = draw.randint(2000, 8999)
        company = 1 + number % 3
        staff.append((301 + number, company, name, phone, came.isoformat(), left, lead))
    insert(connection, "mitarbeiter", staff)
    work: list[Row] = []
    for own in claims:
        busy = draw.sample(range(301, 350), draw.choice((1, 1, 2, 3)))
        for who, role in zip(busy, ("HB", "NB", "PR"), strict=False):
            work.append((own, who, role, 5 * draw.randint(1, 60)))
    insert(connection, "bearbeitung", work)


def _premiums(
    connection: sqlite3.Connection, draw: random.Random, policies: dict[str, str]
) -> None:
    due: list[Row] = []
    received: list[Row] = []
    for own, money in policies.items():
        for month in draw.choice(((1,), (1, 7), (1, 4, 7, 10), (2, 8))):
            net, rate = round(draw.uniform(25, 480), 2), draw.choice((0.0, 0.11, 0.16, 0.19))
            tax = round(net * rate, 2)
            gross = round(net + tax, 2)
            level = draw.choices((0, 1, 2, 3), (80, 10, 6, 4))[0]
            number, day = 900_001 + len(due), date(2024, month, 1)
            due.append((number, own, day.isoformat(), net, tax, gross, rate, level))
            shares = (
                () if level == 3 else draw.choice(((1.0,), (1.0,), (0.5, 0.5), (0.4, 0.3, 0.3)))
            )
            for share in shares if level < 3 else ():
                on = _number(day + timedelta(days=draw.randint(0, 60)))
                received.append((len(received) + 1, number, on, money, round(gross * share, 2)))
    insert(connection, "beitrag_soll", due)
    insert(connection, "beitrag_eingang", received)


def _commissions(
    connection: sqlite3.Connection, draw: random.Random, agents: list[tuple[int, int]]
) -> None:
    policies = connection.execute("SELECT police_nr, mandant_nr FROM police ORDER BY 1").fetchall()
    rows: list[Row] = []
    for number in range(2100):
        month = 202_400 + draw.randint(1, 12)
        base, rate = draw.uniform(30, 900), round(draw.uniform(0.02, 0.15), 3)
        what, company = draw.choice(policies)
        who = draw.choice([each for each, its in agents[:58] if its == company])
        rows.append((number + 40_001, who, what, month, rate, round(base * rate, 2)))
    insert(connection, "provision", rows)


def _years(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for company in FIRMS:
        for year in range(2010, 2025):
            parts: list[tuple[str, float, float, int]] = []
            for branch in BRANCHES:
                income = round(draw.uniform(200_000, 9_000_000), 2)
                losses = round(income * draw.uniform(0.3, 1.1), 2)
                parts.append((branch, income, losses, draw.randint(20, 900)))
            whole = (
                "GESAMT",
                round(sum(part[1] for part in parts), 2),
                round(sum(part[2] for part in parts), 2),
                sum(part[3] for part in parts),
            )
            for branch, income, losses, new in (*parts, whole):
                quota = round(losses / income, 4)
                rows.append((company, year, branch, income, losses, quota, new))
    insert(connection, "sparte_jahr", rows)
