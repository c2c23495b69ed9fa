#!/usr/bin/env python3
"""Lets programs do the same tasks in turn, A B A B, and prints the best rate of each and their ratio.

A program says "ready", then for every line with a task's name on its input does the task once and answers with two
numbers: seconds, and the work done in the task's unit; words after them are printed with its rate. Only one works at a time; all stay warm.

What else the machine does distorts both rates and ratios, so each turn notes how much of the processors other processes
took meanwhile. Ratios are those of the turns in which that was at most --noise, all turns if there are none such.

    duel.py --rounds 5 --task passages=texts -- posbias java ... -- other python3 ...
"""
import argparse
import os
import statistics
import subprocess
import sys
import time


class Contender:
    def __init__(self, name, command):
        self.name = name
        self.note = ""
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.line() != "ready":
            sys.exit(f"duel: {name} did not start")

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"duel: {self.name} ended with status {self.process.wait()}")
        return line.strip()

    def turn(self, task):
        """The rate, the share of the processors that others took, and the work per second of processor time."""
        busy, own, start = machine_seconds(), self.cpu_seconds(), time.monotonic()
        self.process.stdin.write(task + "\n")
        self.process.stdin.flush()
        seconds, work, *note = self.line().split(maxsplit=2)
        self.note = f" ({note[0]})" if note else ""
        own = self.cpu_seconds() - own
        share = (machine_seconds() - busy - own) / ((time.monotonic() - start) * os.cpu_count())
        return float(work) / float(seconds), max(0.0, share), float(work) / max(own, 1e-9)

    def cpu_seconds(self):
        return sum(map(cpu_seconds, family(self.process.pid)))

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def family(pid):
    """A process and its descendants."""
    yield pid
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as children:
                found = children.read().split()
        except FileNotFoundError:
            # A thread that has ended since it was listed.
            continue
        for child in found:
            yield from family(child)


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    # Its own, and that of its children that ended.
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def machine_seconds():
    """What all processors have worked since the machine started, including what a host took away from them."""
    with open("/proc/stat", encoding="ascii") as stat:
        user, nice, system, _, _, irq, softirq, steal = map(int, stat.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main():
    before, *programs = split(sys.argv[1:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="turns that count, after one that warms up")
    parser.add_argument("--task", action="append", required=True, metavar="NAME=UNIT")
    parser.add_argument("--noise", type=float, default=0.05, help="share of the processors others may take (0.05)")
    options = parser.parse_args(before)
    contenders = [Contender(program[0], program[1:]) for program in programs]
    for entry in options.task:
        measure(contenders, *entry.split("=", 1), options)
    for one in contenders:
        one.stop()


def measure(contenders, task, unit, options):
    turns = [[one.turn(task) for one in contenders] for _ in range(options.rounds + 1)][1:]
    quiet = [turn for turn in turns if max(others for _, others, _ in turn) <= options.noise]
    best = [max(rate for rate, _, _ in column) for column in zip(*(quiet or turns))]
    figures = [f"{one.name} {number(rate)} {unit}/s{one.note}" for one, rate in zip(contenders, best)]
    for i in range(1, len(contenders)):
        pairs = sorted(turn[0][0] / turn[i][0] for turn in quiet or turns)
        processor = statistics.median(turn[0][2] / turn[i][2] for turn in quiet or turns)
        figures.append(f"{contenders[0].name} : {contenders[i].name} = {best[0] / best[i]:.2f}"
                       f" (by turns {pairs[0]:.2f} to {pairs[-1]:.2f}, median {statistics.median(pairs):.2f};"
                       f" by processor time {processor:.2f})")
    noise = statistics.mean(others for turn in turns for _, others, _ in turn)
    figures.append(f"{len(quiet)} of {len(turns)} turns were quiet, others took {noise:.0%} of the processors")
    print(f"{task}: " + "; ".join(figures), flush=True)


def split(arguments):
    """The arguments between one "--" and the next."""
    parts = [[]]
    for argument in arguments:
        if argument == "--":
            parts.append([])
        else:
            parts[-1].append(argument)
    return parts


if __name__ == "__main__":
    main()
