-- The login of workers for the engine's tables, where they connect through PgBouncer in transaction
-- mode. There no role can be set for a session, so this login has it from the start. After
-- logins.sql, by the same administrator; may be run again.
--
--   psql --no-psqlrc --set ON_ERROR_STOP=1 --dbname postgres --file pgbouncer.sql
\set ON_ERROR_STOP 1
SET client_min_messages = warning;
\getenv engine_password VERIDICAL_ENGINE_PASSWORD
\if :{?engine_password}
\else
DO $$ BEGIN RAISE EXCEPTION 'set VERIDICAL_ENGINE_PASSWORD first'; END $$;
\endif

SELECT 'CREATE ROLE veridical_engine'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'veridical_engine')
\gexec
ALTER ROLE veridical_engine LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOINHERIT
    PASSWORD :'engine_password';
GRANT veridical_dbos TO veridical_engine WITH INHERIT FALSE, SET TRUE;
ALTER ROLE veridical_engine SET role = 'veridical_dbos';
-- A worker that takes over must not wait for the locks of one that hangs: as long as a lease.
ALTER ROLE veridical_engine SET idle_in_transaction_session_timeout = '30s';
GRANT CONNECT ON DATABASE veridical TO veridical_engine;
