#!/usr/bin/env python3
"""A side of a duel that is a whole process: whole.py [--fresh FOLDER]... [--share STEP] COMMAND...

A task is one run of the command, from its start to its end. The folders of --fresh are deleted before each run. The command's last line
of output, if it has any, is printed with the rate; with --share the share of the time in steps whose names begin so, by --verbose.
"""
import re
import shutil
import subprocess
import sys
import time

arguments = sys.argv[1:]
fresh = []
share = None
while arguments[0] in ("--fresh", "--share"):
    if arguments[0] == "--fresh":
        fresh.append(arguments[1])
    else:
        share = arguments[1]
    arguments = arguments[2:]
print("ready", flush=True)
for _ in sys.stdin:
    for folder in fresh:
        shutil.rmtree(folder, ignore_errors=True)
    start = time.perf_counter()
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    last = (done.stdout.strip().splitlines() or [""])[-1].strip()
    if share:
        steps = re.findall(rf"^{share}[^\n]*: [\d,]+ in ([\d.]+) s$", done.stderr, re.MULTILINE)
        last = f"{sum(map(float, steps)) / seconds:.0%} of it {share}"
    print(seconds, 1, f"{seconds:.1f} s last;", last, flush=True)
