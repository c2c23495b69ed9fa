"""The worker that posbias starts for a model in the memory of the Python process that started posbias.

It connects to that process on the loopback interface, proves with a token from its environment that it is a descendant of
it, and copies the messages of docs/worker.md between its standard streams and the socket. Its arguments only name the
model: posbias keeps results and cached vectors by them.
"""

import os
import socket
import sys
import threading

VARIABLE = "POSBIAS_BRIDGE"
PIECE = 1 << 16


def forward(connection: socket.socket) -> None:
    while content := os.read(0, PIECE):
        connection.sendall(content)
    connection.shutdown(socket.SHUT_WR)


def main() -> None:
    port, _, token = os.environ[VARIABLE].partition(":")
    with socket.create_connection(("127.0.0.1", int(port))) as connection:
        connection.sendall(token.encode())
        threading.Thread(target=forward, args=[connection], daemon=True).start()
        while content := connection.recv(PIECE):
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
