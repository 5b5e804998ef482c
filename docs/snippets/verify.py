import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers["Content-Length"]))
        expected = "sha256=" + hmac.new(SECRET, raw_body, hashlib.sha256).hexdigest()
        given = self.headers.get("X-Service-Signature", "")
        if hmac.compare_digest(expected.encode(), given.encode()):
            event = json.loads(raw_body)
            print(event["id"], event["event"], flush=True)  # Store it here, unless its id is there already.
            self.send_response(204)
        else:
            self.send_response(400)
        self.end_headers()


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver)
print("listening on port", server.server_port, flush=True)
server.serve_forever()
