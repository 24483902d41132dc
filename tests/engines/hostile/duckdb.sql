DELETE FROM data.main."Line"
UPDATE data.main."Line" SET "note" = 'changed'
INSERT INTO data.main."Currency" VALUES ('USD', 'Dollar')
TRUNCATE data.main."Line"
DROP TABLE data.main."Line"
ALTER TABLE data.main."Line" DROP COLUMN "note"
CREATE TABLE data.main.stolen AS SELECT 1 AS one
CREATE TABLE memory.main.stolen AS SELECT 1 AS one
CREATE TEMP TABLE stolen AS SELECT 1 AS one
CREATE TEMP VIEW "Line" AS SELECT 1 AS one
CREATE MACRO count(x) AS 0
SELECT 1; DELETE FROM data.main."Line"
SELECT 1; SELECT 2
ATTACH '{folder}/stolen.duckdb' AS other
ATTACH ':memory:' AS other
DETACH data
USE data.main
COPY data.main."Line" TO '{folder}/stolen.csv'
COPY (SELECT 1) TO '{folder}/stolen.csv'
COPY data.main."Line" FROM '/etc/passwd'
EXPORT DATABASE '{folder}/stolen'
SELECT 1 INTO OUTFILE '{folder}/stolen.csv'
SELECT * FROM read_csv('/etc/passwd')
SELECT * FROM read_text('/etc/passwd')
SELECT * FROM '/etc/passwd'
SELECT * FROM glob('/etc/*')
SET enable_external_access = true
SET memory_limit = '100GB'
RESET lock_configuration
PRAGMA enable_profiling
PRAGMA database_size
INSTALL httpfs
LOAD httpfs
CALL pragma_version()
BEGIN TRANSACTION
COMMIT
CHECKPOINT
PREPARE kept AS SELECT 1
EXPLAIN ANALYZE DELETE FROM data.main."Line"
