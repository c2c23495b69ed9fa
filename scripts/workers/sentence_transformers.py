#!/usr/bin/env python3
"""Worker of posbias for models that sentence-transformers or PyLate load, and layerwise rerankers; docs/worker.md has the protocol.

python3 scripts/workers/sentence_transformers.py --model DIR_OR_NAME [options]
python3 scripts/workers/sentence_transformers.py --versions

It reads requests from standard input and writes answers to standard output, until its standard input ends. Its parts are in
posbias_worker. The package posbias of Python loads this file as a module, for models in memory.
"""
import json
import os
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
# This file has the library's name, and Python looks beside it first: its folder is in the path for the worker's own parts alone.
sys.path = [HERE, *(folder for folder in sys.path if os.path.abspath(folder or ".") != HERE)]
from posbias_worker import decompx  # noqa: E402, F401
from posbias_worker.loading import gives, in_memory, load, options, versions  # noqa: E402
from posbias_worker.protocol import answer, error, read, watch  # noqa: E402
from posbias_worker.rerankers import Layerwise  # noqa: E402, F401
from posbias_worker.trust import confine  # noqa: E402, F401

sys.path.remove(HERE)
__all__ = ["Layerwise", "answer", "confine", "decompx", "error", "gives", "in_memory", "load", "options", "read", "versions"]


def main():
    if sys.argv[1:] == ["--versions"]:
        print(json.dumps(versions()))
        return
    given = options()
    # What libraries print must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    threading.Thread(target=watch, args=[os.getppid()], daemon=True).start()
    model = None
    while (request := read(sys.stdin.buffer)) is not None:
        try:
            if request["do"] == "start":
                model, told = load(given, request)
                answer(answers, told)
            elif request["do"] == "train":
                from posbias_worker.training import train

                train(model, request, lambda: read(sys.stdin.buffer), lambda header: answer(answers, header))
            else:
                numbers, header = getattr(model, request["do"])(request)
                answer(answers, header, numbers)
        except (Exception, SystemExit) as failure:  # the line is posbias's to print
            import traceback

            traceback.print_exc()
            answer(answers, {"error": error(failure)})


if __name__ == "__main__":
    main()
