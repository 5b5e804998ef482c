#!/bin/sh
# Restarts processes of one machine one after another, and stops at the first that does not become
# ready: the remaining ones keep running unchanged. Each is named with its MONITOR_PORT; see
# docs/operators/processes.md.
#
#   SERVERS=2 sh deploy/systemd/restart.sh quittance@api:9464 quittance@api-2:9465 quittance@worker:9466 quittance@watcher:9468
#
# SERVERS       number of servers that the balancer uses when all are healthy; unset: not checked
# STATUS_URL    where the balancer reports that; default as in deploy/haproxy/haproxy.cfg
# WITHIN        time limit for each, in seconds
set -eu

STATUS_URL=${STATUS_URL:-http://127.0.0.1:8404/}
WITHIN=${WITHIN:-120}

main() {
  [ $# -gt 0 ] || give_up 'name the units, like quittance@api:9464'
  # A process that is already down could be the one that must take over from the next.
  for each in "$@"; do
    is_ready "${each##*:}" || give_up "${each%:*} is not ready on port ${each##*:}: nothing was restarted"
  done
  all_serve || give_up "the balancer at $STATUS_URL does not use $SERVERS servers: nothing was restarted"
  for each in "$@"; do
    echo "restarting ${each%:*}"
    systemctl restart "${each%:*}" || give_up "${each%:*} was not restarted: journalctl -u ${each%:*}"
    wait_until is_ready "${each##*:}" || give_up "${each%:*} is not ready after $WITHIN s: journalctl -u ${each%:*}"
    wait_until all_serve || give_up "the balancer does not use $SERVERS servers again after ${each%:*}"
  done
}

is_ready() { curl -sf -o /dev/null --max-time 5 "http://127.0.0.1:$1/ready"; }

all_serve() { [ -z "${SERVERS:-}" ] || [ "$(curl -sf --max-time 5 "$STATUS_URL")" = "$SERVERS" ]; }

wait_until() {
  left=$WITHIN
  until "$@"; do
    [ "$left" -gt 0 ] || return 1
    left=$((left - 1))
    sleep 1
  done
}

give_up() {
  echo "$1" >&2
  exit 1
}

main "$@"
