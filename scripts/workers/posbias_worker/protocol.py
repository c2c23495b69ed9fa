"""Messages between posbias and a worker; docs/worker.md describes them."""
import json
import os
import struct
import time

MAGIC = b"PBW1"


def read(requests):
    """Returns the next request of a binary stream, or None at its end."""
    start = requests.read(8)
    if len(start) < 8:
        return None
    if start[:4] != MAGIC:
        raise ValueError("no request of posbias")
    return json.loads(requests.read(struct.unpack("<i", start[4:])[0]))


def answer(answers, header, numbers=None):
    """Writes a header, and float32 numbers of any shape, to a binary stream."""
    content = b""
    if numbers is not None:
        content = numbers.astype("<f4", copy=False).tobytes()
        header = {**header, "numbers": len(content) // 4}
    encoded = json.dumps(header).encode()
    answers.write(MAGIC + struct.pack("<i", len(encoded)) + encoded + content)
    answers.flush()


def watch(parent):
    """Ends this process when posbias was killed and a long request is under way."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def error(failure):
    """Returns one line about an exception."""
    lines = str(failure).strip().splitlines() or [type(failure).__name__]
    return lines[0] if isinstance(failure, SystemExit) else f"{type(failure).__name__}: {lines[0]}"
