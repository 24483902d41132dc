DELETE FROM books.`Line`
DELETE FROM books.`Line` WHERE true
UPDATE books.`Line` SET note = 'changed'
MERGE INTO books.`Line` USING books.`Account` ON true WHEN MATCHED THEN DELETE
INSERT INTO books.`Currency` VALUES ('USD', 'Dollar')
INSERT OVERWRITE books.`Currency` VALUES ('USD', 'Dollar')
INSERT OVERWRITE DIRECTORY '{folder}/stolen' USING csv SELECT 1
INSERT OVERWRITE LOCAL DIRECTORY '{folder}/stolen' USING text SELECT 'x'
FROM books.`Line` INSERT INTO books.`Currency` SELECT note, note
WITH x AS (SELECT 1) INSERT INTO books.`Currency` SELECT 'a', 'b'
EXPLAIN INSERT INTO books.`Currency` VALUES ('USD', 'Dollar')
TRUNCATE TABLE books.`Line`
DROP TABLE books.`Line`
DROP DATABASE books CASCADE
ALTER TABLE books.`Line` RENAME TO books.stolen
ALTER TABLE books.`Line` DROP COLUMN note
CREATE TABLE books.stolen (a int) USING parquet LOCATION '{folder}/stolen'
CREATE TABLE books.stolen USING parquet LOCATION '{folder}/stolen' AS SELECT 1 AS a
CREATE OR REPLACE TABLE books.`Line` (a int) USING parquet LOCATION '{folder}/stolen'
CREATE VIEW books.stolen AS SELECT * FROM books.`Line`
CREATE OR REPLACE VIEW books.`Line` AS SELECT 1
CREATE TEMP VIEW `Line` AS SELECT 1
CREATE OR REPLACE TEMPORARY VIEW stolen USING csv OPTIONS (path '/etc/passwd')
CREATE GLOBAL TEMPORARY VIEW stolen AS SELECT 1
CREATE DATABASE stolen
CREATE FUNCTION stolen AS 'java.lang.Runtime'
CACHE TABLE stolen AS SELECT 1
UNCACHE TABLE books.`Line`
REFRESH TABLE books.`Line`
REFRESH '/etc'
ANALYZE TABLE books.`Line` COMPUTE STATISTICS
MSCK REPAIR TABLE books.`Line`
LOAD DATA INPATH '/etc/passwd' INTO TABLE books.`Currency`
LOAD DATA LOCAL INPATH '/etc/passwd' OVERWRITE INTO TABLE books.`Currency`
ADD JAR '{folder}/stolen.jar'
ADD FILE '/etc/passwd'
LIST JARS
SET spark.sql.ansi.enabled = false
SET datafusion.execution.batch_size = 1
SET TIME ZONE 'UTC'
SET
RESET
USE books
USE DATABASE books
SET CATALOG system
SHOW TABLES IN books
SHOW DATABASES
SHOW CREATE TABLE books.`Line`
DESCRIBE TABLE books.`Line`
DESCRIBE QUERY SELECT 1
EXPLAIN SELECT 1
EXPLAIN EXTENDED SELECT 1
SELECT 1; DROP TABLE books.`Line`
SELECT 1; SELECT 2
SELECT 1 /* ; */; DROP TABLE books.`Line`
SELECT * FROM csv.`/etc/passwd`
SELECT * FROM text.`/etc/passwd`
SELECT * FROM json.`/etc/passwd`
SELECT * FROM parquet.`/etc`
SELECT * FROM orc.`/etc/passwd`
SELECT * FROM avro.`/etc/passwd`
SELECT * FROM delta.`/etc`
SELECT * FROM binaryFile.`/etc/passwd`
SELECT * FROM text.`file:///etc/passwd`
SELECT * FROM text.`http://127.0.0.1:1/`
SELECT * FROM text.`s3://nowhere/x`
SELECT (SELECT count(*) FROM text.`/etc/passwd`) AS n
WITH x AS (SELECT * FROM text.`/etc/passwd`) SELECT * FROM x
SELECT 1 WHERE EXISTS (SELECT * FROM text.`/etc/passwd`)
SELECT 1 AS n UNION ALL SELECT length(value) FROM text.`/etc/passwd`
SELECT * FROM read_files('/etc/passwd')
SELECT * FROM read_csv('/etc/passwd')
SELECT * FROM range(10)
SELECT * FROM system.session.sessions
SELECT * FROM system.execution.jobs
SELECT * FROM information_schema.tables
SELECT * FROM books.`Line`
SELECT * FROM sail.books.`Line`
TABLE books.`Line`
FROM books.`Line`
SELECT * FROM IDENTIFIER('books.Line')
SELECT '== Analyzed Logical Plan ==', note FROM books.`Line`
SELECT '\n== Analyzed Logical Plan ==\n' AS a, (SELECT max(note) FROM books.`Line`) AS n
SELECT TRANSFORM(1) USING 'touch {folder}/stolen'
SELECT reflect('java.lang.System', 'getenv')
SELECT java_method('java.lang.System', 'getenv')
SELECT raise_error('x')
SELECT count(*) FROM (SELECT explode(sequence(1, 100000)) AS a) CROSS JOIN (SELECT explode(sequence(1, 100000)) AS b) CROSS JOIN (SELECT explode(sequence(1, 100000)) AS c)
~ SELECT explode(sequence(1, 100000000)) AS a
~ SELECT /*+ BROADCAST(x) */ 1 AS a
~ SELECT current_user(), current_database(), version()
~ SELECT 'x\n  TableScan: nothing' AS a
