-- Database, roles and logins of Veridical, made once by an administrator of the PostgreSQL server
-- (16 or newer). May be run again: what is there stays, and passwords are set anew.
--
--   psql --no-psqlrc --set ON_ERROR_STOP=1 --dbname postgres --file logins.sql
--
-- Passwords come from the environment, so that they are in no file and no list of processes.
\set ON_ERROR_STOP 1
SET client_min_messages = warning;
\getenv owner_password VERIDICAL_OWNER_PASSWORD
\getenv server_password VERIDICAL_SERVER_PASSWORD
\getenv worker_password VERIDICAL_WORKER_PASSWORD
\getenv backup_password VERIDICAL_BACKUP_PASSWORD
SELECT :{?owner_password} AND :{?server_password} AND :{?worker_password} AND :{?backup_password}
    AS complete \gset
\if :complete
\else
DO $$ BEGIN RAISE EXCEPTION 'set VERIDICAL_OWNER_PASSWORD, VERIDICAL_SERVER_PASSWORD,'
    ' VERIDICAL_WORKER_PASSWORD and VERIDICAL_BACKUP_PASSWORD first'; END $$;
\endif

-- What a transaction acts as. None of these can log in.
SELECT format(
    'CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS',
    name)
FROM unnest(ARRAY['veridical_app', 'veridical_worker', 'veridical_operator', 'veridical_tracer',
    'veridical_dbos']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
\gexec

-- Who logs in: the owner for migrations and for the commands of an operator, one for the servers,
-- one for the workers, one that makes backups.
SELECT format('CREATE ROLE %I', name)
FROM unnest(ARRAY['veridical_owner', 'veridical_server', 'veridical_work', 'veridical_backup']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
\gexec
ALTER ROLE veridical_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOINHERIT
    PASSWORD :'owner_password';
ALTER ROLE veridical_server LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOINHERIT
    PASSWORD :'server_password';
ALTER ROLE veridical_work LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOINHERIT
    PASSWORD :'worker_password';
-- A backup must hold the rows of all tenants, so this login alone is above the row policies. It can
-- read everything and change nothing.
ALTER ROLE veridical_backup LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE BYPASSRLS
    PASSWORD :'backup_password';
ALTER ROLE veridical_backup SET default_transaction_read_only = on;
GRANT pg_read_all_data TO veridical_backup WITH INHERIT TRUE;

-- A login has no rights of its own: it may only act as these.
GRANT veridical_app, veridical_worker, veridical_operator, veridical_tracer, veridical_dbos
    TO veridical_owner WITH INHERIT FALSE, SET TRUE;
GRANT veridical_app TO veridical_server WITH INHERIT FALSE, SET TRUE;
GRANT veridical_worker, veridical_dbos TO veridical_work WITH INHERIT FALSE, SET TRUE;

SELECT 'CREATE DATABASE veridical OWNER veridical_owner'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'veridical')
\gexec
REVOKE ALL ON DATABASE veridical FROM PUBLIC;
GRANT CONNECT ON DATABASE veridical TO veridical_server, veridical_work, veridical_backup;
