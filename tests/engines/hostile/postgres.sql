DELETE FROM public."Line"
UPDATE public."Line" SET "note" = 'changed'
INSERT INTO public."Currency" VALUES ('USD', 'Dollar')
TRUNCATE public."Line"
DROP TABLE public."Line"
ALTER TABLE public."Line" DISABLE ROW LEVEL SECURITY
CREATE TABLE public.stolen AS SELECT 1 AS one
CREATE TEMP TABLE stolen AS SELECT 1 AS one
SELECT 1 AS one INTO public.stolen
WITH gone AS (DELETE FROM public."Line" RETURNING *) SELECT * FROM gone
SELECT * FROM public."Line" FOR UPDATE
SELECT 1; DELETE FROM public."Line"
COPY public."Line" TO '{folder}/stolen.csv'
COPY (SELECT 1) TO PROGRAM 'touch {folder}/stolen'
SELECT 1 INTO OUTFILE '{folder}/stolen.csv'
SELECT set_config('veridical.mandateId', '{{beta}}', true)
SELECT pg_read_file('/etc/passwd')
SELECT pg_sleep(60)
SELECT lo_import('/etc/passwd')
SELECT query_to_xml('SELECT * FROM public."Line"', true, true, '')
SELECT pg_advisory_lock(1)
GRANT ALL ON public."Line" TO PUBLIC
VACUUM public."Line"
~ SET ROLE NONE
~ RESET ROLE
~ SET veridical.mandateId = '{{beta}}'
~ SET statement_timeout = 0
~ SET TRANSACTION READ WRITE
~ SET search_path = public
