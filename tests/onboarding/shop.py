"""A small shop with what goes wrong in shops: two currencies, stock at every date, a total row."""

from datetime import date, timedelta

DDL = """
CREATE TABLE customer (id INTEGER, full_name TEXT, email TEXT, deleted INTEGER);
CREATE TABLE orders (id INTEGER, customer_id INTEGER, ordered_on TEXT, created_at BIGINT,
  status TEXT, currency TEXT, total NUMERIC(12, 2));
CREATE TABLE stock (day TEXT, product_id INTEGER, on_hand INTEGER);
CREATE TABLE product (id INTEGER, ean BIGINT, unit_price NUMERIC(12, 2));
CREATE TABLE region_sales (year INTEGER, month INTEGER, revenue NUMERIC(12, 2));
"""


def inserts() -> list[str]:
    """The statements that fill the tables, the same on every engine."""
    rows: dict[str, list[str]] = {
        "customer": [
            f"({n}, 'Person {n}', 'p{n}@mail.test', {int(n % 9 == 0)})" for n in range(1, 41)
        ],
        "product": [f"({n}, {4_000_000_000_000 + n * 977}, {n * 1.37:.2f})" for n in range(1, 21)],
        "orders": [
            f"({n}, {1 + n * 7 % 40}, '{date(2024, 1, 1) + timedelta(n % 700)}',"
            f" {1_704_100_000 + n * 86_000}, '{('open', 'paid', 'void')[n % 3]}',"
            f" '{('CHF', 'EUR')[n % 2]}', {n * 3.11 % 900 + 1:.2f})"
            for n in range(1, 201)
        ],
        "stock": [
            f"('{date(2025, 1, 1) + timedelta(day)}', {product}, {100 + product + day // 5})"
            for day in range(30)
            for product in range(1, 21)
        ],
        "region_sales": [
            f"({year}, {month}, {sum(range(1, 13)) * year if month == 0 else month * year})"
            for year in range(2010, 2022)
            for month in range(13)
        ],
    }
    return [f"INSERT INTO {table} VALUES {', '.join(each)}" for table, each in rows.items()]
