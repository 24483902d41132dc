-- A bike rental whose figures go wrong in every way that the pairs of twins.txt try.
CREATE TABLE station (station_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, capacity INTEGER NOT NULL);
CREATE TABLE rider (rider_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, email TEXT, referred_by INTEGER REFERENCES rider (rider_id));
CREATE TABLE bike (bike_id INTEGER PRIMARY KEY, station_id INTEGER REFERENCES station (station_id), model TEXT NOT NULL, odometer_value TEXT NOT NULL, list_price DECIMAL(10, 2) NOT NULL);
CREATE TABLE rental (rental_id INTEGER PRIMARY KEY, rider_id INTEGER NOT NULL REFERENCES rider (rider_id), bike_id INTEGER NOT NULL REFERENCES bike (bike_id), started_at TIMESTAMP NOT NULL, minutes INTEGER NOT NULL, fare DECIMAL(10, 2) NOT NULL);
CREATE TABLE charge (rental_id INTEGER NOT NULL REFERENCES rental (rental_id), line_no INTEGER NOT NULL, kind TEXT NOT NULL, quantity INTEGER NOT NULL, unit_price DECIMAL(10, 2) NOT NULL, PRIMARY KEY (rental_id, line_no));
CREATE TABLE payment (payment_id INTEGER PRIMARY KEY, rental_id INTEGER NOT NULL REFERENCES rental (rental_id), paid_on DATE NOT NULL, currency TEXT NOT NULL, amount DECIMAL(10, 2) NOT NULL);
CREATE TABLE dock_level (day DATE NOT NULL, station_id INTEGER NOT NULL REFERENCES station (station_id), model TEXT NOT NULL, in_stock INTEGER NOT NULL, PRIMARY KEY (day, station_id, model));
CREATE TABLE assignment (bike_id INTEGER NOT NULL REFERENCES bike (bike_id), start_date DATE NOT NULL, end_date DATE, station_id INTEGER NOT NULL REFERENCES station (station_id), PRIMARY KEY (bike_id, start_date));
CREATE TABLE exchange (rate_day DATE NOT NULL, currency TEXT NOT NULL, rate DECIMAL(12, 6) NOT NULL, PRIMARY KEY (rate_day, currency));
CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, rider_id INTEGER NOT NULL REFERENCES rider (rider_id), billed_on TEXT NOT NULL, total DECIMAL(10, 2) NOT NULL);
CREATE TABLE workshop (job_id INTEGER PRIMARY KEY, bike_id INTEGER NOT NULL REFERENCES bike (bike_id), follows INTEGER, avg_minutes DECIMAL(10, 2) NOT NULL, parts INTEGER NOT NULL);

INSERT INTO station VALUES (1, 'Main', 'Bern', 20), (2, 'Lake', 'Thun', 10), (3, 'Hill', 'Bern', 8);
INSERT INTO rider VALUES (1, 'Ana', 'Bern', 'ana@x.ch', NULL), (2, 'Ben', 'Thun', NULL, 1), (3, 'Cleo', 'Bern', 'cleo@x.ch', 1), (4, 'Dan', 'Thun', NULL, NULL);
INSERT INTO bike VALUES (1, 1, 'city', '95', 800), (2, 1, 'cargo', '1200', 2400), (3, 2, 'city', '310', 800), (4, NULL, 'race', '8', 1500);
INSERT INTO rental VALUES
  (1, 1, 1, '2025-01-30 09:00:00', 30, 5), (2, 1, 2, '2025-01-31 15:30:00', 45, 9), (3, 2, 1, '2025-01-31 23:10:00', 20, 4),
  (4, 3, 3, '2025-02-01 08:00:00', 75, 12), (5, 1, 3, '2025-02-03 18:00:00', 30, 5), (6, 3, 2, '2025-02-10 07:45:00', 50, 9);
INSERT INTO charge VALUES (1, 1, 'ride', 30, 0.10), (1, 2, 'lock', 1, 2), (2, 1, 'ride', 45, 0.20), (3, 1, 'ride', 20, 0.10), (3, 2, 'lock', 1, 2), (4, 1, 'ride', 75, 0.16), (5, 1, 'ride', 30, 0.10), (5, 2, 'lock', 1, 2), (6, 1, 'ride', 45, 0.20);
INSERT INTO payment VALUES (1, 1, '2025-01-30', 'CHF', 3), (2, 1, '2025-02-01', 'CHF', 2), (3, 2, '2025-01-31', 'EUR', 9), (4, 3, '2025-02-01', 'CHF', 4), (5, 4, '2025-02-02', 'EUR', 12), (6, 5, '2025-02-03', 'CHF', 5);
INSERT INTO dock_level VALUES
  ('2025-01-30', 1, 'city', 9), ('2025-01-30', 1, 'cargo', 2), ('2025-01-30', 2, 'city', 4), ('2025-01-31', 1, 'city', 8), ('2025-01-31', 1, 'cargo', 3),
  ('2025-01-31', 2, 'city', 6), ('2025-02-01', 1, 'city', 7), ('2025-02-01', 1, 'cargo', 1), ('2025-02-01', 2, 'city', 5), ('2025-02-01', 2, 'cargo', 1);
INSERT INTO assignment VALUES (1, '2024-01-01', '2024-06-30', 2), (1, '2024-07-01', NULL, 1), (2, '2024-01-01', NULL, 1), (3, '2024-01-01', '2024-12-31', 3), (3, '2025-01-01', NULL, 2);
INSERT INTO exchange VALUES ('2025-01-30', 'CHF', 1), ('2025-01-31', 'EUR', 0.95), ('2025-02-01', 'CHF', 1), ('2025-02-02', 'EUR', 0.94), ('2025-02-03', 'CHF', 1);
INSERT INTO invoice VALUES (1, 1, '31.01.2025', 14), (2, 1, '28.02.2025', 5), (3, 2, '01.03.2025', 4), (4, 3, '30.11.2024', 21);
INSERT INTO workshop VALUES (1, 1, NULL, 20, 1), (2, 1, 1, 35, 4), (3, 2, NULL, 60, 1);
