#!/bin/sh
# Applies roles.sql and sets the passwords of the service and the reader from SERVICE_PASSWORD and
# READER_PASSWORD. Connects by PGHOST, PGUSER, PGPASSWORD and PGDATABASE. Safe to run again.
set -eu
: "${SERVICE_PASSWORD:?}" "${READER_PASSWORD:?}"
cd "$(dirname "$0")"
psql --no-psqlrc --quiet --output=/dev/null --file=roles.sql
# psql reads the passwords itself, because every user of a machine can see the arguments of a
# process.
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 <<'SQL'
\getenv service SERVICE_PASSWORD
\getenv reader READER_PASSWORD
alter role quittance_service password :'service';
alter role quittance_reader password :'reader';
SQL
