"""Answers posbias's requests for vectors with a model in this process; docs/worker.md has the messages."""

from __future__ import annotations

import hmac
import importlib.util
import json
import secrets
import selectors
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from posbias import _relay
from posbias._command import DISTRIBUTION

if TYPE_CHECKING:
    import numpy

WAIT = 0.2


def _script() -> Any:
    """The worker that posbias carries for sentence-transformers: messages, and encoding with the library's classes."""
    file = DISTRIBUTION / "scripts" / "workers" / "sentence_transformers.py"
    spec = importlib.util.spec_from_file_location("posbias._worker", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Function:
    """Vectors by functions of lists of texts."""

    gives = "dense"

    def __init__(self, model: Any) -> None:
        usual = getattr(model, "encode", model)
        self._by_role = {
            "query": getattr(model, "encode_query", usual),
            "passage": getattr(model, "encode_document", usual),
        }
        # A text has a method encode, too.
        if isinstance(model, (str, bytes)) or not all(map(callable, self._by_role.values())):
            raise TypeError(f"{type(model).__name__} has no method encode and is no function from texts to an array")

    def hello(self) -> dict[str, Any]:
        vectors, _ = self.encode({"texts": ["a"], "role": "passage"})
        return {"dimension": vectors.shape[1], "similarity": "cosine"}

    def encode(self, request: dict[str, Any]) -> tuple[numpy.ndarray[Any, Any], dict[str, Any]]:
        import numpy

        texts = request["texts"]
        vectors = self._by_role[request["role"]](texts)
        # Of a list, numpy asks the rows for their numbers alone.
        array = numpy.asarray(_exact(vectors) if hasattr(vectors, "__array__") else [_exact(row) for row in vectors])
        if array.ndim != 2 or len(array) != len(texts):
            raise ValueError(f"the model returned an array of shape {array.shape} for {len(texts)} texts; it must be (texts, dimensions)")
        with numpy.errstate(over="ignore"):
            single = array.astype(numpy.float32)
        if not numpy.isfinite(single).all() or (single.any(1) != array.any(1)).any():
            raise ValueError("the model returned a number that is missing, infinite, or too large or too small for float32")
        return single, {}


def _exact(values: Any) -> numpy.ndarray[Any, Any]:
    """Returns an array of real numbers; as float32 an imaginary part, a mask, a text and a date would be lost without an error."""
    import numpy

    if hasattr(values, "detach"):  # a tensor of PyTorch, perhaps on a GPU or of bfloat16, which numpy has not
        values = values.detach().cpu()
        values = values.float() if values.element_size() < 4 else values
    array = numpy.asarray(values)
    is_masked, kind = isinstance(values, numpy.ma.MaskedArray), array.dtype
    if is_masked or not (kind.kind in "biuf" and kind.itemsize <= 8 or numpy.can_cast(kind, numpy.float32)):
        raise ValueError(f"the model returned {'a masked array' if is_masked else kind}; vectors are real numbers of at most 64 bits")
    return array


class Bridge:
    """A loopback socket whose clients are answered with a model, if they have the token.

    A client is a worker that posbias started. More than one may be connected, for several benchmarks or strategies; requests
    are answered one after the other, in the thread that calls serve.
    """

    def __init__(self, model: Any, name: str, revision: str | None, similarity: str | None) -> None:
        self._worker = _script()
        known = self._worker.gives(model)
        self._encoder: Any = self._worker.in_memory(model) if known else _Function(model)
        self._gives = known or self._encoder.gives
        named = model if hasattr(model, "__qualname__") else type(model)
        self._kind = f"{named.__module__}.{named.__qualname__}"
        self._device = str(model.device) if known else None
        self._name = name
        # Vectors and results of one call are not taken for those of another one, unless the caller says which weights they are of.
        self._revision = revision or secrets.token_hex(16)
        self._similarity = similarity
        self._token = secrets.token_hex(32).encode()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.failure: Exception | None = None

    def __enter__(self) -> Bridge:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    @property
    def variables(self) -> dict[str, str]:
        """Variables of the environment of posbias: where the socket is, and its token."""
        return {_relay.VARIABLE: f"{self._listener.getsockname()[1]}:{self._token.decode()}"}

    def recipe(self, folder: Path) -> Path:
        """Writes the model's recipe and returns its file."""
        file = folder / "recipe.yaml"
        relay = str(Path(_relay.__file__).resolve())
        command = ["python3", relay, "--object-in-memory", self._kind, "--revision", self._revision]
        # JSON is YAML.
        file.write_text(json.dumps({"name": self._name, "kind": "worker", "gives": self._gives, "command": command}), encoding="utf-8")
        return file

    def serve(self, runs: Callable[[], bool]) -> None:
        """Answers requests until a function says that posbias has ended."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            clients: list[_Client] = []
            try:
                while runs():
                    for key, _ in selector.select(WAIT):
                        if key.data is None:
                            client = _Client(self._listener.accept()[0])
                            clients.append(client)
                            selector.register(client.connection, selectors.EVENT_READ, client)
                        elif not self._serve(key.data):
                            selector.unregister(key.fileobj)
                            key.data.close()
                            clients.remove(key.data)
            finally:
                for client in clients:
                    client.close()

    def _serve(self, client: _Client) -> bool:
        """Reads what a client sent and answers it; returns False if it is to be closed."""
        if not client.admitted:
            return client.identify(self._token)
        try:
            request = self._worker.read(client.stream)
            if request is None:
                return False
            self._worker.answer(client.stream, *self._answer(request))
            return True
        except (OSError, ValueError):  # it was ended in the middle of a message
            return False

    def _answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], Any]:
        try:
            if request["do"] == "start":
                return self._hello(), None
            numbers, header = getattr(self._encoder, request["do"])(request)
            return header, numbers
        except Exception as failure:  # the caller gets it, and posbias its line
            self.failure = failure
            return {"error": self._worker.error(failure)}, None

    def _hello(self) -> dict[str, Any]:
        header = {**self._worker.versions(), **self._encoder.hello(), "protocol": 1, "name": self._name}
        if self._similarity is not None:
            header["similarity"] = self._similarity
        notes = [f"an object in memory, {self._kind}, revision {self._revision}", *header.get("notes", [])]
        return {**header, "device": self._device, "revision": self._revision, "notes": notes}


class _Client:
    """A connection, and what it has sent of the token."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.stream = connection.makefile("rwb")
        self.admitted = False
        self._sent = b""

    def identify(self, token: bytes) -> bool:
        """Reads of the token what has arrived, and no byte behind it; returns False if it is another one."""
        received = self.connection.recv(len(token) - len(self._sent))
        self._sent += received
        if len(self._sent) < len(token):
            return bool(received)
        self.admitted = hmac.compare_digest(self._sent, token)
        return self.admitted

    def close(self) -> None:
        try:
            self.stream.close()
        except OSError:
            pass
        self.connection.close()
