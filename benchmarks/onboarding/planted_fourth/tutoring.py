"""A young company that sells lessons: cents in three currencies, wallets at day's end, periods."""

import random
import sqlite3
from datetime import date, datetime, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
subjects
  subject_id INTEGER key
  slug TEXT                         # one of them is all-ages: a subject, no total
  parent_subject_id INTEGER ~>subjects.subject_id   # nothing at the top
tutors
  tutor_id INTEGER key
  display_name TEXT person
  email TEXT person
  country TEXT list=DE|ES|GB|PL|US
  payout_currency TEXT list=EUR|GBP|USD
  hourly_rate_cents INTEGER non_additive unit=tutors.payout_currency
  commission_pct REAL non_additive
  joined_at INTEGER time=UNIX_SECONDS
tutor_subjects
  tutor_id INTEGER key ->tutors.tutor_id
  subject_id INTEGER key ->subjects.subject_id
  level TEXT list=advanced|beginner|exam_prep
students
  student_id INTEGER key
  full_name TEXT person
  email TEXT person
  signup_source TEXT list=ads|friend|organic|school
  referred_by INTEGER ~>students.student_id         # nothing where nobody did
  created_at INTEGER time=UNIX_SECONDS
  is_deleted INTEGER deleted
plan_periods valid=starts_on,ends_on
  student_id INTEGER key ->students.student_id
  starts_on TEXT key time=ISO_TEXT
  ends_on TEXT time=ISO_TEXT                        # the last day, or nothing
  plan TEXT list=basic|pro|team
  currency TEXT list=EUR|GBP|USD
  monthly_price_cents INTEGER non_additive unit=plan_periods.currency
bookings
  booking_id TEXT key
  student_id INTEGER ->students.student_id
  tutor_id INTEGER ->tutors.tutor_id
  subject_id INTEGER ~>subjects.subject_id
  created_at INTEGER time=UNIX_MILLISECONDS
  starts_at TEXT time=ISO_TEXT
  duration_min INTEGER additive
  status TEXT list=cancelled|completed|no_show|scheduled
  currency TEXT list=EUR|GBP|USD
  price_cents INTEGER additive unit=bookings.currency
  campaign_code INTEGER code                        # ten digits from 17, and no time; or nothing
charges
  charge_id INTEGER key
  booking_id TEXT ->bookings.booking_id
  charged_at TEXT time=ISO_TEXT
  processor TEXT list=adyen|paypal|stripe
  currency TEXT list=EUR|GBP|USD
  amount_cents INTEGER additive unit=charges.currency
  fee_cents INTEGER additive unit=charges.currency
  net_cents INTEGER additive unit=charges.currency  # the amount without the fee
refunds
  refund_id INTEGER key
  charge_id INTEGER ->charges.charge_id
  refunded_at INTEGER time=UNIX_SECONDS
  reason TEXT list=goodwill|late_tutor|tech_issue
  amount_cents INTEGER additive unit=charges.currency
lesson_ratings
  booking_id TEXT key =>bookings.booking_id
  stars INTEGER non_additive
  punctuality INTEGER non_additive                  # nothing where it was not asked
  would_recommend INTEGER list=0|1 code
messages
  message_id INTEGER key
  booking_id TEXT ~>bookings.booking_id
  sender_role TEXT list=student|tutor
  sent_at INTEGER time=UNIX_SECONDS
  char_count INTEGER additive
  deleted_words INTEGER additive                    # a count, and no mark of deletion
wallet_daily snapshot=as_of
  as_of TEXT key time=ISO_TEXT
  tutor_id INTEGER key ->tutors.tutor_id
  balance_cents INTEGER semi_additive unit=tutors.payout_currency
  on_hold_cents INTEGER semi_additive unit=tutors.payout_currency
  earned_cents INTEGER additive unit=tutors.payout_currency     # of the day: a flow
payouts
  payout_id INTEGER key
  tutor_id INTEGER ->tutors.tutor_id
  paid_on INTEGER time=YYYYMMDD
  currency TEXT list=EUR|GBP|USD
  amount_cents INTEGER additive unit=payouts.currency
  balance_ref INTEGER code
exchange_rates
  rate_date TEXT key time=ISO_TEXT
  currency TEXT key list=EUR|GBP|USD
  usd_per_unit REAL non_additive
channel_weeks
  week_start TEXT key time=ISO_TEXT
  channel TEXT key list=ads|all|friend|organic|school total=all
  visits INTEGER additive
  signups INTEGER additive
  signup_rate REAL non_additive
  spend_usd REAL additive
