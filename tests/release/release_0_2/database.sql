--
-- PostgreSQL database dump
--

\restrict aWDMzZai7aEix0APMClo9fZthdHcaZuVfTaw3tIkj34dMX0hwkGtVVREM4JldCk

-- Dumped from database version 18.4
-- Dumped by pg_dump version 18.4

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: dbos; Type: SCHEMA; Schema: -; Owner: veridical_dbos
--

CREATE SCHEMA dbos;


ALTER SCHEMA dbos OWNER TO veridical_dbos;

--
-- Name: veridical; Type: SCHEMA; Schema: -; Owner: postgres
--

CREATE SCHEMA veridical;


ALTER SCHEMA veridical OWNER TO postgres;

--
-- Name: enqueue_workflow(text, text, json[], json, text, text, text, text, bigint, bigint, text, integer, text, text, text, bigint, text); Type: FUNCTION; Schema: dbos; Owner: veridical_dbos
--

CREATE FUNCTION dbos.enqueue_workflow(workflow_name text, queue_name text, positional_args json[] DEFAULT ARRAY[]::json[], named_args json DEFAULT '{}'::json, class_name text DEFAULT NULL::text, config_name text DEFAULT NULL::text, workflow_id text DEFAULT NULL::text, app_version text DEFAULT NULL::text, timeout_ms bigint DEFAULT NULL::bigint, deadline_epoch_ms bigint DEFAULT NULL::bigint, deduplication_id text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, queue_partition_key text DEFAULT NULL::text, authenticated_user text DEFAULT NULL::text, authenticated_roles text DEFAULT NULL::text, delay_until_epoch_ms bigint DEFAULT NULL::bigint, application_name text DEFAULT NULL::text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    v_workflow_id TEXT;
    v_serialized_inputs TEXT;
    v_owner_xid TEXT;
    v_now BIGINT;
    v_recovery_attempts INT4 := 0;
    v_priority INT4;
    v_status TEXT;
BEGIN

    -- Validate required parameters
    IF workflow_name IS NULL OR workflow_name = '' THEN
        RAISE EXCEPTION 'Workflow name cannot be null or empty';
    END IF;
    IF queue_name IS NULL OR queue_name = '' THEN
        RAISE EXCEPTION 'Queue name cannot be null or empty';
    END IF;
    IF named_args IS NOT NULL AND jsonb_typeof(named_args::jsonb) != 'object' THEN
        RAISE EXCEPTION 'Named args must be a JSON object';
    END IF;
    IF workflow_id IS NOT NULL AND workflow_id = '' THEN
        RAISE EXCEPTION 'Workflow ID cannot be an empty string if provided.';
    END IF;
    IF delay_until_epoch_ms IS NOT NULL AND delay_until_epoch_ms < 0 THEN
        RAISE EXCEPTION 'delay_until_epoch_ms must be >= 0';
    END IF;

    v_workflow_id := COALESCE(workflow_id, gen_random_uuid()::TEXT);
    v_owner_xid := gen_random_uuid()::TEXT;
    v_priority := COALESCE(priority, 0);
    v_serialized_inputs := json_build_object(
        'positionalArgs', positional_args,
        'namedArgs', named_args
    )::TEXT;
    v_now := EXTRACT(epoch FROM now()) * 1000;
    v_status := CASE WHEN delay_until_epoch_ms IS NULL THEN 'ENQUEUED' ELSE 'DELAYED' END;

    INSERT INTO "dbos".workflow_status (
        workflow_uuid, status,
        name, class_name, config_name,
        queue_name, deduplication_id, priority, queue_partition_key,
        application_version,
        created_at, updated_at, recovery_attempts,
        workflow_timeout_ms, workflow_deadline_epoch_ms,
        parent_workflow_id, owner_xid, serialization,
        authenticated_user, authenticated_roles,
        delay_until_epoch_ms, application_name
    ) VALUES (
        v_workflow_id, v_status,
        workflow_name, class_name, config_name,
        queue_name, deduplication_id, v_priority, queue_partition_key,
        app_version,
        v_now, v_now, v_recovery_attempts,
        timeout_ms, deadline_epoch_ms,
        NULL, v_owner_xid, 'portable_json',
        authenticated_user, authenticated_roles,
        delay_until_epoch_ms, application_name
    )
    ON CONFLICT (workflow_uuid)
    DO UPDATE SET
        updated_at = EXCLUDED.updated_at;

    INSERT INTO "dbos".workflow_input (
        workflow_uuid, inputs, retention_timestamp
    ) VALUES (
        v_workflow_id, v_serialized_inputs, v_now
    )
    ON CONFLICT (workflow_uuid) DO NOTHING;

    RETURN v_workflow_id;

EXCEPTION
    WHEN unique_violation THEN
        RAISE EXCEPTION 'DBOS queue duplicated'
            USING DETAIL = format('Workflow %s with queue %s and deduplication ID %s already exists', v_workflow_id, queue_name, deduplication_id),
                ERRCODE = 'unique_violation';
END;
$$;


ALTER FUNCTION dbos.enqueue_workflow(workflow_name text, queue_name text, positional_args json[], named_args json, class_name text, config_name text, workflow_id text, app_version text, timeout_ms bigint, deadline_epoch_ms bigint, deduplication_id text, priority integer, queue_partition_key text, authenticated_user text, authenticated_roles text, delay_until_epoch_ms bigint, application_name text) OWNER TO veridical_dbos;

--
-- Name: notifications_function(); Type: FUNCTION; Schema: dbos; Owner: veridical_dbos
--

CREATE FUNCTION dbos.notifications_function() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    payload text := NEW.destination_uuid || '::' || NEW.topic;
BEGIN
    PERFORM pg_notify('dbos_notifications_channel', payload);
    RETURN NEW;
END;
$$;


ALTER FUNCTION dbos.notifications_function() OWNER TO veridical_dbos;

--
-- Name: send_message(text, json, text, text); Type: FUNCTION; Schema: dbos; Owner: veridical_dbos
--

CREATE FUNCTION dbos.send_message(destination_id text, message json, topic text DEFAULT NULL::text, message_id text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    v_topic TEXT := COALESCE(topic, '__null__topic__');
    v_message_id TEXT := COALESCE(message_id, gen_random_uuid()::TEXT);
BEGIN
    INSERT INTO "dbos".notifications (
        destination_uuid, topic, message, message_uuid, serialization
    ) VALUES (
        destination_id, v_topic, message, v_message_id, 'portable_json'
    )
    ON CONFLICT (message_uuid) DO NOTHING;
EXCEPTION
    WHEN foreign_key_violation THEN
        RAISE EXCEPTION 'DBOS non-existent workflow'
            USING DETAIL = format('Destination workflow %s does not exist', destination_id),
                ERRCODE = 'foreign_key_violation';
END;
$$;


ALTER FUNCTION dbos.send_message(destination_id text, message json, topic text, message_id text) OWNER TO veridical_dbos;

--
-- Name: audit_stays(); Type: FUNCTION; Schema: veridical; Owner: postgres
--

CREATE FUNCTION veridical.audit_stays() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$ BEGIN
        RAISE EXCEPTION 'the audit is only ever added to' USING ERRCODE = '42501';
    END $$;


ALTER FUNCTION veridical.audit_stays() OWNER TO postgres;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: application_versions; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.application_versions (
    version_id text NOT NULL,
    version_name text NOT NULL,
    version_timestamp bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    created_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    application_name text
);


ALTER TABLE dbos.application_versions OWNER TO veridical_dbos;

--
-- Name: dbos_migrations; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.dbos_migrations (
    version bigint NOT NULL
);


ALTER TABLE dbos.dbos_migrations OWNER TO veridical_dbos;

--
-- Name: event_dispatch_kv; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.event_dispatch_kv (
    service_name text NOT NULL,
    workflow_fn_name text NOT NULL,
    key text NOT NULL,
    value text,
    update_seq numeric(38,0),
    update_time numeric(38,15)
);


ALTER TABLE dbos.event_dispatch_kv OWNER TO veridical_dbos;

--
-- Name: notifications; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.notifications (
    message_uuid text DEFAULT gen_random_uuid() NOT NULL,
    destination_uuid text NOT NULL,
    topic text,
    message text NOT NULL,
    created_at_epoch_ms bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    serialization text,
    consumed boolean DEFAULT false NOT NULL,
    consumed_by_function_id integer
);


ALTER TABLE dbos.notifications OWNER TO veridical_dbos;

--
-- Name: operation_outputs; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.operation_outputs (
    workflow_uuid text NOT NULL,
    function_id integer NOT NULL,
    function_name text DEFAULT ''::text NOT NULL,
    output text,
    error text,
    child_workflow_id text,
    started_at_epoch_ms bigint,
    completed_at_epoch_ms bigint,
    serialization text,
    application_name text,
    retention_timestamp bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL
);


ALTER TABLE dbos.operation_outputs OWNER TO veridical_dbos;

--
-- Name: queues; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.queues (
    queue_id text DEFAULT (gen_random_uuid())::text NOT NULL,
    name text NOT NULL,
    concurrency integer,
    worker_concurrency integer,
    rate_limit_max integer,
    rate_limit_period_sec double precision,
    priority_enabled boolean DEFAULT false NOT NULL,
    partition_queue boolean DEFAULT false NOT NULL,
    polling_interval_sec double precision DEFAULT 1.0 NOT NULL,
    created_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    updated_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    application_name text,
    partition_concurrency integer,
    partition_worker_concurrency integer,
    partition_rate_limit_max integer,
    partition_rate_limit_period_sec double precision
);


ALTER TABLE dbos.queues OWNER TO veridical_dbos;

--
-- Name: streams; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.streams (
    workflow_uuid text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    "offset" integer NOT NULL,
    function_id integer DEFAULT 0 NOT NULL,
    serialization text
);


ALTER TABLE dbos.streams OWNER TO veridical_dbos;

--
-- Name: veridical_effects; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.veridical_effects (
    run_id text NOT NULL,
    name text NOT NULL,
    result text NOT NULL
);


ALTER TABLE dbos.veridical_effects OWNER TO veridical_dbos;

--
-- Name: workflow_status; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.workflow_status (
    workflow_uuid text NOT NULL,
    status text,
    name text,
    authenticated_user text,
    assumed_role text,
    authenticated_roles text,
    request text,
    output text,
    error text,
    executor_id text,
    created_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    updated_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    application_version text,
    application_id text,
    class_name character varying(255) DEFAULT NULL::character varying,
    config_name character varying(255) DEFAULT NULL::character varying,
    recovery_attempts bigint DEFAULT 0,
    queue_name text,
    workflow_timeout_ms bigint,
    workflow_deadline_epoch_ms bigint,
    inputs text,
    started_at_epoch_ms bigint,
    deduplication_id text,
    priority integer DEFAULT 0 NOT NULL,
    queue_partition_key text,
    forked_from text,
    owner_xid text,
    parent_workflow_id text,
    serialization text,
    delay_until_epoch_ms bigint,
    was_forked_from boolean DEFAULT false NOT NULL,
    rate_limited boolean DEFAULT false NOT NULL,
    completed_at bigint,
    attributes jsonb,
    schedule_name text,
    debounce_deadline_epoch_ms bigint,
    is_debounced boolean DEFAULT false NOT NULL,
    application_name text,
    creator_xid text
);


ALTER TABLE dbos.workflow_status OWNER TO veridical_dbos;

--
-- Name: veridical_load; Type: VIEW; Schema: dbos; Owner: veridical_dbos
--

CREATE VIEW dbos.veridical_load AS
 SELECT status,
    count(*) AS lives
   FROM dbos.workflow_status
  WHERE ((queue_name = 'runs'::text) AND (status = ANY (ARRAY['ENQUEUED'::text, 'PENDING'::text, 'DELAYED'::text])))
  GROUP BY status;


ALTER VIEW dbos.veridical_load OWNER TO veridical_dbos;

--
-- Name: workflow_events; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.workflow_events (
    workflow_uuid text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    serialization text
);


ALTER TABLE dbos.workflow_events OWNER TO veridical_dbos;

--
-- Name: workflow_events_history; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.workflow_events_history (
    workflow_uuid text NOT NULL,
    function_id integer NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    serialization text
);


ALTER TABLE dbos.workflow_events_history OWNER TO veridical_dbos;

--
-- Name: workflow_input; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.workflow_input (
    workflow_uuid text NOT NULL,
    inputs text,
    retention_timestamp bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL
);


ALTER TABLE dbos.workflow_input OWNER TO veridical_dbos;

--
-- Name: workflow_output; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.workflow_output (
    workflow_uuid text NOT NULL,
    output text,
    error text,
    retention_timestamp bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL
);


ALTER TABLE dbos.workflow_output OWNER TO veridical_dbos;

--
-- Name: workflow_schedules; Type: TABLE; Schema: dbos; Owner: veridical_dbos
--

CREATE TABLE dbos.workflow_schedules (
    schedule_id text NOT NULL,
    schedule_name text NOT NULL,
    workflow_name text NOT NULL,
    workflow_class_name text,
    schedule text NOT NULL,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    context text NOT NULL,
    last_fired_at text,
    automatic_backfill boolean DEFAULT false NOT NULL,
    cron_timezone text,
    queue_name text,
    application_name text
);


ALTER TABLE dbos.workflow_schedules OWNER TO veridical_dbos;

--
-- Name: alembic_version; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.alembic_version (
    version_num character varying(32) NOT NULL
);


ALTER TABLE veridical.alembic_version OWNER TO postgres;

--
-- Name: api_keys; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.api_keys (
    id text NOT NULL,
    tenant text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    actions text[] NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone
);

ALTER TABLE ONLY veridical.api_keys FORCE ROW LEVEL SECURITY;


ALTER TABLE veridical.api_keys OWNER TO postgres;

--
-- Name: audit; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.audit (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    tenant text NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL
);

ALTER TABLE ONLY veridical.audit FORCE ROW LEVEL SECURITY;


ALTER TABLE veridical.audit OWNER TO postgres;

--
-- Name: audit_id_seq; Type: SEQUENCE; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME veridical.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: decisions; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.decisions (
    item text NOT NULL,
    tenant text NOT NULL,
    decision jsonb NOT NULL,
    decided_by text NOT NULL,
    automatic boolean NOT NULL,
    decided_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY veridical.decisions FORCE ROW LEVEL SECURITY;


ALTER TABLE veridical.decisions OWNER TO postgres;

--
-- Name: events; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.events (
    trace_id text NOT NULL,
    sequence integer NOT NULL,
    kind text NOT NULL,
    event jsonb NOT NULL
);

ALTER TABLE ONLY veridical.events FORCE ROW LEVEL SECURITY;


ALTER TABLE veridical.events OWNER TO postgres;

--
-- Name: false_blocks; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.false_blocks (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    tenant text NOT NULL,
    reported_by text NOT NULL,
    proof text NOT NULL,
    codes text[] NOT NULL,
    language text NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    claims jsonb
);

ALTER TABLE ONLY veridical.false_blocks FORCE ROW LEVEL SECURITY;


ALTER TABLE veridical.false_blocks OWNER TO postgres;

--
-- Name: false_blocks_id_seq; Type: SEQUENCE; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.false_blocks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME veridical.false_blocks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: inbox; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.inbox (
    id text NOT NULL,
    tenant text NOT NULL,
    run_id text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    subject jsonb NOT NULL,
    evidence_hash text NOT NULL,
    reversible boolean NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    warn_at timestamp with time zone NOT NULL,
    warned_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY veridical.inbox FORCE ROW LEVEL SECURITY;


ALTER TABLE veridical.inbox OWNER TO postgres;

--
-- Name: run_requests; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.run_requests (
    run_id text NOT NULL,
    tenant text NOT NULL,
    asked_by text NOT NULL,
    request jsonb NOT NULL,
    idempotency_key text,
    status text DEFAULT 'queued'::text NOT NULL,
    workflow_id text NOT NULL,
    answer jsonb,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone
);

ALTER TABLE ONLY veridical.run_requests FORCE ROW LEVEL SECURITY;


ALTER TABLE veridical.run_requests OWNER TO postgres;

--
-- Name: runs; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.runs (
    trace_id text NOT NULL,
    tenant text DEFAULT ''::text NOT NULL,
    caller text DEFAULT ''::text NOT NULL,
    started_at timestamp with time zone,
    outcome text
);

ALTER TABLE ONLY veridical.runs FORCE ROW LEVEL SECURITY;


ALTER TABLE veridical.runs OWNER TO postgres;

--
-- Name: tenants; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.tenants (
    id text NOT NULL,
    name text NOT NULL,
    scope jsonb NOT NULL,
    limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    disabled_at timestamp with time zone
);

ALTER TABLE ONLY veridical.tenants FORCE ROW LEVEL SECURITY;


ALTER TABLE veridical.tenants OWNER TO postgres;

--
-- Name: workers; Type: TABLE; Schema: veridical; Owner: postgres
--

CREATE TABLE veridical.workers (
    executor_id text NOT NULL,
    version text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL
);


ALTER TABLE veridical.workers OWNER TO postgres;

--
-- Data for Name: application_versions; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.application_versions (version_id, version_name, version_timestamp, created_at, application_name) FROM stdin;
7390758a-eb57-4d59-a51b-735dc59630c2	lives-1	1795098748104	1795098748104	veridical
\.


--
-- Data for Name: dbos_migrations; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.dbos_migrations (version) FROM stdin;
123
\.


--
-- Data for Name: event_dispatch_kv; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.event_dispatch_kv (service_name, workflow_fn_name, key, value, update_seq, update_time) FROM stdin;
\.


--
-- Data for Name: notifications; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.notifications (message_uuid, destination_uuid, topic, message, created_at_epoch_ms, serialization, consumed, consumed_by_function_id) FROM stdin;
\.


--
-- Data for Name: operation_outputs; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.operation_outputs (workflow_uuid, function_id, function_name, output, error, child_workflow_id, started_at_epoch_ms, completed_at_epoch_ms, serialization, application_name, retention_timestamp) FROM stdin;
107275cf-2904-4ede-829c-4863a67de995	1	open	{"traceId":"107275cf-2904-4ede-829c-4863a67de995","at":1795098755.815542,"today":"2026-11-19"}	\N	\N	1795098755799	1795098755815	veridical_json	veridical	1795098755817
107275cf-2904-4ede-829c-4863a67de995	2	pattern:ACCOUNT_BALANCE_AT_YEAR_END	{"at":1795098755.8283353,"elapsedMs":5.916,"arguments":{"tableName":"TrusteeDataAccountBalance","fields":["accountNumber","closingBalance","currency"],"filters":[{"field":"accountNumber","op":"=","value":"1020"},{"field":"periodYear","op":"=","value":2024},{"field":"periodMonth","op":"=","value":0}]},"result":{"success":true,"data":{"columns":["accountNumber","closingBalance","currency"],"rows":[["1020",1104822.67,"CHF"]]},"error":null,"errorDetails":null,"warnings":[],"receipt":{"callId":"d5e0b998-21ce-440a-bff8-8e5d31baab3b","queryHash":"ee364657f1925eda86ac8e6491524ba3369a8efae4d9c96b040bd3d48282693f","ontologyHash":"5e44d8e3093bc5b3","sql":"SELECT \\"TrusteeDataAccountBalance\\".\\"accountNumber\\", \\"TrusteeDataAccountBalance\\".\\"closingBalance\\", \\"TrusteeDataAccountBalance\\".\\"currency\\" FROM (SELECT \\"mandateId\\", \\"featureInstanceId\\", \\"accountNumber\\", \\"periodYear\\", \\"periodMonth\\", \\"openingBalance\\", \\"debitTotal\\", \\"creditTotal\\", \\"closingBalance\\", \\"currency\\" FROM \\"public\\".\\"TrusteeDataAccountBalance\\" WHERE \\"featureInstanceId\\" = $4 AND \\"mandateId\\" = $5) AS \\"TrusteeDataAccountBalance\\" WHERE \\"TrusteeDataAccountBalance\\".\\"accountNumber\\" = $1 AND \\"TrusteeDataAccountBalance\\".\\"periodYear\\" = $2 AND \\"TrusteeDataAccountBalance\\".\\"periodMonth\\" = $3 LIMIT 101","rowCount":1,"truncated":false,"emptiness":null,"timeRange":[{"field":"TrusteeDataAccountBalance.periodYear","start":"2024","end":"2024","endExcluded":false},{"field":"TrusteeDataAccountBalance.periodMonth","start":"0","end":"0","endExcluded":false}],"elapsedMs":4.818,"held":{"accountNumber":"1020","periodYear":2024,"periodMonth":0},"lineage":null},"ranAs":null,"answer":null}}	\N	\N	1795098755824	1795098755834	veridical_json	veridical	1795098755836
107275cf-2904-4ede-829c-4863a67de995	3	ask:evidence.1:ff4b010cae5d	{"waitingFor":"4d0cded846f1a113d5120027905859ff","seconds":86400.0}	\N	\N	1795098755840	1795098755871	veridical_json	veridical	1795098755872
107275cf-2904-4ede-829c-4863a67de995~1	1	ask:evidence.1:ff4b010cae5d	{"approved":true,"choice":{},"decidedBy":"chief","automatic":false,"evidenceHash":"ff4b010cae5dccf839f035e3f8ad334d19562fd236c52082462c721f792abf38","at":1795098756.360655}	\N	\N	1795098756521	1795098756529	veridical_json	veridical	1795098756530
107275cf-2904-4ede-829c-4863a67de995~1	2	gate.1	{"proof":{"verdict":"pass","claims":[{"kind":"identifier","text":"1020","start":16,"end":20,"standing":"grounded","binding":{"ground":"question","source":null,"row":null,"rowKey":"","column":"","value":null,"unit":"","period":"","derivation":"","coincidence":null},"nearest":null},{"kind":"date","text":"31.12.2024","start":25,"end":35,"standing":"grounded","binding":{"ground":"question","source":null,"row":null,"rowKey":"","column":"","value":null,"unit":"","period":"","derivation":"","coincidence":null},"nearest":null},{"kind":"amount","text":"1'104'822.67 CHF","start":52,"end":68,"standing":"grounded","binding":{"ground":"cell","source":0,"row":0,"rowKey":"1020 / CHF","column":"closingBalance","value":1104822.67,"unit":"CHF","period":"","derivation":"","coincidence":1.111111111111111e-09},"nearest":null}],"findings":[],"coincidence":0.0},"quality":null}	\N	\N	1795098756533	1795098756562	veridical_json	veridical	1795098756563
107275cf-2904-4ede-829c-4863a67de995~1	3	close	{"at":1795098756.5688865}	\N	\N	1795098756566	1795098756569	veridical_json	veridical	1795098756570
6dd8e738-b515-4630-95b4-ed1eb59453f8	1	open	{"traceId":"6dd8e738-b515-4630-95b4-ed1eb59453f8","at":1795098757.21157,"today":"2026-11-19"}	\N	\N	1795098757209	1795098757211	veridical_json	veridical	1795098757212
6dd8e738-b515-4630-95b4-ed1eb59453f8	2	pattern:ACCOUNT_BALANCE_AT_YEAR_END	{"at":1795098757.2182329,"elapsedMs":2.799,"arguments":{"tableName":"TrusteeDataAccountBalance","fields":["accountNumber","closingBalance","currency"],"filters":[{"field":"accountNumber","op":"=","value":"1020"},{"field":"periodYear","op":"=","value":2023},{"field":"periodMonth","op":"=","value":0}]},"result":{"success":true,"data":{"columns":["accountNumber","closingBalance","currency"],"rows":[["1020",889227.97,"CHF"]]},"error":null,"errorDetails":null,"warnings":[],"receipt":{"callId":"5984eef1-b3e0-49ee-88f5-d4068b0a1c47","queryHash":"0a11bb184eb6fb655ab65a833fc2694d87d0926fb00f7f4f70a8e69d72cbb7c2","ontologyHash":"5e44d8e3093bc5b3","sql":"SELECT \\"TrusteeDataAccountBalance\\".\\"accountNumber\\", \\"TrusteeDataAccountBalance\\".\\"closingBalance\\", \\"TrusteeDataAccountBalance\\".\\"currency\\" FROM (SELECT \\"mandateId\\", \\"featureInstanceId\\", \\"accountNumber\\", \\"periodYear\\", \\"periodMonth\\", \\"openingBalance\\", \\"debitTotal\\", \\"creditTotal\\", \\"closingBalance\\", \\"currency\\" FROM \\"public\\".\\"TrusteeDataAccountBalance\\" WHERE \\"featureInstanceId\\" = $4 AND \\"mandateId\\" = $5) AS \\"TrusteeDataAccountBalance\\" WHERE \\"TrusteeDataAccountBalance\\".\\"accountNumber\\" = $1 AND \\"TrusteeDataAccountBalance\\".\\"periodYear\\" = $2 AND \\"TrusteeDataAccountBalance\\".\\"periodMonth\\" = $3 LIMIT 101","rowCount":1,"truncated":false,"emptiness":null,"timeRange":[{"field":"TrusteeDataAccountBalance.periodYear","start":"2023","end":"2023","endExcluded":false},{"field":"TrusteeDataAccountBalance.periodMonth","start":"0","end":"0","endExcluded":false}],"elapsedMs":1.976,"held":{"accountNumber":"1020","periodYear":2023,"periodMonth":0},"lineage":null},"ranAs":null,"answer":null}}	\N	\N	1795098757215	1795098757221	veridical_json	veridical	1795098757222
6dd8e738-b515-4630-95b4-ed1eb59453f8	3	ask:evidence.1:97400cb5b8ea	{"waitingFor":"455cd4cce632d42df2564fb30e5870e3","seconds":86400.0}	\N	\N	1795098757225	1795098757237	veridical_json	veridical	1795098757238
\.


--
-- Data for Name: queues; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.queues (queue_id, name, concurrency, worker_concurrency, rate_limit_max, rate_limit_period_sec, priority_enabled, partition_queue, polling_interval_sec, created_at, updated_at, application_name, partition_concurrency, partition_worker_concurrency, partition_rate_limit_max, partition_rate_limit_period_sec) FROM stdin;
e94e96f1-f387-4177-95a9-2fa028a5f037	runs	\N	16	\N	\N	t	t	0.2	1795098748070	1795098748037	veridical	8	\N	\N	\N
\.


--
-- Data for Name: streams; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.streams (workflow_uuid, key, value, "offset", function_id, serialization) FROM stdin;
\.


--
-- Data for Name: veridical_effects; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.veridical_effects (run_id, name, result) FROM stdin;
\.


--
-- Data for Name: workflow_events; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.workflow_events (workflow_uuid, key, value, serialization) FROM stdin;
\.


--
-- Data for Name: workflow_events_history; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.workflow_events_history (workflow_uuid, function_id, key, value, serialization) FROM stdin;
\.


--
-- Data for Name: workflow_input; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.workflow_input (workflow_uuid, inputs, retention_timestamp) FROM stdin;
107275cf-2904-4ede-829c-4863a67de995	{"args":[{"runId":"107275cf-2904-4ede-829c-4863a67de995","number":0,"tenant":"sample","askedBy":"month-end report","request":{"feature":"trustee","question":{"text":"Wie hoch war der Saldo von Konto 1020 Ende 2024?","feature":"trustee","language":null,"thread":[]},"caller":{"allowed":{"mandateId":["m-001"],"featureInstanceId":["m-001-a"]},"shared":["TrusteeDataCurrency","TrusteeDataExchangeRate","TrusteeDataVatCode"],"allow":["*"],"deny":[],"language":"de","name":"month-end report"},"approvals":{"evidence":true,"clarify":false,"calls":[]}}}],"kwargs":{}}	1795098755624
107275cf-2904-4ede-829c-4863a67de995~1	{"args":[{"runId":"107275cf-2904-4ede-829c-4863a67de995","number":1,"tenant":"sample","askedBy":"month-end report","request":{"feature":"trustee","question":{"text":"Wie hoch war der Saldo von Konto 1020 Ende 2024?","feature":"trustee","language":null,"thread":[]},"caller":{"allowed":{"mandateId":["m-001"],"featureInstanceId":["m-001-a"]},"shared":["TrusteeDataCurrency","TrusteeDataExchangeRate","TrusteeDataVatCode"],"allow":["*"],"deny":[],"language":"de","name":"month-end report"},"approvals":{"evidence":true,"clarify":false,"calls":[]}}}],"kwargs":{}}	1795098755898
6dd8e738-b515-4630-95b4-ed1eb59453f8	{"args":[{"runId":"6dd8e738-b515-4630-95b4-ed1eb59453f8","number":0,"tenant":"sample","askedBy":"month-end report","request":{"feature":"trustee","question":{"text":"What was the balance of account 1020 at the end of 2023?","feature":"trustee","language":null,"thread":[]},"caller":{"allowed":{"mandateId":["m-001"],"featureInstanceId":["m-001-a"]},"shared":["TrusteeDataCurrency","TrusteeDataExchangeRate","TrusteeDataVatCode"],"allow":["*"],"deny":[],"language":"en","name":"month-end report"},"approvals":{"evidence":true,"clarify":false,"calls":[]}}}],"kwargs":{}}	1795098756980
6dd8e738-b515-4630-95b4-ed1eb59453f8~1	{"args":[{"runId":"6dd8e738-b515-4630-95b4-ed1eb59453f8","number":1,"tenant":"sample","askedBy":"month-end report","request":{"feature":"trustee","question":{"text":"What was the balance of account 1020 at the end of 2023?","feature":"trustee","language":null,"thread":[]},"caller":{"allowed":{"mandateId":["m-001"],"featureInstanceId":["m-001-a"]},"shared":["TrusteeDataCurrency","TrusteeDataExchangeRate","TrusteeDataVatCode"],"allow":["*"],"deny":[],"language":"en","name":"month-end report"},"approvals":{"evidence":true,"clarify":false,"calls":[]}}}],"kwargs":{}}	1795098757254
\.


--
-- Data for Name: workflow_output; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.workflow_output (workflow_uuid, output, error, retention_timestamp) FROM stdin;
107275cf-2904-4ede-829c-4863a67de995	"waiting"	\N	1795098755921
107275cf-2904-4ede-829c-4863a67de995~1	"done"	\N	1795098756600
6dd8e738-b515-4630-95b4-ed1eb59453f8	"waiting"	\N	1795098757270
\.


--
-- Data for Name: workflow_schedules; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.workflow_schedules (schedule_id, schedule_name, workflow_name, workflow_class_name, schedule, status, context, last_fired_at, automatic_backfill, cron_timezone, queue_name, application_name) FROM stdin;
\.


--
-- Data for Name: workflow_status; Type: TABLE DATA; Schema: dbos; Owner: veridical_dbos
--

COPY dbos.workflow_status (workflow_uuid, status, name, authenticated_user, assumed_role, authenticated_roles, request, output, error, executor_id, created_at, updated_at, application_version, application_id, class_name, config_name, recovery_attempts, queue_name, workflow_timeout_ms, workflow_deadline_epoch_ms, inputs, started_at_epoch_ms, deduplication_id, priority, queue_partition_key, forked_from, owner_xid, parent_workflow_id, serialization, delay_until_epoch_ms, was_forked_from, rate_limited, completed_at, attributes, schedule_name, debounce_deadline_epoch_ms, is_debounced, application_name, creator_xid) FROM stdin;
107275cf-2904-4ede-829c-4863a67de995	SUCCESS	veridical.answer	\N	\N	\N	\N	\N	\N	c473f1a1-0c7d-4fd8-8527-ce199c4ec5bd	1795098755624	1795098755921	lives-1	\N	\N	\N	1	runs	\N	\N	\N	1795098755707	\N	0	sample	\N	\N	\N	veridical_json	\N	f	f	1795098755921	null	\N	\N	f	veridical	cbb207cd-5a6b-455d-a9c8-ac1a2be72007
107275cf-2904-4ede-829c-4863a67de995~1	SUCCESS	veridical.answer	\N	\N	\N	\N	\N	\N	c473f1a1-0c7d-4fd8-8527-ce199c4ec5bd	1795098755898	1795098756600	lives-1	\N	\N	\N	1	runs	\N	\N	\N	1795098756480	\N	0	sample	\N	\N	\N	veridical_json	1795185155846	f	f	1795098756600	null	\N	\N	f	veridical	990b8739-7026-4793-87c8-12fe0ae31848
6dd8e738-b515-4630-95b4-ed1eb59453f8~1	DELAYED	veridical.answer	\N	\N	\N	\N	\N	\N	\N	1795098757254	1795098757254	\N	\N	\N	\N	0	runs	\N	\N	\N	\N	\N	0	sample	\N	\N	\N	veridical_json	1795185157228	f	f	\N	null	\N	\N	f	veridical	bc59cc4f-b980-4c62-b142-d56a7edcb6d8
6dd8e738-b515-4630-95b4-ed1eb59453f8	SUCCESS	veridical.answer	\N	\N	\N	\N	\N	\N	c473f1a1-0c7d-4fd8-8527-ce199c4ec5bd	1795098756980	1795098757270	lives-1	\N	\N	\N	1	runs	\N	\N	\N	1795098757167	\N	0	sample	\N	\N	\N	veridical_json	\N	f	f	1795098757270	null	\N	\N	f	veridical	09e47c56-0a26-452e-a20a-19e3e4cf1bd7
\.


--
-- Data for Name: alembic_version; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.alembic_version (version_num) FROM stdin;
0004
\.


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.api_keys (id, tenant, name, role, actions, digest, created_at, expires_at, revoked_at) FROM stdin;
a44871749adb1799	sample	veridical serve --sample	admin	{admin,ask,decide,read}	\\x28b1b719e7e42e89bba0ac042c1e1de20747cf8b5c1ef83a5d84d280182485f5	2026-11-19 14:32:02.654771+00	\N	\N
c1709539103425c9	sample	month-end report	admin	{admin,ask,decide,read}	\\xba17dc21f8eda131d6b5b901ffb999e54d97e80578d4752fe0c6babe98491051	2026-11-19 14:32:30.00935+00	\N	\N
a7832f8919ba34f2	sample	chief	approver	{ask,decide,read}	\\x19b7e6445fa489248acf739a27014c04ee1f90ee288647c99553a6456d658a1d	2026-11-19 14:32:34.672475+00	\N	\N
\.


--
-- Data for Name: audit; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.audit (id, at, tenant, actor, action, subject, detail) FROM stdin;
1	2026-11-19 14:32:02.633296+00	sample	veridical serve --sample	tenant.created	sample	{"scope": {"trustee": {"mandateId": ["m-001"], "featureInstanceId": ["m-001-a"]}}, "limits": {}}
2	2026-11-19 14:32:02.654771+00	sample	veridical serve --sample	key.created	a44871749adb1799	{"name": "veridical serve --sample", "role": "admin", "actions": ["admin", "ask", "decide", "read"]}
3	2026-11-19 14:32:20.399575+00	sample	operator root	tenant.changed	sample	{"limits": {"perMinute": 300}}
4	2026-11-19 14:32:30.00935+00	sample	operator root	key.created	c1709539103425c9	{"name": "month-end report", "role": "admin", "actions": ["admin", "ask", "decide", "read"]}
5	2026-11-19 14:32:34.672475+00	sample	operator root	key.created	a7832f8919ba34f2	{"name": "chief", "role": "approver", "actions": ["ask", "decide", "read"]}
6	2026-11-19 14:32:35.62353+00	sample	month-end report	run.started	107275cf-2904-4ede-829c-4863a67de995	{"keyId": "c1709539103425c9", "feature": "trustee"}
7	2026-11-19 14:32:36.360655+00	sample	chief	inbox.decided	4d0cded846f1a113d5120027905859ff	{"kind": "evidence", "keyId": "a7832f8919ba34f2", "runId": "107275cf-2904-4ede-829c-4863a67de995", "approved": true, "automatic": false, "evidenceHash": "ff4b010cae5dccf839f035e3f8ad334d19562fd236c52082462c721f792abf38"}
8	2026-11-19 14:32:36.980365+00	sample	month-end report	run.started	6dd8e738-b515-4630-95b4-ed1eb59453f8	{"keyId": "c1709539103425c9", "feature": "trustee"}
\.


--
-- Data for Name: decisions; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.decisions (item, tenant, decision, decided_by, automatic, decided_at) FROM stdin;
4d0cded846f1a113d5120027905859ff	sample	{"at": 1795098756.360655, "choice": {}, "approved": true, "automatic": false, "decidedBy": "chief", "evidenceHash": "ff4b010cae5dccf839f035e3f8ad334d19562fd236c52082462c721f792abf38"}	chief	f	2026-11-19 14:32:36.360655+00
\.


--
-- Data for Name: events; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.events (trace_id, sequence, kind, event) FROM stdin;
107275cf-2904-4ede-829c-4863a67de995	0	runStarted	{"at": 1795098755.815542, "kind": "runStarted", "model": "", "caller": "month-end report", "tenant": "sample", "question": {"text": "Wie hoch war der Saldo von Konto 1020 Ende 2024?", "thread": [], "feature": "trustee", "language": null}, "ontologyHash": "5e44d8e3093bc5b3"}
107275cf-2904-4ede-829c-4863a67de995	1	routed	{"at": 1795098755.815542, "kind": "routed", "route": "pattern", "skill": null, "slots": {"year": 2024, "account": "1020"}, "intent": "ACCOUNT_BALANCE_AT_YEAR_END", "reason": "matched"}
107275cf-2904-4ede-829c-4863a67de995	2	toolCalled	{"at": 1795098755.8283353, "kind": "toolCalled", "tool": "queryTable", "ranAs": null, "round": 0, "receipt": {"sql": "SELECT \\"TrusteeDataAccountBalance\\".\\"accountNumber\\", \\"TrusteeDataAccountBalance\\".\\"closingBalance\\", \\"TrusteeDataAccountBalance\\".\\"currency\\" FROM (SELECT \\"mandateId\\", \\"featureInstanceId\\", \\"accountNumber\\", \\"periodYear\\", \\"periodMonth\\", \\"openingBalance\\", \\"debitTotal\\", \\"creditTotal\\", \\"closingBalance\\", \\"currency\\" FROM \\"public\\".\\"TrusteeDataAccountBalance\\" WHERE \\"featureInstanceId\\" = $4 AND \\"mandateId\\" = $5) AS \\"TrusteeDataAccountBalance\\" WHERE \\"TrusteeDataAccountBalance\\".\\"accountNumber\\" = $1 AND \\"TrusteeDataAccountBalance\\".\\"periodYear\\" = $2 AND \\"TrusteeDataAccountBalance\\".\\"periodMonth\\" = $3 LIMIT 101", "held": {"periodYear": 2024, "periodMonth": 0, "accountNumber": "1020"}, "callId": "d5e0b998-21ce-440a-bff8-8e5d31baab3b", "lineage": null, "rowCount": 1, "elapsedMs": 4.818, "emptiness": null, "queryHash": "ee364657f1925eda86ac8e6491524ba3369a8efae4d9c96b040bd3d48282693f", "timeRange": [{"end": "2024", "field": "TrusteeDataAccountBalance.periodYear", "start": "2024", "endExcluded": false}, {"end": "0", "field": "TrusteeDataAccountBalance.periodMonth", "start": "0", "endExcluded": false}], "truncated": false, "ontologyHash": "5e44d8e3093bc5b3"}, "success": true, "arguments": {"fields": ["accountNumber", "closingBalance", "currency"], "filters": [{"op": "=", "field": "accountNumber", "value": "1020"}, {"op": "=", "field": "periodYear", "value": 2024}, {"op": "=", "field": "periodMonth", "value": 0}], "tableName": "TrusteeDataAccountBalance"}, "elapsedMs": 5.916, "errorDetails": null, "evidenceHash": null, "validationFailureCode": null}
107275cf-2904-4ede-829c-4863a67de995	3	personAsked	{"at": 1795098755.815542, "kind": "personAsked", "name": "evidence.1", "about": "evidence", "reversible": true, "evidenceHash": "ff4b010cae5dccf839f035e3f8ad334d19562fd236c52082462c721f792abf38"}
107275cf-2904-4ede-829c-4863a67de995	4	personDecided	{"at": 1795098756.360655, "kind": "personDecided", "name": "evidence.1", "about": "evidence", "decision": {"at": 1795098756.360655, "choice": {}, "approved": true, "automatic": false, "decidedBy": "chief", "evidenceHash": "ff4b010cae5dccf839f035e3f8ad334d19562fd236c52082462c721f792abf38"}}
107275cf-2904-4ede-829c-4863a67de995	5	gated	{"at": 1795098755.815542, "kind": "gated", "text": "Saldo von Konto 1020 per 31.12.2024 (Soll positiv): 1'104'822.67 CHF", "attempt": 1, "quality": null, "verdict": "pass", "findings": []}
107275cf-2904-4ede-829c-4863a67de995	6	answered	{"at": 1795098756.5688865, "kind": "answered", "answer": {"hitl": {"consulted": [{"name": "evidence.1", "about": "evidence", "decision": {"at": 1795098756.360655, "choice": {}, "approved": true, "automatic": false, "decidedBy": "chief", "evidenceHash": "ff4b010cae5dccf839f035e3f8ad334d19562fd236c52082462c721f792abf38"}}], "autoApproved": false}, "kind": "pattern", "text": "Saldo von Konto 1020 per 31.12.2024 (Soll positiv): 1'104'822.67 CHF", "proof": {"claims": [{"end": 20, "kind": "identifier", "text": "1020", "start": 16, "binding": {"row": null, "unit": "", "value": null, "column": "", "ground": "question", "period": "", "rowKey": "", "source": null, "derivation": "", "coincidence": null}, "nearest": null, "standing": "grounded"}, {"end": 35, "kind": "date", "text": "31.12.2024", "start": 25, "binding": {"row": null, "unit": "", "value": null, "column": "", "ground": "question", "period": "", "rowKey": "", "source": null, "derivation": "", "coincidence": null}, "nearest": null, "standing": "grounded"}, {"end": 68, "kind": "amount", "text": "1'104'822.67 CHF", "start": 52, "binding": {"row": 0, "unit": "CHF", "value": 1104822.67, "column": "closingBalance", "ground": "cell", "period": "", "rowKey": "1020 / CHF", "source": 0, "derivation": "", "coincidence": 0.000000001111111111111111}, "nearest": null, "standing": "grounded"}], "verdict": "pass", "findings": [], "coincidence": 0.0}, "usage": {"cost": null, "rounds": 0, "elapsedMs": 753.345, "toolCalls": 1, "modelCalls": 0, "inputTokens": 0, "outputTokens": 0}, "quality": null, "sources": [{"rows": [["1020", 1104822.67, "CHF"]], "tool": "queryTable", "columns": ["accountNumber", "closingBalance", "currency"], "receipt": {"sql": "SELECT \\"TrusteeDataAccountBalance\\".\\"accountNumber\\", \\"TrusteeDataAccountBalance\\".\\"closingBalance\\", \\"TrusteeDataAccountBalance\\".\\"currency\\" FROM (SELECT \\"mandateId\\", \\"featureInstanceId\\", \\"accountNumber\\", \\"periodYear\\", \\"periodMonth\\", \\"openingBalance\\", \\"debitTotal\\", \\"creditTotal\\", \\"closingBalance\\", \\"currency\\" FROM \\"public\\".\\"TrusteeDataAccountBalance\\" WHERE \\"featureInstanceId\\" = $4 AND \\"mandateId\\" = $5) AS \\"TrusteeDataAccountBalance\\" WHERE \\"TrusteeDataAccountBalance\\".\\"accountNumber\\" = $1 AND \\"TrusteeDataAccountBalance\\".\\"periodYear\\" = $2 AND \\"TrusteeDataAccountBalance\\".\\"periodMonth\\" = $3 LIMIT 101", "held": {"periodYear": 2024, "periodMonth": 0, "accountNumber": "1020"}, "callId": "d5e0b998-21ce-440a-bff8-8e5d31baab3b", "lineage": null, "rowCount": 1, "elapsedMs": 4.818, "emptiness": null, "queryHash": "ee364657f1925eda86ac8e6491524ba3369a8efae4d9c96b040bd3d48282693f", "timeRange": [{"end": "2024", "field": "TrusteeDataAccountBalance.periodYear", "start": "2024", "endExcluded": false}, {"end": "0", "field": "TrusteeDataAccountBalance.periodMonth", "start": "0", "endExcluded": false}], "truncated": false, "ontologyHash": "5e44d8e3093bc5b3"}, "arguments": {"fields": ["accountNumber", "closingBalance", "currency"], "filters": [{"op": "=", "field": "accountNumber", "value": "1020"}, {"op": "=", "field": "periodYear", "value": 2024}, {"op": "=", "field": "periodMonth", "value": 0}], "tableName": "TrusteeDataAccountBalance"}}], "traceId": "107275cf-2904-4ede-829c-4863a67de995", "language": "de", "suggestedAnswers": []}}
6dd8e738-b515-4630-95b4-ed1eb59453f8	0	runStarted	{"at": 1795098757.21157, "kind": "runStarted", "model": "", "caller": "month-end report", "tenant": "sample", "question": {"text": "What was the balance of account 1020 at the end of 2023?", "thread": [], "feature": "trustee", "language": null}, "ontologyHash": "5e44d8e3093bc5b3"}
6dd8e738-b515-4630-95b4-ed1eb59453f8	1	routed	{"at": 1795098757.21157, "kind": "routed", "route": "pattern", "skill": null, "slots": {"year": 2023, "account": "1020"}, "intent": "ACCOUNT_BALANCE_AT_YEAR_END", "reason": "matched"}
6dd8e738-b515-4630-95b4-ed1eb59453f8	2	toolCalled	{"at": 1795098757.2182329, "kind": "toolCalled", "tool": "queryTable", "ranAs": null, "round": 0, "receipt": {"sql": "SELECT \\"TrusteeDataAccountBalance\\".\\"accountNumber\\", \\"TrusteeDataAccountBalance\\".\\"closingBalance\\", \\"TrusteeDataAccountBalance\\".\\"currency\\" FROM (SELECT \\"mandateId\\", \\"featureInstanceId\\", \\"accountNumber\\", \\"periodYear\\", \\"periodMonth\\", \\"openingBalance\\", \\"debitTotal\\", \\"creditTotal\\", \\"closingBalance\\", \\"currency\\" FROM \\"public\\".\\"TrusteeDataAccountBalance\\" WHERE \\"featureInstanceId\\" = $4 AND \\"mandateId\\" = $5) AS \\"TrusteeDataAccountBalance\\" WHERE \\"TrusteeDataAccountBalance\\".\\"accountNumber\\" = $1 AND \\"TrusteeDataAccountBalance\\".\\"periodYear\\" = $2 AND \\"TrusteeDataAccountBalance\\".\\"periodMonth\\" = $3 LIMIT 101", "held": {"periodYear": 2023, "periodMonth": 0, "accountNumber": "1020"}, "callId": "5984eef1-b3e0-49ee-88f5-d4068b0a1c47", "lineage": null, "rowCount": 1, "elapsedMs": 1.976, "emptiness": null, "queryHash": "0a11bb184eb6fb655ab65a833fc2694d87d0926fb00f7f4f70a8e69d72cbb7c2", "timeRange": [{"end": "2023", "field": "TrusteeDataAccountBalance.periodYear", "start": "2023", "endExcluded": false}, {"end": "0", "field": "TrusteeDataAccountBalance.periodMonth", "start": "0", "endExcluded": false}], "truncated": false, "ontologyHash": "5e44d8e3093bc5b3"}, "success": true, "arguments": {"fields": ["accountNumber", "closingBalance", "currency"], "filters": [{"op": "=", "field": "accountNumber", "value": "1020"}, {"op": "=", "field": "periodYear", "value": 2023}, {"op": "=", "field": "periodMonth", "value": 0}], "tableName": "TrusteeDataAccountBalance"}, "elapsedMs": 2.799, "errorDetails": null, "evidenceHash": null, "validationFailureCode": null}
6dd8e738-b515-4630-95b4-ed1eb59453f8	3	personAsked	{"at": 1795098757.21157, "kind": "personAsked", "name": "evidence.1", "about": "evidence", "reversible": true, "evidenceHash": "97400cb5b8eaa1d9dc53cf50f9764bee7964e556d30a195ef0dba3c42c2cfacf"}
\.


--
-- Data for Name: false_blocks; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.false_blocks (id, at, tenant, reported_by, proof, codes, language, note, claims) FROM stdin;
\.


--
-- Data for Name: inbox; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.inbox (id, tenant, run_id, name, kind, subject, evidence_hash, reversible, asked_at, warn_at, warned_at, expires_at) FROM stdin;
4d0cded846f1a113d5120027905859ff	sample	107275cf-2904-4ede-829c-4863a67de995	evidence.1	evidence	{"results": [{"rows": [["1020", 1104822.67, "CHF"]], "tool": "queryTable", "columns": ["accountNumber", "closingBalance", "currency"], "receipt": {"sql": "SELECT \\"TrusteeDataAccountBalance\\".\\"accountNumber\\", \\"TrusteeDataAccountBalance\\".\\"closingBalance\\", \\"TrusteeDataAccountBalance\\".\\"currency\\" FROM (SELECT \\"mandateId\\", \\"featureInstanceId\\", \\"accountNumber\\", \\"periodYear\\", \\"periodMonth\\", \\"openingBalance\\", \\"debitTotal\\", \\"creditTotal\\", \\"closingBalance\\", \\"currency\\" FROM \\"public\\".\\"TrusteeDataAccountBalance\\" WHERE \\"featureInstanceId\\" = $4 AND \\"mandateId\\" = $5) AS \\"TrusteeDataAccountBalance\\" WHERE \\"TrusteeDataAccountBalance\\".\\"accountNumber\\" = $1 AND \\"TrusteeDataAccountBalance\\".\\"periodYear\\" = $2 AND \\"TrusteeDataAccountBalance\\".\\"periodMonth\\" = $3 LIMIT 101", "held": {"periodYear": 2024, "periodMonth": 0, "accountNumber": "1020"}, "callId": "d5e0b998-21ce-440a-bff8-8e5d31baab3b", "lineage": null, "rowCount": 1, "emptiness": null, "queryHash": "ee364657f1925eda86ac8e6491524ba3369a8efae4d9c96b040bd3d48282693f", "timeRange": [{"end": "2024", "field": "TrusteeDataAccountBalance.periodYear", "start": "2024", "endExcluded": false}, {"end": "0", "field": "TrusteeDataAccountBalance.periodMonth", "start": "0", "endExcluded": false}], "truncated": false, "ontologyHash": "5e44d8e3093bc5b3"}, "rowsHash": "33bf4f607fe5b85ef9861ab2a7b06eaff9ede53552701f1de2b0daa9e04f18ef", "arguments": {"fields": ["accountNumber", "closingBalance", "currency"], "filters": [{"op": "=", "field": "accountNumber", "value": "1020"}, {"op": "=", "field": "periodYear", "value": 2024}, {"op": "=", "field": "periodMonth", "value": 0}], "tableName": "TrusteeDataAccountBalance"}}], "question": "Wie hoch war der Saldo von Konto 1020 Ende 2024?"}	ff4b010cae5dccf839f035e3f8ad334d19562fd236c52082462c721f792abf38	t	2026-11-19 14:32:35.84619+00	2026-11-20 12:32:35.84619+00	\N	2026-11-20 14:32:35.84619+00
455cd4cce632d42df2564fb30e5870e3	sample	6dd8e738-b515-4630-95b4-ed1eb59453f8	evidence.1	evidence	{"results": [{"rows": [["1020", 889227.97, "CHF"]], "tool": "queryTable", "columns": ["accountNumber", "closingBalance", "currency"], "receipt": {"sql": "SELECT \\"TrusteeDataAccountBalance\\".\\"accountNumber\\", \\"TrusteeDataAccountBalance\\".\\"closingBalance\\", \\"TrusteeDataAccountBalance\\".\\"currency\\" FROM (SELECT \\"mandateId\\", \\"featureInstanceId\\", \\"accountNumber\\", \\"periodYear\\", \\"periodMonth\\", \\"openingBalance\\", \\"debitTotal\\", \\"creditTotal\\", \\"closingBalance\\", \\"currency\\" FROM \\"public\\".\\"TrusteeDataAccountBalance\\" WHERE \\"featureInstanceId\\" = $4 AND \\"mandateId\\" = $5) AS \\"TrusteeDataAccountBalance\\" WHERE \\"TrusteeDataAccountBalance\\".\\"accountNumber\\" = $1 AND \\"TrusteeDataAccountBalance\\".\\"periodYear\\" = $2 AND \\"TrusteeDataAccountBalance\\".\\"periodMonth\\" = $3 LIMIT 101", "held": {"periodYear": 2023, "periodMonth": 0, "accountNumber": "1020"}, "callId": "5984eef1-b3e0-49ee-88f5-d4068b0a1c47", "lineage": null, "rowCount": 1, "emptiness": null, "queryHash": "0a11bb184eb6fb655ab65a833fc2694d87d0926fb00f7f4f70a8e69d72cbb7c2", "timeRange": [{"end": "2023", "field": "TrusteeDataAccountBalance.periodYear", "start": "2023", "endExcluded": false}, {"end": "0", "field": "TrusteeDataAccountBalance.periodMonth", "start": "0", "endExcluded": false}], "truncated": false, "ontologyHash": "5e44d8e3093bc5b3"}, "rowsHash": "653d0d3fb07953faacd3476812d0185ae9b700ae02a458bf0410ad9ef2d7d167", "arguments": {"fields": ["accountNumber", "closingBalance", "currency"], "filters": [{"op": "=", "field": "accountNumber", "value": "1020"}, {"op": "=", "field": "periodYear", "value": 2023}, {"op": "=", "field": "periodMonth", "value": 0}], "tableName": "TrusteeDataAccountBalance"}}], "question": "What was the balance of account 1020 at the end of 2023?"}	97400cb5b8eaa1d9dc53cf50f9764bee7964e556d30a195ef0dba3c42c2cfacf	t	2026-11-19 14:32:37.227971+00	2026-11-20 12:32:37.227971+00	\N	2026-11-20 14:32:37.227971+00
\.


--
-- Data for Name: run_requests; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.run_requests (run_id, tenant, asked_by, request, idempotency_key, status, workflow_id, answer, error, created_at, finished_at) FROM stdin;
107275cf-2904-4ede-829c-4863a67de995	sample	month-end report	{"caller": {"deny": [], "name": "month-end report", "allow": ["*"], "shared": ["TrusteeDataCurrency", "TrusteeDataExchangeRate", "TrusteeDataVatCode"], "allowed": {"mandateId": ["m-001"], "featureInstanceId": ["m-001-a"]}, "language": "de"}, "feature": "trustee", "question": {"text": "Wie hoch war der Saldo von Konto 1020 Ende 2024?", "thread": [], "feature": "trustee", "language": null}, "approvals": {"calls": [], "clarify": false, "evidence": true}}	\N	done	107275cf-2904-4ede-829c-4863a67de995~1	{"hitl": {"consulted": [{"name": "evidence.1", "about": "evidence", "decision": {"at": 1795098756.360655, "choice": {}, "approved": true, "automatic": false, "decidedBy": "chief", "evidenceHash": "ff4b010cae5dccf839f035e3f8ad334d19562fd236c52082462c721f792abf38"}}], "autoApproved": false}, "kind": "pattern", "text": "Saldo von Konto 1020 per 31.12.2024 (Soll positiv): 1'104'822.67 CHF", "proof": {"claims": [{"end": 20, "kind": "identifier", "text": "1020", "start": 16, "binding": {"row": null, "unit": "", "value": null, "column": "", "ground": "question", "period": "", "rowKey": "", "source": null, "derivation": "", "coincidence": null}, "nearest": null, "standing": "grounded"}, {"end": 35, "kind": "date", "text": "31.12.2024", "start": 25, "binding": {"row": null, "unit": "", "value": null, "column": "", "ground": "question", "period": "", "rowKey": "", "source": null, "derivation": "", "coincidence": null}, "nearest": null, "standing": "grounded"}, {"end": 68, "kind": "amount", "text": "1'104'822.67 CHF", "start": 52, "binding": {"row": 0, "unit": "CHF", "value": 1104822.67, "column": "closingBalance", "ground": "cell", "period": "", "rowKey": "1020 / CHF", "source": 0, "derivation": "", "coincidence": 0.000000001111111111111111}, "nearest": null, "standing": "grounded"}], "verdict": "pass", "findings": [], "coincidence": 0.0}, "usage": {"cost": null, "rounds": 0, "elapsedMs": 753.345, "toolCalls": 1, "modelCalls": 0, "inputTokens": 0, "outputTokens": 0}, "quality": null, "sources": [{"rows": [["1020", 1104822.67, "CHF"]], "tool": "queryTable", "columns": ["accountNumber", "closingBalance", "currency"], "receipt": {"sql": "SELECT \\"TrusteeDataAccountBalance\\".\\"accountNumber\\", \\"TrusteeDataAccountBalance\\".\\"closingBalance\\", \\"TrusteeDataAccountBalance\\".\\"currency\\" FROM (SELECT \\"mandateId\\", \\"featureInstanceId\\", \\"accountNumber\\", \\"periodYear\\", \\"periodMonth\\", \\"openingBalance\\", \\"debitTotal\\", \\"creditTotal\\", \\"closingBalance\\", \\"currency\\" FROM \\"public\\".\\"TrusteeDataAccountBalance\\" WHERE \\"featureInstanceId\\" = $4 AND \\"mandateId\\" = $5) AS \\"TrusteeDataAccountBalance\\" WHERE \\"TrusteeDataAccountBalance\\".\\"accountNumber\\" = $1 AND \\"TrusteeDataAccountBalance\\".\\"periodYear\\" = $2 AND \\"TrusteeDataAccountBalance\\".\\"periodMonth\\" = $3 LIMIT 101", "held": {"periodYear": 2024, "periodMonth": 0, "accountNumber": "1020"}, "callId": "d5e0b998-21ce-440a-bff8-8e5d31baab3b", "lineage": null, "rowCount": 1, "elapsedMs": 4.818, "emptiness": null, "queryHash": "ee364657f1925eda86ac8e6491524ba3369a8efae4d9c96b040bd3d48282693f", "timeRange": [{"end": "2024", "field": "TrusteeDataAccountBalance.periodYear", "start": "2024", "endExcluded": false}, {"end": "0", "field": "TrusteeDataAccountBalance.periodMonth", "start": "0", "endExcluded": false}], "truncated": false, "ontologyHash": "5e44d8e3093bc5b3"}, "arguments": {"fields": ["accountNumber", "closingBalance", "currency"], "filters": [{"op": "=", "field": "accountNumber", "value": "1020"}, {"op": "=", "field": "periodYear", "value": 2024}, {"op": "=", "field": "periodMonth", "value": 0}], "tableName": "TrusteeDataAccountBalance"}}], "traceId": "107275cf-2904-4ede-829c-4863a67de995", "language": "de", "suggestedAnswers": []}	\N	2026-11-19 14:32:35.62353+00	2026-11-19 14:32:36.583933+00
6dd8e738-b515-4630-95b4-ed1eb59453f8	sample	month-end report	{"caller": {"deny": [], "name": "month-end report", "allow": ["*"], "shared": ["TrusteeDataCurrency", "TrusteeDataExchangeRate", "TrusteeDataVatCode"], "allowed": {"mandateId": ["m-001"], "featureInstanceId": ["m-001-a"]}, "language": "en"}, "feature": "trustee", "question": {"text": "What was the balance of account 1020 at the end of 2023?", "thread": [], "feature": "trustee", "language": null}, "approvals": {"calls": [], "clarify": false, "evidence": true}}	\N	waiting	6dd8e738-b515-4630-95b4-ed1eb59453f8~1	\N	\N	2026-11-19 14:32:36.980365+00	\N
\.


--
-- Data for Name: runs; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.runs (trace_id, tenant, caller, started_at, outcome) FROM stdin;
107275cf-2904-4ede-829c-4863a67de995	sample	month-end report	2026-11-19 14:32:35.815542+00	pattern
6dd8e738-b515-4630-95b4-ed1eb59453f8	sample	month-end report	2026-11-19 14:32:37.21157+00	\N
\.


--
-- Data for Name: tenants; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.tenants (id, name, scope, limits, created_at, disabled_at) FROM stdin;
sample	sample	{"trustee": {"mandateId": ["m-001"], "featureInstanceId": ["m-001-a"]}}	{"perMinute": 300}	2026-11-19 14:32:02.633296+00	\N
\.


--
-- Data for Name: workers; Type: TABLE DATA; Schema: veridical; Owner: postgres
--

COPY veridical.workers (executor_id, version, started_at, seen_at) FROM stdin;
c473f1a1-0c7d-4fd8-8527-ce199c4ec5bd	0.2.0	2026-11-19 14:32:28.018317+00	2026-11-19 14:32:38.056384+00
\.


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: veridical; Owner: postgres
--

SELECT pg_catalog.setval('veridical.audit_id_seq', 8, true);


--
-- Name: false_blocks_id_seq; Type: SEQUENCE SET; Schema: veridical; Owner: postgres
--

SELECT pg_catalog.setval('veridical.false_blocks_id_seq', 1, false);


--
-- Name: application_versions application_versions_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.application_versions
    ADD CONSTRAINT application_versions_pkey PRIMARY KEY (version_id);


--
-- Name: application_versions application_versions_version_name_key; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.application_versions
    ADD CONSTRAINT application_versions_version_name_key UNIQUE (version_name);


--
-- Name: dbos_migrations dbos_migrations_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.dbos_migrations
    ADD CONSTRAINT dbos_migrations_pkey PRIMARY KEY (version);


--
-- Name: event_dispatch_kv event_dispatch_kv_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.event_dispatch_kv
    ADD CONSTRAINT event_dispatch_kv_pkey PRIMARY KEY (service_name, workflow_fn_name, key);


--
-- Name: notifications notifications_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (message_uuid);


--
-- Name: operation_outputs operation_outputs_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.operation_outputs
    ADD CONSTRAINT operation_outputs_pkey PRIMARY KEY (workflow_uuid, function_id);


--
-- Name: queues queues_name_key; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.queues
    ADD CONSTRAINT queues_name_key UNIQUE (name);


--
-- Name: queues queues_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.queues
    ADD CONSTRAINT queues_pkey PRIMARY KEY (queue_id);


--
-- Name: streams streams_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.streams
    ADD CONSTRAINT streams_pkey PRIMARY KEY (workflow_uuid, key, "offset");


--
-- Name: veridical_effects veridical_effects_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.veridical_effects
    ADD CONSTRAINT veridical_effects_pkey PRIMARY KEY (run_id, name);


--
-- Name: workflow_events_history workflow_events_history_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.workflow_events_history
    ADD CONSTRAINT workflow_events_history_pkey PRIMARY KEY (workflow_uuid, function_id, key);


--
-- Name: workflow_events workflow_events_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.workflow_events
    ADD CONSTRAINT workflow_events_pkey PRIMARY KEY (workflow_uuid, key);


--
-- Name: workflow_input workflow_input_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.workflow_input
    ADD CONSTRAINT workflow_input_pkey PRIMARY KEY (workflow_uuid);


--
-- Name: workflow_output workflow_output_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.workflow_output
    ADD CONSTRAINT workflow_output_pkey PRIMARY KEY (workflow_uuid);


--
-- Name: workflow_schedules workflow_schedules_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.workflow_schedules
    ADD CONSTRAINT workflow_schedules_pkey PRIMARY KEY (schedule_id);


--
-- Name: workflow_schedules workflow_schedules_schedule_name_key; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.workflow_schedules
    ADD CONSTRAINT workflow_schedules_schedule_name_key UNIQUE (schedule_name);


--
-- Name: workflow_status workflow_status_pkey; Type: CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.workflow_status
    ADD CONSTRAINT workflow_status_pkey PRIMARY KEY (workflow_uuid);


--
-- Name: alembic_version alembic_version_pkc; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);


--
-- Name: decisions decisions_pkey; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.decisions
    ADD CONSTRAINT decisions_pkey PRIMARY KEY (item);


--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (trace_id, sequence);


--
-- Name: false_blocks false_blocks_pkey; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.false_blocks
    ADD CONSTRAINT false_blocks_pkey PRIMARY KEY (id);


--
-- Name: false_blocks false_blocks_tenant_proof_reported_by_key; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.false_blocks
    ADD CONSTRAINT false_blocks_tenant_proof_reported_by_key UNIQUE (tenant, proof, reported_by);


--
-- Name: inbox inbox_pkey; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (id);


--
-- Name: inbox inbox_run_id_name_evidence_hash_key; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.inbox
    ADD CONSTRAINT inbox_run_id_name_evidence_hash_key UNIQUE (run_id, name, evidence_hash);


--
-- Name: run_requests run_requests_pkey; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.run_requests
    ADD CONSTRAINT run_requests_pkey PRIMARY KEY (run_id);


--
-- Name: run_requests run_requests_tenant_idempotency_key_key; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.run_requests
    ADD CONSTRAINT run_requests_tenant_idempotency_key_key UNIQUE (tenant, idempotency_key);


--
-- Name: runs runs_pkey; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (trace_id);


--
-- Name: tenants tenants_pkey; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);


--
-- Name: workers workers_pkey; Type: CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (executor_id);


--
-- Name: idx_operation_outputs_completed_at_function_name_v2; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_operation_outputs_completed_at_function_name_v2 ON dbos.operation_outputs USING btree (completed_at_epoch_ms, function_name) INCLUDE (application_name);


--
-- Name: idx_operation_outputs_retention; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_operation_outputs_retention ON dbos.operation_outputs USING btree (retention_timestamp);


--
-- Name: idx_workflow_input_retention; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_input_retention ON dbos.workflow_input USING btree (retention_timestamp);


--
-- Name: idx_workflow_output_retention; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_output_retention ON dbos.workflow_output USING btree (retention_timestamp);


--
-- Name: idx_workflow_status_attributes; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_attributes ON dbos.workflow_status USING gin (attributes) WHERE (attributes IS NOT NULL);


--
-- Name: idx_workflow_status_completed_at; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_completed_at ON dbos.workflow_status USING btree (completed_at) WHERE (completed_at IS NOT NULL);


--
-- Name: idx_workflow_status_deadline; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_deadline ON dbos.workflow_status USING btree (workflow_deadline_epoch_ms) WHERE ((status = ANY (ARRAY['ENQUEUED'::text, 'PENDING'::text, 'DELAYED'::text])) AND (workflow_deadline_epoch_ms IS NOT NULL));


--
-- Name: idx_workflow_status_delayed; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_delayed ON dbos.workflow_status USING btree (delay_until_epoch_ms) WHERE (status = 'DELAYED'::text);


--
-- Name: idx_workflow_status_failed; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_failed ON dbos.workflow_status USING btree (status, created_at) WHERE (status = ANY (ARRAY['ERROR'::text, 'CANCELLED'::text, 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'::text]));


--
-- Name: idx_workflow_status_forked_from; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_forked_from ON dbos.workflow_status USING btree (forked_from) WHERE (forked_from IS NOT NULL);


--
-- Name: idx_workflow_status_in_flight_v2; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_in_flight_v2 ON dbos.workflow_status USING btree (queue_name, status, priority, created_at) INCLUDE (application_name) WHERE (status = ANY (ARRAY['ENQUEUED'::text, 'PENDING'::text]));


--
-- Name: idx_workflow_status_parent_workflow_id; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_parent_workflow_id ON dbos.workflow_status USING btree (parent_workflow_id) WHERE (parent_workflow_id IS NOT NULL);


--
-- Name: idx_workflow_status_partition_dequeue_v3; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_partition_dequeue_v3 ON dbos.workflow_status USING btree (queue_name, status, queue_partition_key, priority, created_at, workflow_uuid) INCLUDE (application_name) WHERE ((status = ANY (ARRAY['ENQUEUED'::text, 'PENDING'::text])) AND (queue_partition_key IS NOT NULL));


--
-- Name: idx_workflow_status_pending; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_pending ON dbos.workflow_status USING btree (created_at) WHERE (status = 'PENDING'::text);


--
-- Name: idx_workflow_status_rate_limited; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_rate_limited ON dbos.workflow_status USING btree (queue_name, started_at_epoch_ms) WHERE (rate_limited = true);


--
-- Name: idx_workflow_status_schedule_name; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_schedule_name ON dbos.workflow_status USING btree (schedule_name) WHERE (schedule_name IS NOT NULL);


--
-- Name: idx_workflow_status_started_at; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_status_started_at ON dbos.workflow_status USING btree (started_at_epoch_ms) WHERE (started_at_epoch_ms IS NOT NULL);


--
-- Name: idx_workflow_topic; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX idx_workflow_topic ON dbos.notifications USING btree (destination_uuid, topic);


--
-- Name: uq_application_versions_owner_version; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE UNIQUE INDEX uq_application_versions_owner_version ON dbos.application_versions USING btree (application_name, version_name) WHERE (application_name IS NOT NULL);


--
-- Name: uq_application_versions_unclaimed_version; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE UNIQUE INDEX uq_application_versions_unclaimed_version ON dbos.application_versions USING btree (version_name) WHERE (application_name IS NULL);


--
-- Name: uq_workflow_status_dedup_id; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE UNIQUE INDEX uq_workflow_status_dedup_id ON dbos.workflow_status USING btree (queue_name, deduplication_id) WHERE (deduplication_id IS NOT NULL);


--
-- Name: workflow_status_created_at_index; Type: INDEX; Schema: dbos; Owner: veridical_dbos
--

CREATE INDEX workflow_status_created_at_index ON dbos.workflow_status USING btree (created_at);


--
-- Name: audit_of_tenant; Type: INDEX; Schema: veridical; Owner: postgres
--

CREATE INDEX audit_of_tenant ON veridical.audit USING btree (tenant, at DESC);


--
-- Name: events_by_kind; Type: INDEX; Schema: veridical; Owner: postgres
--

CREATE INDEX events_by_kind ON veridical.events USING btree (kind);


--
-- Name: false_blocks_of_tenant; Type: INDEX; Schema: veridical; Owner: postgres
--

CREATE INDEX false_blocks_of_tenant ON veridical.false_blocks USING btree (tenant, id DESC);


--
-- Name: inbox_expiring; Type: INDEX; Schema: veridical; Owner: postgres
--

CREATE INDEX inbox_expiring ON veridical.inbox USING btree (expires_at);


--
-- Name: inbox_of_tenant; Type: INDEX; Schema: veridical; Owner: postgres
--

CREATE INDEX inbox_of_tenant ON veridical.inbox USING btree (tenant, asked_at DESC);


--
-- Name: run_requests_newest; Type: INDEX; Schema: veridical; Owner: postgres
--

CREATE INDEX run_requests_newest ON veridical.run_requests USING btree (tenant, created_at DESC);


--
-- Name: runs_newest; Type: INDEX; Schema: veridical; Owner: postgres
--

CREATE INDEX runs_newest ON veridical.runs USING btree (started_at DESC);


--
-- Name: runs_of_tenant; Type: INDEX; Schema: veridical; Owner: postgres
--

CREATE INDEX runs_of_tenant ON veridical.runs USING btree (tenant, started_at DESC);


--
-- Name: notifications dbos_notifications_trigger; Type: TRIGGER; Schema: dbos; Owner: veridical_dbos
--

CREATE TRIGGER dbos_notifications_trigger AFTER INSERT ON dbos.notifications FOR EACH ROW EXECUTE FUNCTION dbos.notifications_function();


--
-- Name: audit audit_stays; Type: TRIGGER; Schema: veridical; Owner: postgres
--

CREATE TRIGGER audit_stays BEFORE DELETE OR UPDATE OR TRUNCATE ON veridical.audit FOR EACH STATEMENT EXECUTE FUNCTION veridical.audit_stays();

ALTER TABLE veridical.audit ENABLE ALWAYS TRIGGER audit_stays;


--
-- Name: notifications notifications_destination_uuid_fkey; Type: FK CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.notifications
    ADD CONSTRAINT notifications_destination_uuid_fkey FOREIGN KEY (destination_uuid) REFERENCES dbos.workflow_status(workflow_uuid) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: streams streams_workflow_uuid_fkey; Type: FK CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.streams
    ADD CONSTRAINT streams_workflow_uuid_fkey FOREIGN KEY (workflow_uuid) REFERENCES dbos.workflow_status(workflow_uuid) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: workflow_events_history workflow_events_history_workflow_uuid_fkey; Type: FK CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.workflow_events_history
    ADD CONSTRAINT workflow_events_history_workflow_uuid_fkey FOREIGN KEY (workflow_uuid) REFERENCES dbos.workflow_status(workflow_uuid) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: workflow_events workflow_events_workflow_uuid_fkey; Type: FK CONSTRAINT; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE ONLY dbos.workflow_events
    ADD CONSTRAINT workflow_events_workflow_uuid_fkey FOREIGN KEY (workflow_uuid) REFERENCES dbos.workflow_status(workflow_uuid) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: api_keys api_keys_tenant_fkey; Type: FK CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.api_keys
    ADD CONSTRAINT api_keys_tenant_fkey FOREIGN KEY (tenant) REFERENCES veridical.tenants(id);


--
-- Name: decisions decisions_item_fkey; Type: FK CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.decisions
    ADD CONSTRAINT decisions_item_fkey FOREIGN KEY (item) REFERENCES veridical.inbox(id) ON DELETE CASCADE;


--
-- Name: decisions decisions_tenant_fkey; Type: FK CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.decisions
    ADD CONSTRAINT decisions_tenant_fkey FOREIGN KEY (tenant) REFERENCES veridical.tenants(id);


--
-- Name: events events_trace_id_fkey; Type: FK CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.events
    ADD CONSTRAINT events_trace_id_fkey FOREIGN KEY (trace_id) REFERENCES veridical.runs(trace_id) ON DELETE CASCADE;


--
-- Name: false_blocks false_blocks_tenant_fkey; Type: FK CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.false_blocks
    ADD CONSTRAINT false_blocks_tenant_fkey FOREIGN KEY (tenant) REFERENCES veridical.tenants(id);


--
-- Name: inbox inbox_run_id_fkey; Type: FK CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.inbox
    ADD CONSTRAINT inbox_run_id_fkey FOREIGN KEY (run_id) REFERENCES veridical.run_requests(run_id) ON DELETE CASCADE;


--
-- Name: inbox inbox_tenant_fkey; Type: FK CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.inbox
    ADD CONSTRAINT inbox_tenant_fkey FOREIGN KEY (tenant) REFERENCES veridical.tenants(id);


--
-- Name: run_requests run_requests_tenant_fkey; Type: FK CONSTRAINT; Schema: veridical; Owner: postgres
--

ALTER TABLE ONLY veridical.run_requests
    ADD CONSTRAINT run_requests_tenant_fkey FOREIGN KEY (tenant) REFERENCES veridical.tenants(id);


--
-- Name: workflow_input of_tenant; Type: POLICY; Schema: dbos; Owner: veridical_dbos
--

CREATE POLICY of_tenant ON dbos.workflow_input TO veridical_app USING ((EXISTS ( SELECT
   FROM dbos.workflow_status life
  WHERE (life.workflow_uuid = workflow_input.workflow_uuid))));


--
-- Name: workflow_status of_tenant; Type: POLICY; Schema: dbos; Owner: veridical_dbos
--

CREATE POLICY of_tenant ON dbos.workflow_status TO veridical_app USING ((queue_partition_key = ( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif")));


--
-- Name: workflow_input; Type: ROW SECURITY; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE dbos.workflow_input ENABLE ROW LEVEL SECURITY;

--
-- Name: workflow_status; Type: ROW SECURITY; Schema: dbos; Owner: veridical_dbos
--

ALTER TABLE dbos.workflow_status ENABLE ROW LEVEL SECURITY;

--
-- Name: audit adding; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY adding ON veridical.audit FOR INSERT TO veridical_app WITH CHECK ((tenant = COALESCE(( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif"), ''::text)));


--
-- Name: api_keys; Type: ROW SECURITY; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.api_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: audit; Type: ROW SECURITY; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.audit ENABLE ROW LEVEL SECURITY;

--
-- Name: decisions; Type: ROW SECURITY; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.decisions ENABLE ROW LEVEL SECURITY;

--
-- Name: events; Type: ROW SECURITY; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.events ENABLE ROW LEVEL SECURITY;

--
-- Name: false_blocks; Type: ROW SECURITY; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.false_blocks ENABLE ROW LEVEL SECURITY;

--
-- Name: inbox; Type: ROW SECURITY; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.inbox ENABLE ROW LEVEL SECURITY;

--
-- Name: api_keys of_all; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_all ON veridical.api_keys TO veridical_operator USING (true);


--
-- Name: audit of_all; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_all ON veridical.audit TO veridical_worker, veridical_operator USING (true);


--
-- Name: decisions of_all; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_all ON veridical.decisions TO veridical_worker, veridical_operator USING (true);


--
-- Name: events of_all; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_all ON veridical.events TO veridical_worker, veridical_operator, veridical_tracer USING (true);


--
-- Name: false_blocks of_all; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_all ON veridical.false_blocks TO veridical_operator USING (true);


--
-- Name: inbox of_all; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_all ON veridical.inbox TO veridical_worker, veridical_operator USING (true);


--
-- Name: run_requests of_all; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_all ON veridical.run_requests TO veridical_worker, veridical_operator USING (true);


--
-- Name: runs of_all; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_all ON veridical.runs TO veridical_worker, veridical_operator, veridical_tracer USING (true);


--
-- Name: tenants of_all; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_all ON veridical.tenants TO veridical_worker, veridical_operator USING (true);


--
-- Name: api_keys of_tenant; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_tenant ON veridical.api_keys TO veridical_app USING ((tenant = ( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif")));


--
-- Name: audit of_tenant; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_tenant ON veridical.audit FOR SELECT TO veridical_app USING ((tenant = ( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif")));


--
-- Name: decisions of_tenant; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_tenant ON veridical.decisions TO veridical_app USING ((tenant = ( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif")));


--
-- Name: events of_tenant; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_tenant ON veridical.events TO veridical_app USING ((EXISTS ( SELECT
   FROM veridical.runs
  WHERE ((runs.trace_id = events.trace_id) AND (runs.tenant = ( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif"))))));


--
-- Name: false_blocks of_tenant; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_tenant ON veridical.false_blocks TO veridical_app USING ((tenant = ( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif")));


--
-- Name: inbox of_tenant; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_tenant ON veridical.inbox TO veridical_app USING ((tenant = ( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif")));


--
-- Name: run_requests of_tenant; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_tenant ON veridical.run_requests TO veridical_app USING ((tenant = ( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif")));


--
-- Name: runs of_tenant; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_tenant ON veridical.runs TO veridical_app USING ((tenant = ( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif")));


--
-- Name: tenants of_tenant; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY of_tenant ON veridical.tenants TO veridical_app USING ((id = ( SELECT NULLIF(current_setting('veridical.tenant'::text, true), ''::text) AS "nullif")));


--
-- Name: api_keys presented; Type: POLICY; Schema: veridical; Owner: postgres
--

CREATE POLICY presented ON veridical.api_keys FOR SELECT TO veridical_app USING ((id = ( SELECT NULLIF(current_setting('veridical.key'::text, true), ''::text) AS "nullif")));


--
-- Name: run_requests; Type: ROW SECURITY; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.run_requests ENABLE ROW LEVEL SECURITY;

--
-- Name: runs; Type: ROW SECURITY; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.runs ENABLE ROW LEVEL SECURITY;

--
-- Name: tenants; Type: ROW SECURITY; Schema: veridical; Owner: postgres
--

ALTER TABLE veridical.tenants ENABLE ROW LEVEL SECURITY;

--
-- Name: SCHEMA dbos; Type: ACL; Schema: -; Owner: veridical_dbos
--

GRANT USAGE ON SCHEMA dbos TO veridical_app;


--
-- Name: SCHEMA veridical; Type: ACL; Schema: -; Owner: postgres
--

GRANT USAGE ON SCHEMA veridical TO veridical_app;
GRANT USAGE ON SCHEMA veridical TO veridical_worker;
GRANT USAGE ON SCHEMA veridical TO veridical_operator;
GRANT USAGE ON SCHEMA veridical TO veridical_tracer;


--
-- Name: FUNCTION audit_stays(); Type: ACL; Schema: veridical; Owner: postgres
--

REVOKE ALL ON FUNCTION veridical.audit_stays() FROM PUBLIC;


--
-- Name: TABLE workflow_status; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT INSERT ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.workflow_uuid; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT(workflow_uuid) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.status; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT(status),UPDATE(status) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.name; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT(name) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.updated_at; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT UPDATE(updated_at) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.class_name; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT(class_name) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.config_name; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT(config_name) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.queue_name; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT(queue_name),UPDATE(queue_name) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.started_at_epoch_ms; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT UPDATE(started_at_epoch_ms) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.queue_partition_key; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT(queue_partition_key) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.owner_xid; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT UPDATE(owner_xid) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.serialization; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT(serialization) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.completed_at; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT UPDATE(completed_at) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: COLUMN workflow_status.creator_xid; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT(creator_xid),UPDATE(creator_xid) ON TABLE dbos.workflow_status TO veridical_app;


--
-- Name: TABLE veridical_load; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT ON TABLE dbos.veridical_load TO veridical_app;


--
-- Name: TABLE workflow_input; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT INSERT ON TABLE dbos.workflow_input TO veridical_app;


--
-- Name: COLUMN workflow_input.workflow_uuid; Type: ACL; Schema: dbos; Owner: veridical_dbos
--

GRANT SELECT(workflow_uuid) ON TABLE dbos.workflow_input TO veridical_app;


--
-- Name: TABLE alembic_version; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT ON TABLE veridical.alembic_version TO veridical_app;
GRANT SELECT ON TABLE veridical.alembic_version TO veridical_worker;
GRANT SELECT ON TABLE veridical.alembic_version TO veridical_operator;


--
-- Name: TABLE api_keys; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT,INSERT ON TABLE veridical.api_keys TO veridical_app;
GRANT SELECT,INSERT ON TABLE veridical.api_keys TO veridical_operator;


--
-- Name: COLUMN api_keys.revoked_at; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(revoked_at) ON TABLE veridical.api_keys TO veridical_app;
GRANT UPDATE(revoked_at) ON TABLE veridical.api_keys TO veridical_operator;


--
-- Name: TABLE audit; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT ON TABLE veridical.audit TO veridical_app;
GRANT SELECT ON TABLE veridical.audit TO veridical_worker;
GRANT SELECT ON TABLE veridical.audit TO veridical_operator;


--
-- Name: COLUMN audit.tenant; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(tenant) ON TABLE veridical.audit TO veridical_app;
GRANT INSERT(tenant) ON TABLE veridical.audit TO veridical_worker;
GRANT INSERT(tenant) ON TABLE veridical.audit TO veridical_operator;


--
-- Name: COLUMN audit.actor; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(actor) ON TABLE veridical.audit TO veridical_app;
GRANT INSERT(actor) ON TABLE veridical.audit TO veridical_worker;
GRANT INSERT(actor) ON TABLE veridical.audit TO veridical_operator;


--
-- Name: COLUMN audit.action; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(action) ON TABLE veridical.audit TO veridical_app;
GRANT INSERT(action) ON TABLE veridical.audit TO veridical_worker;
GRANT INSERT(action) ON TABLE veridical.audit TO veridical_operator;


--
-- Name: COLUMN audit.subject; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(subject) ON TABLE veridical.audit TO veridical_app;
GRANT INSERT(subject) ON TABLE veridical.audit TO veridical_worker;
GRANT INSERT(subject) ON TABLE veridical.audit TO veridical_operator;


--
-- Name: COLUMN audit.detail; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(detail) ON TABLE veridical.audit TO veridical_app;
GRANT INSERT(detail) ON TABLE veridical.audit TO veridical_worker;
GRANT INSERT(detail) ON TABLE veridical.audit TO veridical_operator;


--
-- Name: TABLE decisions; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT,INSERT ON TABLE veridical.decisions TO veridical_app;
GRANT SELECT,INSERT ON TABLE veridical.decisions TO veridical_worker;
GRANT SELECT ON TABLE veridical.decisions TO veridical_operator;


--
-- Name: TABLE events; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT,INSERT ON TABLE veridical.events TO veridical_app;
GRANT SELECT,INSERT,DELETE ON TABLE veridical.events TO veridical_worker;
GRANT SELECT ON TABLE veridical.events TO veridical_operator;
GRANT INSERT ON TABLE veridical.events TO veridical_tracer;


--
-- Name: COLUMN events.trace_id; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT(trace_id) ON TABLE veridical.events TO veridical_tracer;


--
-- Name: COLUMN events.sequence; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT(sequence) ON TABLE veridical.events TO veridical_tracer;


--
-- Name: TABLE false_blocks; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT ON TABLE veridical.false_blocks TO veridical_app;
GRANT SELECT ON TABLE veridical.false_blocks TO veridical_operator;


--
-- Name: COLUMN false_blocks.tenant; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(tenant) ON TABLE veridical.false_blocks TO veridical_app;


--
-- Name: COLUMN false_blocks.reported_by; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(reported_by) ON TABLE veridical.false_blocks TO veridical_app;


--
-- Name: COLUMN false_blocks.proof; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(proof) ON TABLE veridical.false_blocks TO veridical_app;


--
-- Name: COLUMN false_blocks.codes; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(codes) ON TABLE veridical.false_blocks TO veridical_app;


--
-- Name: COLUMN false_blocks.language; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(language) ON TABLE veridical.false_blocks TO veridical_app;


--
-- Name: COLUMN false_blocks.note; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(note) ON TABLE veridical.false_blocks TO veridical_app;


--
-- Name: COLUMN false_blocks.claims; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT INSERT(claims) ON TABLE veridical.false_blocks TO veridical_app;


--
-- Name: TABLE inbox; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT,INSERT ON TABLE veridical.inbox TO veridical_app;
GRANT SELECT,INSERT ON TABLE veridical.inbox TO veridical_worker;
GRANT SELECT ON TABLE veridical.inbox TO veridical_operator;


--
-- Name: COLUMN inbox.warned_at; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(warned_at) ON TABLE veridical.inbox TO veridical_app;
GRANT UPDATE(warned_at) ON TABLE veridical.inbox TO veridical_worker;


--
-- Name: TABLE run_requests; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT,INSERT ON TABLE veridical.run_requests TO veridical_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE veridical.run_requests TO veridical_worker;
GRANT SELECT ON TABLE veridical.run_requests TO veridical_operator;


--
-- Name: COLUMN run_requests.status; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(status) ON TABLE veridical.run_requests TO veridical_app;


--
-- Name: COLUMN run_requests.workflow_id; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(workflow_id) ON TABLE veridical.run_requests TO veridical_app;


--
-- Name: COLUMN run_requests.answer; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(answer) ON TABLE veridical.run_requests TO veridical_app;


--
-- Name: COLUMN run_requests.error; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(error) ON TABLE veridical.run_requests TO veridical_app;


--
-- Name: COLUMN run_requests.finished_at; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(finished_at) ON TABLE veridical.run_requests TO veridical_app;


--
-- Name: TABLE runs; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT,INSERT ON TABLE veridical.runs TO veridical_app;
GRANT SELECT,INSERT,DELETE ON TABLE veridical.runs TO veridical_worker;
GRANT SELECT ON TABLE veridical.runs TO veridical_operator;
GRANT SELECT,INSERT ON TABLE veridical.runs TO veridical_tracer;


--
-- Name: COLUMN runs.tenant; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(tenant) ON TABLE veridical.runs TO veridical_app;
GRANT UPDATE(tenant) ON TABLE veridical.runs TO veridical_worker;
GRANT UPDATE(tenant) ON TABLE veridical.runs TO veridical_tracer;


--
-- Name: COLUMN runs.caller; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(caller) ON TABLE veridical.runs TO veridical_app;
GRANT UPDATE(caller) ON TABLE veridical.runs TO veridical_worker;
GRANT UPDATE(caller) ON TABLE veridical.runs TO veridical_tracer;


--
-- Name: COLUMN runs.started_at; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(started_at) ON TABLE veridical.runs TO veridical_app;
GRANT UPDATE(started_at) ON TABLE veridical.runs TO veridical_worker;
GRANT UPDATE(started_at) ON TABLE veridical.runs TO veridical_tracer;


--
-- Name: COLUMN runs.outcome; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(outcome) ON TABLE veridical.runs TO veridical_app;
GRANT UPDATE(outcome) ON TABLE veridical.runs TO veridical_worker;
GRANT UPDATE(outcome) ON TABLE veridical.runs TO veridical_tracer;


--
-- Name: TABLE tenants; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT ON TABLE veridical.tenants TO veridical_app;
GRANT SELECT ON TABLE veridical.tenants TO veridical_worker;
GRANT SELECT,INSERT ON TABLE veridical.tenants TO veridical_operator;


--
-- Name: COLUMN tenants.name; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(name) ON TABLE veridical.tenants TO veridical_operator;


--
-- Name: COLUMN tenants.scope; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(scope) ON TABLE veridical.tenants TO veridical_operator;


--
-- Name: COLUMN tenants.limits; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(limits) ON TABLE veridical.tenants TO veridical_operator;


--
-- Name: COLUMN tenants.disabled_at; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT UPDATE(disabled_at) ON TABLE veridical.tenants TO veridical_operator;


--
-- Name: TABLE workers; Type: ACL; Schema: veridical; Owner: postgres
--

GRANT SELECT ON TABLE veridical.workers TO veridical_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE veridical.workers TO veridical_worker;
GRANT SELECT ON TABLE veridical.workers TO veridical_operator;


--
-- PostgreSQL database dump complete
--

\unrestrict aWDMzZai7aEix0APMClo9fZthdHcaZuVfTaw3tIkj34dMX0hwkGtVVREM4JldCk

