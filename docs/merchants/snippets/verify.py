import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
MODE = os.environ.get("WEBHOOK_MODE", "live")
MAX_AGE_SECONDS = 300


def read_event(raw_body, headers):
    """Returns the event; None unless it is signed, recent and of this mode."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + raw_body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(expected, signature.encode()) for signature in signatures):
        return None
    if abs(time.time() - int(timestamp)) > MAX_AGE_SECONDS:
        return None
    event = json.loads(raw_body)
    return event if event.get("mode") == MODE else None


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        event = read_event(self.rfile.read(int(self.headers["Content-Length"])), self.headers)
        if event is not None:
            print(event["id"], event["event"], flush=True)  # Store it here, unless its id is there already.
        self.send_response(400 if event is None else 204)
        self.end_headers()


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver)
print("listening on port", server.server_port, flush=True)
server.serve_forever()
