#!/usr/bin/env python3
"""A chat server for scripts/outputs/run: answers each prompt by a rule, always the same.

Usage: chat.py PORT
"""
import hashlib
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Chat(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["messages"][-1]["content"]
        digest = hashlib.sha256(prompt.encode()).digest()
        if body["model"] == "judge":
            text = "Yes" if digest[0] % 2 else "No"
        else:
            words = prompt.split()
            text = " ".join(words[digest[0] % max(1, len(words) - 2):][:2])
        reply = {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Chat).serve_forever()
