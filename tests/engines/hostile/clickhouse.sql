DELETE FROM books."Line" WHERE 1
ALTER TABLE books."Line" DELETE WHERE 1
ALTER TABLE books."Line" UPDATE note = 'changed' WHERE 1
ALTER TABLE books."Line" DROP COLUMN note
INSERT INTO books."Currency" VALUES ('USD', 'Dollar')
INSERT INTO FUNCTION file('{folder}/stolen.csv', 'CSV', 'a Int32') VALUES (1)
TRUNCATE TABLE books."Line"
DROP TABLE books."Line"
DROP DATABASE books
RENAME TABLE books."Line" TO books.stolen
EXCHANGE TABLES books."Line" AND books."Account"
CREATE TABLE books.stolen (a Int32) ENGINE = Memory
CREATE TEMPORARY TABLE stolen (a Int32)
CREATE VIEW books.stolen AS SELECT 1
CREATE FUNCTION stolen AS x -> x
CREATE USER stolen
GRANT ALL ON *.* TO default
SELECT 1; DROP TABLE books."Line"
SELECT 1; SELECT 2
SELECT 1 INTO OUTFILE '{folder}/stolen.csv'
SELECT 1 INTO OUTFILE '{folder}/stolen.csv' FORMAT CSV
SELECT 1) INTO OUTFILE '{folder}/stolen.csv' FORMAT CSV; SELECT * FROM (SELECT 1
SELECT * FROM (SELECT 1) INTO OUTFILE '{folder}/stolen.csv' APPEND
SELECT file('/etc/passwd')
SELECT `file`('/etc/passwd')
SELECT * FROM file('/etc/passwd', 'LineAsString')
SELECT * FROM fileCluster('c', '/etc/passwd', 'LineAsString')
SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')
SELECT * FROM s3('https://127.0.0.1:1/a.csv')
SELECT * FROM hdfs('hdfs://127.0.0.1:1/a', 'CSV')
SELECT * FROM remote('127.0.0.1:1', 'system', 'one')
SELECT * FROM cluster('c', 'system', 'one')
SELECT * FROM mysql('127.0.0.1:1', 'd', 't', 'u', 'p')
SELECT * FROM postgresql('127.0.0.1:1', 'd', 't', 'u', 'p')
SELECT * FROM sqlite('{folder}/stolen.db', 't')
SELECT * FROM jdbc('x', 'y')
SELECT * FROM executable('ls', 'LineAsString', 'x String')
SELECT * FROM azureBlobStorage('x', 'y', 'z')
SELECT * FROM deltaLake('https://127.0.0.1:1/')
SELECT * FROM iceberg('https://127.0.0.1:1/')
SELECT * FROM system.tables
SELECT * FROM system.processes
SELECT * FROM `system`.settings
SELECT 1 SETTINGS max_execution_time = 0
SELECT 1 SETTINGS readonly = 0
SELECT 1 FORMAT Null
SET readonly = 0
SET max_execution_time = 0
SET ROLE DEFAULT
USE books
SELECT count() FROM "Line"
SYSTEM SHUTDOWN
SYSTEM RELOAD CONFIG
KILL QUERY WHERE 1
BACKUP TABLE books."Line" TO File('stolen')
ATTACH TABLE books.stolen
DETACH TABLE books."Line"
OPTIMIZE TABLE books."Line" FINAL
SHOW TABLES FROM books
DESCRIBE TABLE books."Line"
EXPLAIN SELECT 1
EXISTS TABLE books."Line"
BEGIN TRANSACTION
WATCH books."Line"
CHECK TABLE books."Line"
SELECT sleepEachRow(3) FROM numbers(100)
SELECT count() FROM numbers(100000000000000)
