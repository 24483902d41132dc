"""A Spanish-speaking regional airline: flights by number and day, coupons, miles at month's end."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
AEROPUERTO
  COD_AEROP TEXT key
  NOM_AEROP TEXT
  PAIS TEXT list=CO|ES|PE|PT
RUTA
  COD_RUTA INTEGER key
  COD_ORIGEN TEXT ->AEROPUERTO.COD_AEROP
  COD_DESTINO TEXT ->AEROPUERTO.COD_AEROP
  DIST_KM REAL additive
AVION
  MATRICULA TEXT key
  TIPO TEXT list=A320|ATR72|E190
  NUM_ASIENTOS INTEGER additive
  COSTE_HORA_EUR REAL non_additive
TRIPULANTE
  NUM_TRIP INTEGER key
  NOM_TRIP TEXT person
  TELEFONO TEXT person
  CARGO TEXT list=COM|COP|TCP
VUELO
  NUM_VUELO INTEGER key
  FEC_VUELO INTEGER key time=YYYYMMDD
  COD_RUTA INTEGER ->RUTA.COD_RUTA
  MATRICULA TEXT ~>AVION.MATRICULA
  TS_SALIDA INTEGER time=UNIX_SECONDS           # from start to end: an event, no validity
  TS_LLEGADA INTEGER time=UNIX_SECONDS
  ESTADO TEXT list=CANCELADO|DESVIADO|OPERADO
  MIN_RETRASO INTEGER additive
  NUM_PAX INTEGER additive
  PLAZAS_OFERTADAS INTEGER additive
  PCT_OCUP REAL non_additive
  CANT_COMB REAL additive unit=VUELO.UND_COMB
  UND_COMB TEXT list=KG|LB
ASIGNACION NUM_VUELO,FEC_VUELO->VUELO.NUM_VUELO,FEC_VUELO
  NUM_VUELO INTEGER key
  FEC_VUELO INTEGER key time=YYYYMMDD
  NUM_TRIP INTEGER key ~>TRIPULANTE.NUM_TRIP
  MIN_SERVICIO INTEGER additive
CLIENTE
  ID_CLIENTE INTEGER key
  NOM_CLIENTE TEXT person
  EMAIL TEXT person
  NIVEL TEXT list=BASICO|ORO|PLATINO
  ID_PADRINO INTEGER ~>CLIENTE.ID_CLIENTE       # nothing where nobody did
  IND_BAJA TEXT deleted                         # S or N
RESERVA
  LOCALIZADOR TEXT key
  ID_CLIENTE INTEGER ~>CLIENTE.ID_CLIENTE       # nothing where an agency buys
  FH_RESERVA TEXT time=ISO_TEXT
  CANAL TEXT list=AGENCIA|APP|WEB
  MONEDA TEXT list=COP|EUR|PEN
  IMP_TOTAL REAL additive unit=RESERVA.MONEDA
  IND_ANULADA INTEGER deleted
CUPON NUM_VUELO,FEC_VUELO->VUELO.NUM_VUELO,FEC_VUELO
  LOCALIZADOR TEXT key ->RESERVA.LOCALIZADOR
  NUM_CUPON INTEGER key                         # numbered anew in each booking
  NUM_VUELO INTEGER
  FEC_VUELO INTEGER time=YYYYMMDD
  CABINA TEXT list=EJECUTIVA|TURISTA
  IMP_TARIFA REAL additive unit=RESERVA.MONEDA
  EST_CUPON INTEGER list=1|2|5 code             # 5 is flown
EQUIPAJE LOCALIZADOR,NUM_CUPON->CUPON.LOCALIZADOR,NUM_CUPON
  ID_EQUIPAJE INTEGER key
  LOCALIZADOR TEXT ~>RESERVA.LOCALIZADOR
  NUM_CUPON INTEGER
  TS_FACT_MS INTEGER time=UNIX_MILLISECONDS
  NUM_ETIQUETA INTEGER code
  PESO_KG REAL additive
  LARGO_CM TEXT non_additive                    # a number, kept as text
COBRO
  ID_COBRO INTEGER key
  LOCALIZADOR TEXT ~>RESERVA.LOCALIZADOR
  FH_COBRO TEXT time=ISO_TEXT
  IMP_COBRO REAL additive unit=RESERVA.MONEDA
  MEDIO TEXT list=EFECTIVO|TARJETA|TRANSFER
TASA_AEROP valid=FEC_DESDE,FEC_HASTA
  COD_AEROP TEXT key ->AEROPUERTO.COD_AEROP
  FEC_DESDE INTEGER key time=YYYYMMDD
  FEC_HASTA INTEGER time=YYYYMMDD               # 99991231 where it lasts
  TASA_PAX_EUR REAL non_additive                # for one passenger
SALDO_MILLAS snapshot=FEC_CORTE
  FEC_CORTE TEXT key time=ISO_TEXT
  ID_CLIENTE INTEGER key ~>CLIENTE.ID_CLIENTE
  MILLAS_SALDO INTEGER semi_additive
  MILLAS_GANADAS INTEGER additive               # of the month: a flow beside the stock
CAMBIO
  FEC_CAMBIO TEXT key time=ISO_TEXT
  MONEDA TEXT key list=COP|EUR|PEN
  EUR_POR_UNIDAD REAL non_additive
RESUMEN_MES
  PERIODO INTEGER key time                      # 202401
  COD_AEROP TEXT key list=AGP|BOG|CUZ|LIM|LIS|MAD|MDE|OPO|TOT total=TOT
  NUM_PAX INTEGER additive
  INGRESOS_EUR REAL additive
  ING_POR_PAX REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
AIRPORTS = {
    "AGP": ("Malaga", "ES"),
    "BOG": ("Bogota El Dorado", "CO"),
    "CUZ": ("Cuzco", "PE"),
    "LIM": ("Lima", "PE"),
    "LIS": ("Lisboa", "PT"),
    "MAD": ("Madrid Barajas", "ES"),
    "MDE": ("Medellin", "CO"),
    "OPO": ("Oporto", "PT"),
}
SEATS = {"A320": 180, "ATR72": 70, "E190": 110}
RATES = {"COP": 0.00023, "EUR": 1.0, "PEN": 0.245}
NAMES = ("Alonso", "Barrios", "Castro", "Duarte", "Espejo", "Fuentes", "Gil", "Huaman", "Ibarra")
YEAR = date(2024, 1, 1)
Flights = list[tuple[int, date]]
"""The number and the day of each."""


def fill(connection: sqlite3.Connection) -> None:
    """A year of flights and of the bookings on them."""
    draw = random.Random(6389)
    insert(connection, "AEROPUERTO", [(own, *each) for own, each in AIRPORTS.items()])
    flights = _flights(connection, draw, _routes(connection, draw), _planes(connection, draw))
    _crews(connection, draw, flights)
    customers = _customers(connection, draw)
    _bookings(connection, draw, flights, customers)
    _charges(connection, draw)
    _miles(connection, draw, customers)
    _rates(connection, draw)
    _months(connection, draw)


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _routes(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    places = list(AIRPORTS)
    for at in range(22):
        start, end = places[at % 8], places[(at * 3 + at // 8 + 1) % 8]
        end = places[(places.index(end) + 1) % 8] if start == end else end
        rows.append((101 + at, start, end, float(draw.randint(220, 2400))))
    insert(connection, "RUTA", rows)
    return [row[0] for row in rows]


def _planes(connection: sqlite3.Connection, draw: random.Random) -> dict[str, int]:
    rows: list[Row] = []
    for at in range(13):
        kind = list(SEATS)[at % 3]
        rows.append(
            (f"EC-N{65 + at:c}{70 + at:c}", kind, SEATS[kind], float(draw.randint(900, 4000)))
        )
    insert(connection, "AVION", rows)
    return {row[0]: row[2] for row in rows[:11]}


def _flights(
    connection: sqlite3.Connection, draw: random.Random, routes: list[int], planes: dict[str, int]
) -> Flights:
    rows: list[Row] = []
    found: Flights = []
    for number in range(30):
        route = routes[number % 20]
        for step in sorted(draw.sample(range(366), 18)):
            day, plane = YEAR + timedelta(days=step), draw.choice(list(planes))
            start = seconds(day.year, day.month, day.day) + draw.randint(5, 22) * 3600
            end = start + draw.randint(45, 240) * 60
            state = draw.choices(("OPERADO", "CANCELADO", "DESVIADO"), (18, 1, 1))[0]
            late = 0 if state == "CANCELADO" else max(0, int(draw.gauss(10, 25)))
            seats = planes[plane] - draw.choice((0, 0, 4))
            seen = 0 if state == "CANCELADO" else int(seats * draw.uniform(0.35, 1))
            unit, fuel = draw.choice(("KG", "KG", "LB")), (end - start) / 60 * draw.uniform(14, 45)
            fuel = 0.0 if state == "CANCELADO" else fuel
            much = round(fuel if unit == "KG" else fuel * 2.20462, 1)
            row = (310 + number, _number(day), route, plane, start, end, state, late, seen, seats)
            rows.append((*row, round(100 * seen / seats, 1), much, unit))
            found.append((310 + number, day))
    insert(connection, "VUELO", rows)
    return found


def _crews(connection: sqlite3.Connection, draw: random.Random, flights: Flights) -> None:
    staff: list[Row] = []
    for at, own in enumerate(draw.sample(range(6000, 6999), 80)):
        phone = f"9{draw.randrange(10**7, 10**8)}"
        staff.append((own, draw.choice(NAMES), phone, ("COM", "COP", "TCP", "TCP")[at % 4]))
    insert(connection, "TRIPULANTE", staff)
    rows: list[Row] = []
    for number, day in flights:
        for who in draw.sample(staff[:74], draw.randint(3, 5)):
            rows.append((number, _number(day), who[0], draw.randint(90, 420)))
    insert(connection, "ASIGNACION", rows)


def _customers(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    for own in draw.sample(range(80_000, 89_999), 300):
        name = draw.choice(NAMES)
        level = draw.choices(("BASICO", "ORO", "PLATINO"), (7, 2, 1))[0]
        by = draw.choice(rows)[0] if rows and draw.random() < 0.25 else None
        gone = draw.choices("NS", (10, 1))[0]
        rows.append((own, name, f"{name.lower()}{own}@correo.example", level, by, gone))
    insert(connection, "CLIENTE", rows)
    return [row[0] for row in rows]


def _bookings(
    connection: sqlite3.Connection, draw: random.Random, flights: Flights, customers: list[int]
) -> None:
    booked: list[Row] = []
    coupons: list[Row] = []
    bags: list[Row] = []
    paid: list[Row] = []
    for at in range(950):
        own = f"{'BCDFGHJK'[at % 8]}{at * 37 + 10007:X}"
        money, total = draw.choice(list(RATES)), 0.0
        bought = YEAR
        for leg in range(1, draw.randint(2, 5)):
            number, day = draw.choice(flights)
            bought = max(YEAR, day - timedelta(days=draw.randint(3, 90)))
            fare = round(draw.uniform(30, 400) / RATES[money], 2)
            cabin = draw.choices(("TURISTA", "EJECUTIVA"), (6, 1))[0]
            state = draw.choices((1, 2, 5), (1, 1, 6))[0]
            coupons.append((own, leg, number, _number(day), cabin, fare, state))
            total += fare
            stamp = (seconds(day.year, day.month, day.day) + draw.randint(4, 20) * 3600) * 1000
            for _ in range(draw.choice((0, 1, 1, 2))):
                told = (stamp + draw.randrange(1000), draw.randrange(10**9, 2 * 10**9))
                size = (round(draw.uniform(6, 31), 1), str(draw.randint(45, 158)))
                bags.append((len(bags) + 1, own, leg, *told, *size))
        who = None if draw.random() < 0.2 else draw.choice(customers[:280])
        when = f"{bought.isoformat()} {draw.randint(0, 23):02}:{draw.randint(0, 59):02}:00"
        way, void = draw.choice(("AGENCIA", "APP", "WEB")), int(draw.random() < 0.08)
        booked.append((own, who, when, way, money, round(total, 2), void))
        for share in draw.choice(((1.0,), (1.0,), (0.5, 0.5), (0.2, 0.3, 0.5))):
            came = bought + timedelta(days=draw.randint(0, 5))
            moment = f"{came.isoformat()} {draw.randint(0, 23):02}:{draw.randint(0, 59):02}:00"
            how = draw.choice(("EFECTIVO", "TARJETA", "TRANSFER"))
            paid.append((len(paid) + 1, own, moment, round(total * share, 2), how))
    insert(connection, "RESERVA", booked)
    insert(connection, "CUPON", coupons)
    insert(connection, "EQUIPAJE", bags)
    insert(connection, "COBRO", paid)


def _charges(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for place in AIRPORTS:
        rate = draw.uniform(4, 18)
        for start, end in ((20230101, 20231231), (20240101, 20240531), (20240601, 99991231)):
            rows.append((place, start, end, round(rate, 2)))
            rate *= draw.uniform(1.03, 1.2)
    insert(connection, "TASA_AEROP", rows)


def _miles(connection: sqlite3.Connection, draw: random.Random, customers: list[int]) -> None:
    rows: list[Row] = []
    for own in customers[:260]:
        held = draw.randint(500, 60_000)
        for month in range(1, 13):
            came = draw.choice((0, 0, 400, 1200, 2600))
            held = max(0, held + came - draw.choice((0, 0, 0, 5000)))
            last = date(2024 + month // 12, month % 12 + 1, 1) - timedelta(days=1)
            rows.append((last.isoformat(), own, held, came))
    insert(connection, "SALDO_MILLAS", rows)


def _rates(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for step in range(380):
        day = (YEAR + timedelta(days=step)).isoformat()
        for money, base in RATES.items():
            rate = base if money == "EUR" else round(base * draw.uniform(0.96, 1.04), 8)
            rows.append((day, money, rate))
    insert(connection, "CAMBIO", rows)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for month in (year * 100 + each for year in (2022, 2023, 2024) for each in range(1, 13)):
        people, money = 0, 0.0
        for factor, place in enumerate(AIRPORTS, 1):
            seen = draw.randint(800, 3000) * factor
            took = round(seen * draw.uniform(30, 60) * (2 if factor < 4 else 1), 2)
            rows.append((month, place, seen, took, round(took / seen, 2)))
            people, money = people + seen, round(money + took, 2)
        rows.append((month, "TOT", people, money, round(money / people, 2)))
    insert(connection, "RESUMEN_MES", rows)
