#!/bin/sh
# Applies roles.sql and sets the passwords of the service and the reader from SERVICE_PASSWORD and READER_PASSWORD. The server is
# named by PGHOST, PGUSER, PGPASSWORD and PGDATABASE. Does no harm when it is run again.
set -eu
: "${SERVICE_PASSWORD:?}" "${READER_PASSWORD:?}"
cd "$(dirname "$0")"
psql --no-psqlrc --quiet --output=/dev/null --file=roles.sql
# Read by psql itself, so that no password is among the arguments that every user of a machine can see.
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 <<'SQL'
\getenv service SERVICE_PASSWORD
\getenv reader READER_PASSWORD
alter role quittance_service password :'service';
alter role quittance_reader password :'reader';
SQL
