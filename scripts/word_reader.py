#!/usr/bin/env python3
"""A reader without a model, behind OpenAI's chat completions: it answers with the sentence of the passages that shares most
words with the question, the first of equal ones. It sees no positions, so that what answers lose at the back is retrieval's.

Usage: scripts/word_reader.py [--port 18053]
"""

import argparse
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMON = set("a an and are as at be by did do does for from had has have how in is it of on or that the their to was were "
             "what when where which who whom whose why will with".split())


def words(text):
    return set(re.findall(r"\w+", text.lower())) - COMMON


def answer(prompt):
    passages, _, question = prompt.partition("\nQuestion:")
    wanted = words(question.partition("\nAnswer:")[0])
    sentences = re.split(r"(?<=[.!?])\s+|\n+", passages.partition("\n\n")[2])
    return max(sentences, key=lambda sentence: len(words(sentence) & wanted))


class Reader(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = answer(asked["messages"][-1]["content"])
        body = json.dumps({"choices": [{"index": 0, "finish_reason": "stop",
                                        "message": {"role": "assistant", "content": reply}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--port", type=int, default=18053)
    ThreadingHTTPServer(("127.0.0.1", options.parse_args().port), Reader).serve_forever()
