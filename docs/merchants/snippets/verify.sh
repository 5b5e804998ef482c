# Prints what X-Service-Signature has to be for the raw body in body.json, and fails for an event of the other mode.
printf 'sha256=%s\n' "$(openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r body.json | cut -d ' ' -f 1)"
grep -Eq "\"mode\": ?\"${WEBHOOK_MODE:-live}\"" body.json || { echo 'an event of the other mode' >&2; exit 1; }
