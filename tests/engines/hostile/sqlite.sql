DELETE FROM main."Line"
UPDATE main."Line" SET "note" = 'changed'
INSERT INTO main."Currency" VALUES ('USD', 'Dollar')
REPLACE INTO main."Currency" VALUES ('CHF', 'changed')
DROP TABLE main."Line"
DROP VIEW temp."Line"
ALTER TABLE main."Line" DROP COLUMN "note"
CREATE TABLE main.stolen AS SELECT 1 AS one
CREATE TEMP TABLE stolen AS SELECT 1 AS one
CREATE TEMP VIEW stolen AS SELECT * FROM main."Line"
CREATE TEMP TRIGGER stolen AFTER INSERT ON main."Line" BEGIN SELECT 1; END
CREATE VIRTUAL TABLE temp.stolen USING fts5(a)
SELECT 1; DELETE FROM main."Line"
SELECT 1; SELECT 2
ATTACH '{folder}/stolen.db' AS other
ATTACH ':memory:' AS other
DETACH main
VACUUM
VACUUM INTO '{folder}/stolen.db'
SELECT 1 INTO OUTFILE '{folder}/stolen.csv'
SELECT load_extension('{folder}/stolen.so')
SELECT writefile('{folder}/stolen', 'x')
SELECT readfile('/etc/passwd')
SELECT fts3_tokenizer('simple')
SELECT * FROM sqlite_schema
SELECT * FROM pragma_table_info('Line')
SELECT * FROM dbstat
PRAGMA table_info("Line")
PRAGMA query_only = OFF
PRAGMA writable_schema = ON
PRAGMA journal_mode = DELETE
PRAGMA temp_store_directory = '{folder}'
BEGIN IMMEDIATE
COMMIT
SAVEPOINT kept
REINDEX
ANALYZE
SELECT name FROM "Line"
SELECT count(*) FROM main."Line"
WITH "Line" AS (SELECT * FROM main."Line") SELECT count(*) FROM "Line"
SELECT (1, 'beta') IN main."Currency"
SELECT count(*) FROM sqlite_schema
SELECT count(*) FROM sqlite_temp_schema
SELECT length(zeroblob(1000000000))
SELECT hex(randomblob(900000000))
SET ROLE admin
