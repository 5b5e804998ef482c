curl --fail-with-body --silent --show-error "$QUITTANCE_URL/v1/transactions/create" \
  -H "Authorization: Bearer $QUITTANCE_KEY" \
  -H 'Content-Type: application/json' \
  -H 'X-Idempotency-Key: order-1042' \
  -d '{"crypto": "LTC", "amount": 25, "currency_fiat": "EUR", "metadata": {"order": "1042"}}'