test_attempts
  attempt_id INTEGER key
  student_id INTEGER ->students.student_id
  subject_id INTEGER ->subjects.subject_id
  taken_on TEXT time=ISO_TEXT
  score TEXT non_additive                           # a number of points, kept as text
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
RATES = {"EUR": 1.08, "GBP": 1.27, "USD": 1.0}
MONEY = {"DE": "EUR", "ES": "EUR", "GB": "GBP", "PL": "EUR", "US": "USD"}
FIRST = ("Ada", "Bruno", "Carla", "Dmitri", "Elif", "Farah", "Goran", "Hanna", "Ines", "Jonas")
LAST = ("Abel", "Brandt", "Costa", "Dunne", "Evers", "Flynn", "Galvez", "Hoyt", "Ivers", "Juhl")
TOPICS = {
    "math": ("algebra", "calculus", "statistics"),
    "languages": ("english", "german", "spanish", "french"),
    "science": ("physics", "chemistry"),
    "music": ("piano", "guitar", "all-ages"),
}
LEVELS = ("advanced", "beginner", "exam_prep")
YEAR = date(2024, 1, 1)
Tutor = tuple[int, str, int]
"""Its number, money and the price of an hour."""


def fill(connection: sqlite3.Connection) -> None:
    """Sixty tutors, five hundred students and their lessons of a year."""
    draw = random.Random(7404)
    topics = _topics(connection)
    tutors = _tutors(connection, draw, topics)
    students = _students(connection, draw)
    _plans(connection, draw, students)
    _lessons(connection, draw, students, tutors, topics)
    _wallets(connection, draw, tutors)
    _channels(connection, draw)
    _attempts(connection, draw, students, topics)
    days = [(YEAR + timedelta(days=day)).isoformat() for day in range(396)]
    rates = [
        (day, code, 1.0 if code == "USD" else round(base * draw.uniform(0.97, 1.03), 5))
        for day in days
        for code, base in RATES.items()
    ]
    insert(connection, "exchange_rates", rates)


def _topics(connection: sqlite3.Connection) -> list[int]:
    rows: list[Row] = []
    for top, parts in TOPICS.items():
        above = 11 + len(rows)
        rows.append((above, top, None))
        rows += [(above + 1 + at, part, above) for at, part in enumerate(parts)]
    insert(connection, "subjects", rows)
    return [row[0] for row in rows if row[2] is not None]


def _tutors(connection: sqlite3.Connection, draw: random.Random, topics: list[int]) -> list[Tutor]:
    rows: list[Row] = []
    taught: list[Row] = []
    for own in range(301, 361):
        first, last = draw.choice(FIRST), draw.choice(LAST)
        land = draw.choice(list(MONEY))
        price, share = draw.randint(12, 70) * 100, draw.choice((15.0, 18.0, 20.0, 25.0))
        at = seconds(2022, 1, 1) + draw.randrange(700 * 86_400)
        mail = f"{first.lower()}.{last.lower()}{own}@tutor.test"
        rows.append((own, f"{first} {last}", mail, land, MONEY[land], price, share, at))
        for topic in draw.sample(topics, draw.randint(1, 4)):
            taught.append((own, topic, draw.choice(LEVELS)))
    insert(connection, "tutors", rows)
    insert(connection, "tutor_subjects", taught)
    return [(row[0], row[4], row[5]) for row in rows]


