"""Receives Gatehouse's webhooks. Python 3.8 or newer, no packages.

WEBHOOK_SECRET=whsec_... PORT=8080 python3 receiver.py
"""
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()


def is_signed(body: bytes, header: str) -> bool:
    """True when the signature was made over exactly these bytes with our secret."""
    expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), header.encode())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_signed(body, self.headers.get("X-Hub-Signature-256", "")):
            self.send_response(401)
            self.end_headers()
            return
        call = json.loads(body)
        # The same transaction_id can come again: remember what was done, and answer 2xx within 15 seconds.
        print(call["transaction_id"], call["type"], call["reference_user_id"], flush=True)
        self.send_response(204)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
