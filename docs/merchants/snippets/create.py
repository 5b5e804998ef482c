import json
import os
import sys
import urllib.error
import urllib.request

order = {"crypto": "LTC", "amount": 25, "currency_fiat": "EUR", "metadata": {"order": "1042"}}
request = urllib.request.Request(
    os.environ["QUITTANCE_URL"] + "/v1/transactions/create",
    data=json.dumps(order).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["QUITTANCE_KEY"],
        "Content-Type": "application/json",
        "X-Idempotency-Key": "order-1042",
    },
)
try:
    with urllib.request.urlopen(request, timeout=10) as response:
        print(json.dumps(json.load(response)["data"]))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    sys.exit(f"{problem['error']}: {problem['message']} ({error.headers['X-Request-Id']})")