def _students(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    for own in range(5001, 5501):
        first, last = draw.choice(FIRST), draw.choice(LAST)
        source = draw.choices(("organic", "ads", "friend", "school"), (4, 3, 2, 2))[0]
        known = [row[0] for row in rows[:200]]
        by = draw.choice(known) if source == "friend" and known else None
        at = seconds(2023, 1, 1) + draw.randrange(500 * 86_400)
        gone = int(draw.random() < 0.1)
        mail = f"{last.lower()}{own}@pupil.test"
        rows.append((own, f"{first} {last}", mail, source, by, at, gone))
    insert(connection, "students", rows)
    return [row[0] for row in rows]


def _plans(connection: sqlite3.Connection, draw: random.Random, students: list[int]) -> None:
    rows: list[Row] = []
    prices = {"basic": 900, "pro": 1900, "team": 4900}
    for own in students:
        money, start = draw.choice(list(RATES)), date(2023, 1, 1)
        for version in range(4):
            plan = draw.choice(list(prices))
            end = start + timedelta(days=draw.randint(120, 400))
            lasts = end > date(2024, 12, 20) or version == 3
            price = prices[plan] + draw.choice((0, 100, 200))
            until = None if lasts else end.isoformat()
            rows.append((own, start.isoformat(), until, plan, money, price))
            if lasts:
                break
            start = end + timedelta(days=1)
    insert(connection, "plan_periods", rows)


def _lessons(
    connection: sqlite3.Connection,
    draw: random.Random,
    students: list[int],
    tutors: list[Tutor],
    topics: list[int],
) -> None:
    lessons: list[Row] = []
    charges: list[Row] = []
    refunds: list[Row] = []
    ratings: list[Row] = []
    messages: list[Row] = []
    for number in range(1900):
        own = f"bk_{draw.randrange(16**5):05x}{number:04x}"
        tutor, money, hour = draw.choice(tutors[:57])
        begins = datetime(2024, 1, 1) + timedelta(
            days=draw.randrange(365), hours=draw.randint(7, 21), minutes=draw.choice((0, 15, 30))
        )
        length = draw.choice((30, 45, 60, 60, 90))
        price = hour * length // 60
        made = (seconds(begins.year, begins.month, begins.day) - draw.randrange(9 * 86_400)) * 1000
        state = draw.choices(("completed", "cancelled", "no_show", "scheduled"), (12, 2, 1, 1))[0]
        ref = draw.randint(1_700_000_000, 1_739_999_999) if draw.random() < 0.3 else None
        row = (own, draw.choice(students[:470]), tutor, draw.choice(topics), made)
        at = begins.strftime("%Y-%m-%dT%H:%M:%S")
        lessons.append((*row, at, length, state, money, price, ref))
        if state == "completed":
            _charge(draw, charges, refunds, (own, begins, money, price))
            if draw.random() < 0.7:
                # long lessons are liked better, so stars by lesson and by minute differ
                stars = min(5, draw.randint(2, 5) + int(length > 60))
                asked = draw.randint(1, 5) if draw.random() < 0.6 else None
                ratings.append((own, stars, asked, int(stars > 3)))
        for _ in range(draw.choice((0, 0, 1, 2, 3, 5))):
            sent = made // 1000 + draw.randrange(80_000)
            row = (own, draw.choice(("student", "tutor")), sent, draw.randint(4, 600))
            messages.append((900_001 + len(messages), *row, draw.randint(0, 12)))
    insert(connection, "bookings", lessons)
    insert(connection, "charges", charges)
    insert(connection, "refunds", refunds)
    insert(connection, "lesson_ratings", ratings)
    insert(connection, "messages", messages)


def _charge(
    draw: random.Random,
    charges: list[Row],
    refunds: list[Row],
    lesson: tuple[str, datetime, str, int],
) -> None:
    own, begins, money, price = lesson
    for part in draw.choice(((1.0,), (1.0,), (1.0,), (0.5, 0.5))):
        number, amount = 40_001 + len(charges), round(price * part)
        fee = round(amount * 0.029) + 30
        on = begins + timedelta(minutes=draw.randint(5, 600))
        at = on.strftime("%Y-%m-%d %H:%M:%S")
        by = draw.choices(("stripe", "paypal", "adyen"), (6, 3, 1))[0]
        charges.append((number, own, at, by, money, amount, fee, amount - fee))
        if draw.random() < 0.14:
            for share in draw.choice(((1.0,), (0.25,), (0.3, 0.3))):
                when = seconds(on.year, on.month, on.day) + draw.randrange(86_400, 8 * 86_400)
                why = draw.choice(("goodwill", "late_tutor", "tech_issue"))
                refunds.append((70_001 + len(refunds), number, when, why, round(amount * share)))


def _wallets(connection: sqlite3.Connection, draw: random.Random, tutors: list[Tutor]) -> None:
    rows: list[Row] = []
    paid: list[Row] = []
    for own, money, hour in tutors:
        held = draw.randint(0, 40_000)
        for day in range(61):
            on = date(2024, 10, 1) + timedelta(days=day)
            earned = draw.choice((0, 0, hour, 2 * hour))
            held += earned
            if on.weekday() == 4 and held > 20_000:
                out = held - draw.randint(0, 5_000)
                held -= out
                key = int(on.strftime("%Y%m%d"))
                row = (own, key, money, out, draw.randint(20_240_000, 20_249_999))
                paid.append((60_001 + len(paid), *row))
            rows.append((on.isoformat(), own, held, round(held * draw.choice((0, 0, 0.2))), earned))
    insert(connection, "wallet_daily", rows)
    insert(connection, "payouts", paid)


def _channels(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for week in range(105):
        start = (date(2023, 1, 2) + timedelta(days=7 * week)).isoformat()
        parts: list[tuple[str, int, int, float]] = []
        for channel in ("ads", "friend", "organic", "school"):
            visits = int(draw.expovariate(1 / 4000)) + 150
            came = int(draw.uniform(10, 40) + visits * draw.uniform(0.002, 0.02))
            spent = round(draw.uniform(800, 9000), 2) if channel == "ads" else 0.0
            parts.append((channel, visits, came, spent))
        visits, came = sum(part[1] for part in parts), sum(part[2] for part in parts)
        every = ("all", visits, came, parts[0][3])
        for channel, visits, came, spent in (*parts, every):
            rows.append((start, channel, visits, came, round(came / visits, 5), spent))
    insert(connection, "channel_weeks", rows)


def _attempts(
    connection: sqlite3.Connection, draw: random.Random, students: list[int], topics: list[int]
) -> None:
    rows: list[Row] = []
    for number in range(700):
        on = (YEAR + timedelta(days=draw.randrange(366))).isoformat()
        points = str(draw.choice((100, draw.randint(3, 99), draw.randint(40, 95))))
        rows.append((number + 1, draw.choice(students), draw.choice(topics), on, points))
    insert(connection, "test_attempts", rows)
