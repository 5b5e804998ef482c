-- Least-privilege roles for a Quittance database. Run this with psql as a superuser of the server
-- (or as a role that may create roles and owns the database), after `quittance migrate` and again
-- after every upgrade; it is safe to run twice. Until then the service can read and write what an
-- upgrade created, and the reader sees none of it.
--
--   psql "$ADMIN_URL" -f deploy/postgres/roles.sql
--   psql "$ADMIN_URL" -c '\password quittance_owner' -c '\password quittance_service' -c '\password quittance_reader'
--
-- quittance_owner    owns the tables and changes the schema: `quittance migrate`, restores, this
--                    file. No process uses it permanently.
-- quittance_service  DATABASE_URL of the service and of its commands: reads and writes rows. Cannot
--                    change the schema, and cannot change or delete append-only data: journals,
--                    archive, audit, schema versions. Archiving and retention call functions of
--                    the owner, which enforce the rules themselves.
-- quittance_reader   reporting, and consoles on replicas: reads rows, but no credentials.
--
-- Other names: psql -v owner=… -v service=… -v reader=…

\set ON_ERROR_STOP on
\if :{?owner}
\else
  \set owner quittance_owner
\endif
\if :{?service}
\else
  \set service quittance_service
\endif
\if :{?reader}
\else
  \set reader quittance_reader
\endif

begin;

-- Roles. None may do anything beyond this database, or create other roles.
select format('create role %I', name) from unnest(array[:'owner', :'service', :'reader']) as name
  where not exists (select from pg_roles where rolname = name) \gexec
select format('alter role %I login nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit', name)
  from unnest(array[:'owner', :'service', :'reader']) as name \gexec

-- The server also cancels hanging statements, in case the service does not. The owner has no statement
-- timeout, because building an index can take long.
alter role :"service" set statement_timeout = '60s';
alter role :"service" set idle_in_transaction_session_timeout = '60s';
alter role :"service" set lock_timeout = '30s';
alter role :"reader" set statement_timeout = '30s';
alter role :"reader" set idle_in_transaction_session_timeout = '30s';
alter role :"reader" set default_transaction_read_only = on;
alter role :"owner" set lock_timeout = '10s';

-- Only these roles may connect to the database or create anything in its schema.
select format('revoke all on database %I from public', current_database()) \gexec
select format('grant connect on database %I to %I, %I, %I', current_database(), :'owner', :'service', :'reader') \gexec
alter schema public owner to :"owner";
revoke all on schema public from public;
grant usage on schema public to :"service", :"reader";

-- All existing objects belong to the owner, not to the role that created them, except members of extensions.
select format('alter table %I.%I owner to %I', n.nspname, c.relname, :'owner')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm')
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relkind <> 'p', c.relname \gexec
select format('alter sequence %I.%I owner to %I', n.nspname, c.relname, :'owner')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind = 'S'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i', 'e')) \gexec
select format('alter routine %s owner to %I', p.oid::regprocedure, :'owner')
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = 'public' and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') \gexec

-- The service: rows and functions. No truncate, references or trigger.
revoke all on all tables in schema public from public, :"service", :"reader";
grant select, insert, update, delete on all tables in schema public to :"service";
grant usage, select on all sequences in schema public to :"service";
revoke execute on all routines in schema public from public;
grant execute on all routines in schema public to :"service";

-- Append-only: functions move old rows to the archive, or delete them when they are old enough.
revoke update, delete on journal_entry, audit_entry from :"service";
-- Actors are moved to the archive by a function, and there is no other way into it.
revoke delete on actor from :"service";
revoke insert, update, delete on actor_archive, archived_actor from :"service";
-- The service can update only progress and outcome of operator actions, and cannot delete them.
revoke update, delete on operator_action from :"service";
grant update (done, outcome, settled_at) on operator_action to :"service";
-- Webhook events are deleted when they are old enough, and never changed. Rows to be deleted are
-- locked first, which requires update on some column: the timestamp, and not the bytes.
revoke update on webhook_event from :"service";
grant update (created_at) on webhook_event to :"service";
-- A view for readers; its tables are written.
revoke insert, update, delete on transaction from :"service";
-- Only the owner records schema versions.
select format('revoke insert, update, delete on %s from %I', c.oid::regclass, :'service')
  from pg_class c where c.relnamespace = 'public'::regnamespace
    and c.relname in ('kysely_migration', 'kysely_migration_lock', 'schema_compatibility') \gexec

-- The reader: rows, without credentials, and without the extended keys of wallets.
grant select on all tables in schema public to :"reader";
select format('revoke select on %s from %I', c.oid::regclass, :'reader')
  from pg_class c where c.relnamespace = 'public'::regnamespace
    and c.relname in ('session', 'recovery_code', 'login_throttle', 'request_count', 'account_token', 'sign_up', 'setup_link', 'schedule_token',
      'mail', 'api_key', 'derivation_key', 'webhook_endpoint', 'merchant_user', 'transaction_terms', 'transaction') \gexec
select format('grant select (%s) on %s to %I', string_agg(quote_ident(a.attname), ', '), c.oid::regclass, :'reader')
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace
    and (c.relname, a.attname) not in (
      ('api_key', 'key_hash'), ('derivation_key', 'extended_public_key'), ('merchant_user', 'password_hash'),
      ('merchant_user', 'totp_last_step'),
      -- May be the link in a customer's email, for a new quote.
      ('transaction_terms', 'cancel_url'), ('transaction', 'cancel_url'))
    and a.attname not like '%sealed%'
    and c.relname in ('api_key', 'derivation_key', 'webhook_endpoint', 'merchant_user', 'transaction_terms', 'transaction')
  group by c.oid \gexec

-- Partitions have no separate privileges: all access goes through the partitioned table.
select format('revoke all on %s from %I, %I', inhrelid::regclass, :'service', :'reader')
  from pg_inherits join pg_class c on c.oid = inhrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' \gexec

-- Privileges of future tables: the service may read and write their rows, so that an upgrade does
-- not stop it. New month partitions revoke these when they are created. What the reader may see, and
-- which tables are append-only, is defined above, table by table.
alter default privileges for role :"owner" in schema public revoke execute on functions from public;
alter default privileges for role :"owner" revoke execute on functions from public;
alter default privileges for role :"owner" in schema public grant select, insert, update, delete on tables to :"service";
alter default privileges for role :"owner" in schema public grant usage, select on sequences to :"service";
alter default privileges for role :"owner" in schema public grant execute on functions to :"service";

commit;
