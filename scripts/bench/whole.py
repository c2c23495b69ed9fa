#!/usr/bin/env python3
"""A side of a duel that is a whole process: whole.py [--fresh FOLDER] COMMAND...; a task is one run of the command, from its start to its end.

The folder of --fresh is deleted before each run. The command's last line of output, if it has any, is printed with the rate.
"""
import shutil
import subprocess
import sys
import time

arguments = sys.argv[1:]
fresh = None
if arguments[0] == "--fresh":
    fresh, arguments = arguments[1], arguments[2:]
print("ready", flush=True)
for _ in sys.stdin:
    if fresh:
        shutil.rmtree(fresh, ignore_errors=True)
    start = time.perf_counter()
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    lines = done.stdout.strip().splitlines()
    print(seconds, 1, f"{seconds:.1f} s last;", lines[-1].strip() if lines else "", flush=True)
