"""A French ski resort at the Swiss border: passes and gates, hire stock, two moneys, snow made."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
secteur
  code_secteur TEXT key
  lib_secteur TEXT                              # one is Tout-Blanc: a sector, no total
remontee
  id_remontee INTEGER key
  code_secteur TEXT ->secteur.code_secteur
  lib_remontee TEXT
  type_remontee TEXT list=TC|TK|TS
  alt_depart_m INTEGER non_additive
  duree_montee_min REAL non_additive
client
  id_client INTEGER key
  nom_complet TEXT person
  courriel TEXT person
  pays TEXT list=BE|CH|FR|GB
  id_parrain INTEGER ~>client.id_client         # nothing where nobody brought them
  dt_creation INTEGER time=UNIX_SECONDS
  est_supprime INTEGER deleted
point_vente
  id_pv INTEGER key
  lib_pv TEXT
  canal TEXT list=CAISSE|INTERNET|PARTENAIRE
  devise TEXT list=CHF|EUR
produit
  code_produit TEXT key
  lib_produit TEXT
  nb_jours INTEGER non_additive                 # how long the pass lasts
  public_vise TEXT list=ADULTE|ENFANT|SENIOR
tarif valid=dt_debut,dt_fin
  code_produit TEXT key ->produit.code_produit
  dt_debut TEXT key time=ISO_TEXT
  dt_fin TEXT time=ISO_TEXT                     # the last day, or nothing
  prix_eur REAL non_additive
vente
  id_vente INTEGER key
  id_pv INTEGER ->point_vente.id_pv
  id_client INTEGER ~>client.id_client          # nothing at the desk
  dt_vente TEXT time=ISO_TEXT
  devise TEXT list=CHF|EUR
  mt_ttc REAL additive unit=vente.devise
  mt_tva REAL additive unit=vente.devise
  statut TEXT list=annulee|payee|remboursee
forfait
  id_vente INTEGER key ->vente.id_vente
  no_ligne INTEGER key
  code_produit TEXT ~>produit.code_produit
  num_support INTEGER code                      # ten digits from 17, and no time
  dt_validite INTEGER time=YYYYMMDD
  mt_ligne REAL additive unit=vente.devise
  taux_remise REAL non_additive
reglement
  id_reglement INTEGER key
  id_vente INTEGER ->vente.id_vente
  mode_regl TEXT list=CB|CHEQUE|ESPECES
  dt_reglement TEXT time=ISO_TEXT
  mt_regle REAL additive unit=vente.devise
passage id_vente,no_ligne->forfait.id_vente,no_ligne
  id_passage INTEGER key
  id_remontee INTEGER ->remontee.id_remontee
  id_vente INTEGER ~>vente.id_vente             # nothing where staff passes
  no_ligne INTEGER
  ts_passage INTEGER time=UNIX_MILLISECONDS
exploit_jour                        # a row for each lift and day: flows, no snapshot
  jour INTEGER key time=YYYYMMDD
  id_remontee INTEGER key ->remontee.id_remontee
  nb_passages INTEGER additive
  min_prevues INTEGER additive
  min_arret INTEGER additive
  taux_dispo REAL non_additive
releve_neige                        # whenever somebody went and looked: events
  id_releve INTEGER key
  code_secteur TEXT ->secteur.code_secteur
  dt_releve TEXT time=ISO_TEXT
  hauteur_cm TEXT non_additive                  # a number, kept as text
neige_culture
  id_production INTEGER key
  code_secteur TEXT ->secteur.code_secteur
  dt_production TEXT time=ISO_TEXT
  unite_eau TEXT list=L|M3
  qte_eau REAL additive unit=neige_culture.unite_eau
  kwh REAL additive
stock_location snapshot=dt_inventaire
  dt_inventaire INTEGER key time=YYYYMMDD
  code_secteur TEXT key ->secteur.code_secteur
  article TEXT key list=BATON|CASQUE|CHAUSSURE|SKI
  nb_stock INTEGER semi_additive
  valeur_eur REAL semi_additive
  nb_casse INTEGER additive                     # of the week: a flow beside the stocks
secteur_mois
  mois INTEGER key time                         # 202401
  code_secteur TEXT key list=COL|LAC|STATION|TBL|VAL total=STATION
  nb_skieurs INTEGER additive
  ca_eur REAL additive
  panier_eur REAL non_additive
taux_change
  jour TEXT key time=ISO_TEXT
  devise TEXT key list=CHF|EUR
  eur_par_unite REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
SECTORS = {"COL": "Col des Aigles", "LAC": "Lac Gelé", "TBL": "Tout-Blanc", "VAL": "Valfroide"}
PASSES = {"J1": 1, "J3": 3, "J6": 6, "SA": 150}
PUBLICS = {"ADULTE": 1.0, "ENFANT": 0.7, "SENIOR": 0.85}
BASE = {"J1": 46.0, "J3": 128.0, "J6": 235.0, "SA": 690.0}
FIRST = ("Aline", "Bastien", "Chloé", "Damien", "Élise", "Fabrice", "Gaëlle", "Henri", "Inès")
LAST = ("Arnaud", "Blanchet", "Carrier", "Duvillard", "Escoffier", "Favre", "Gaillard", "Humbert")
START = date(2023, 12, 2)
DAYS = 135
Pass = tuple[int, int, date]
"""Its sale, its line and its first day."""


def fill(connection: sqlite3.Connection) -> None:
    """A winter."""
    draw = random.Random(3842)
    insert(connection, "secteur", list(SECTORS.items()))
    lifts = _lifts(connection, draw)
    goods = _goods(connection, draw)
    passes = _sales(connection, draw, _clients(connection, draw), goods)
    _gates(connection, draw, passes, lifts)
    _days(connection, draw, lifts)
    _snow(connection, draw)
    _stock(connection, draw)
    _months(connection, draw)


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _moment(draw: random.Random, day: date) -> str:
    return f"{day.isoformat()} {draw.randint(7, 19):02}:{draw.randint(0, 59):02}:00"


def _lifts(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    for at, own in enumerate(draw.sample(range(11, 99), 22)):
        name = f"{draw.choice(('Combe', 'Crête', 'Chalet', 'Sapins', 'Marmotte'))} {at + 1}"
        height, ride = draw.randrange(1200, 2300, 10), round(draw.uniform(3, 14), 1)
        rows.append((own, list(SECTORS)[at % 4], name, ("TC", "TK", "TS")[at % 3], height, ride))
    insert(connection, "remontee", rows)
    return [row[0] for row in rows]


def _clients(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    numbers = draw.sample(range(5000, 9999), 500)
    for at, own in enumerate(numbers):
        first, last = draw.choice(FIRST), draw.choice(LAST)
        by = draw.choice(numbers[:at]) if at > 30 and draw.random() < 0.25 else None
        made = seconds(2019, 1, 1) + draw.randrange(150_000_000)
        mail, land = f"{last}.{own}@courrier.example".lower(), draw.choice(("BE", "CH", "FR", "GB"))
        rows.append((own, f"{first} {last}", mail, land, by, made, int(draw.random() < 0.11)))
    insert(connection, "client", rows)
    return numbers


def _goods(connection: sqlite3.Connection, draw: random.Random) -> dict[str, float]:
    rows: list[Row] = []
    prices: list[Row] = []
    found: dict[str, float] = {}
    for kind, days in PASSES.items():
        for public, share in PUBLICS.items():
            own, price = f"{kind}-{public[0]}", round(BASE[kind] * share, 2)
            rows.append((own, f"Forfait {days} jour(s) {public.lower()}", days, public))
            found[own] = price
            for start, end in (("2023-10-01", "2023-12-22"), ("2023-12-23", "2024-03-08")):
                prices.append((own, start, end, price))
                price = round(price * draw.uniform(1.03, 1.12), 2)
            prices.append((own, "2024-03-09", None, round(price * 0.85, 2)))
    insert(connection, "produit", rows)
    insert(connection, "tarif", prices)
    return found


def _sales(
    connection: sqlite3.Connection,
    draw: random.Random,
    clients: list[int],
    goods: dict[str, float],
) -> list[Pass]:
    desks = [
        (at + 1, f"Point {at + 1}", draw.choice(("INTERNET", "CAISSE", "PARTENAIRE")), money)
        for at, money in enumerate(("EUR", "EUR", "EUR", "EUR", "CHF", "CHF", "EUR"))
    ]
    insert(connection, "point_vente", desks)
    rates: list[Row] = []
    for after in range(DAYS + 60):
        day = (START + timedelta(days=after)).isoformat()
        swiss = round(1.04 * draw.uniform(0.97, 1.03), 4)
        rates += [(day, "CHF", swiss), (day, "EUR", 1.0)]
    insert(connection, "taux_change", rates)
    sales: list[Row] = []
    lines: list[Row] = []
    paid: list[Row] = []
    found: list[Pass] = []
    for number in range(1500):
        own, day = 70_001 + number, START + timedelta(days=draw.randrange(DAYS))
        desk, _, _, money = draw.choice(desks[:6])
        who, total = (draw.choice(clients[:330]) if draw.random() < 0.6 else None), 0.0
        for line in range(1, draw.choice((1, 2, 2, 3, 4)) + 1):
            good = draw.choices(list(goods), (9, 9, 9, 5, 5, 5, 3, 3, 3, 1, 1, 1))[0]
            less = draw.choice((0.0, 0.0, 0.0, 0.05, 0.1))
            amount = round(goods[good] * (1 - less) * (1.2 if money == "CHF" else 1), 2)
            support, first = draw.randrange(17 * 10**8, 18 * 10**8), draw.randrange(4)
            lines.append((own, line, good, support, _number(day + timedelta(first)), amount, less))
            found.append((own, line, day + timedelta(first)))
            total = round(total + amount, 2)
        state = draw.choices(("payee", "annulee", "remboursee"), (20, 2, 1))[0]
        tax = round(total / 11, 2)
        sales.append((own, desk, who, _moment(draw, day), money, total, tax, state))
        for share in draw.choice(((1.0,), (1.0,), (0.5, 0.5), (0.3, 0.3, 0.4))):
            how, when = draw.choice(("CB", "CHEQUE", "ESPECES")), _moment(draw, day)
            if state != "annulee":
                paid.append((len(paid) + 1, own, how, when, round(total * share, 2)))
    insert(connection, "vente", sales)
    insert(connection, "forfait", lines)
    insert(connection, "reglement", paid)
    return found


def _gates(
    connection: sqlite3.Connection, draw: random.Random, passes: list[Pass], lifts: list[int]
) -> None:
    rows: list[Row] = []
    for sale, line, day in passes:
        at = seconds(day.year, day.month, day.day) + 9 * 3600
        for _ in range(draw.choice((0, 1, 2, 3, 4))):
            at += draw.randint(300, 4000)
            whose = (sale, line) if draw.random() < 0.95 else (None, None)
            when = at * 1000 + draw.randrange(1000)
            rows.append((len(rows) + 1, draw.choice(lifts[:20]), *whose, when))
    insert(connection, "passage", rows)


def _days(connection: sqlite3.Connection, draw: random.Random, lifts: list[int]) -> None:
    rows: list[Row] = []
    for after in range(DAYS):
        day = _number(START + timedelta(days=after))
        for at, lift in enumerate(lifts):
            planned = draw.choice((120, 240, 480, 480)) if at % 2 else 480
            down = min(planned, int(draw.expovariate(1 / 12)) + (20 if planned < 480 else 0))
            many = int((planned - down) * draw.uniform(1, 9))
            share = round((planned - down) / planned, 4)
            rows.append((day, lift, many, planned, down, share))
    insert(connection, "exploit_jour", rows)


def _snow(connection: sqlite3.Connection, draw: random.Random) -> None:
    read: list[Row] = []
    made: list[Row] = []
    for sector in SECTORS:
        height = draw.randint(30, 80)
        for after in range(DAYS):
            height = max(8, height + draw.choice((-6, -3, -1, 0, 9, 22)))
            day = START + timedelta(days=after)
            for _ in range(draw.choice((0, 1, 1, 2))):
                read.append((len(read) + 1, sector, _moment(draw, day), str(height)))
            if draw.random() < 0.4:
                water, unit = draw.uniform(40, 900), draw.choice(("L", "M3"))
                much = round(water * 1000) if unit == "L" else round(water, 1)
                power = round(water * draw.uniform(2, 5), 1)
                made.append((len(made) + 1, sector, _moment(draw, day), unit, float(much), power))
    insert(connection, "releve_neige", read)
    insert(connection, "neige_culture", made)


def _stock(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for sector in SECTORS:
        for thing, price in (("BATON", 12), ("CASQUE", 35), ("CHAUSSURE", 90), ("SKI", 210)):
            held = draw.randint(80, 600)
            for week in range(20):
                broken = draw.randint(0, 9)
                held = max(20, held - broken + draw.choice((0, 0, 12)))
                on = _number(START + timedelta(days=7 * week))
                worth = round(held * price * draw.uniform(0.7, 0.9), 2)
                rows.append((on, sector, thing, held, worth, broken))
    insert(connection, "stock_location", rows)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for month in (year * 100 + each for year in range(2020, 2025) for each in (1, 2, 3, 4, 12)):
        people, income = 0, 0.0
        for at, sector in enumerate(SECTORS):
            many = int(draw.uniform(900, 2500) * (at + 1) ** 2)
            worth = round(many * draw.uniform(20, 30) * (1 if at else 3), 2)
            rows.append((month, sector, many, worth, round(worth / many, 2)))
            people, income = people + many, round(income + worth, 2)
        rows.append((month, "STATION", people, income, round(income / people, 2)))
    insert(connection, "secteur_mois", rows)
