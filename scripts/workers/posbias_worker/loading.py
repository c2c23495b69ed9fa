"""Arguments of the worker, and the model that they name."""
import argparse
import importlib.metadata
import os
import sys

from posbias_worker.dense import Dense, Sparse
from posbias_worker.late import Late
from posbias_worker.rerankers import Cross, Layerwise
from posbias_worker.texts import classes
from posbias_worker.trust import TRUST, confine, place


def options(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="folder, or name on the Hub, with @REVISION")
    parser.add_argument("--device", help="cpu, cuda, cuda:1 or mps (default: as posbias asks)")
    parser.add_argument("--dtype", default="float32", choices=["float32", "float16", "bfloat16"])
    parser.add_argument("--batch-size", type=int, default=32, help="texts at once (default: 32)")
    parser.add_argument(
        "--max-tokens", type=int, help="tokens read of each text (default: as the model says; layerwise 512)"
    )
    parser.add_argument("--cutoff-layer", type=int, help="layer whose score a layerwise reranker gives")
    parser.add_argument("--query-prompt", help="text before each query (default: as the model's files say)")
    parser.add_argument("--passage-prompt", help="text before each passage (default: as the model's files say)")
    parser.add_argument("--known-query-prompt", default="", help="text before each query if the model's files name none")
    parser.add_argument("--known-passage-prompt", default="", help="text before each passage, likewise")
    parser.add_argument("--instruction-template", help="what a model without prompts needs: posbias's --instruction fills it")
    parser.add_argument("--trust-remote-code", action="store_true", help="run Python code of the model's repository")
    return parser.parse_args(arguments)


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def gives(model):
    """Returns the kind of answers of a loaded model, or None if it is of no class that this worker knows."""
    known = {
        "MultiVectorEncoder": "late-interaction",
        "ColBERT": "late-interaction",
        "SparseEncoder": "sparse",
        "CrossEncoder": "cross-encoder",
        "SentenceTransformer": "dense",
    }
    # PyLate's and sparse models are SentenceTransformers, too.
    return next((known[name] for name in classes(model) if name in known), None)


KINDS = {"dense": Dense, "late-interaction": Late, "cross-encoder": Cross, "sparse": Sparse}


def versions():
    return {
        "versions": {
            package: version(package) for package in ("sentence-transformers", "transformers", "torch", "pylate")
        },
        "python": ".".join(map(str, sys.version_info[:2])),
    }


def in_memory(model):
    """Returns what answers encode requests with a model that is loaded, of a class that gives() knows."""
    return KINDS[gives(model)](options(["--model", "in memory"]), model)


def load(given, request):
    """Opens the model and returns it with what posbias is told of it."""
    name, revision = place(given.model)
    try:
        import torch
        import transformers

        if given.cutoff_layer is None:
            import sentence_transformers
    except ImportError as missing:
        raise SystemExit(f"{missing}: {sys.executable} -m pip install sentence-transformers") from None

    # The last line of standard error is to be an error.
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(max(1, int(request.get("threads", 1))))
    device = given.device or request["device"]
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and torch.cuda.device_count() > 1:
        device = f"cuda:{int(os.environ.get('POSBIAS_WORKER', 0)) % torch.cuda.device_count()}"
    settings = {
        "model_name_or_path": name,
        "device": device,
        "trust_remote_code": given.trust_remote_code,
        "model_kwargs": {"torch_dtype": getattr(torch, given.dtype), "use_safetensors": True},
    }
    if revision:
        settings["revision"] = revision
    kind = KINDS.get(request["gives"])
    if kind is None:
        raise SystemExit(f"this worker gives {', '.join(KINDS)}, not {request['gives']}")
    if given.cutoff_layer is not None:
        if kind is not Cross:
            raise SystemExit(f"--cutoff-layer goes with gives: cross-encoder, not {request['gives']}")
        kind = Layerwise
    try:
        if not given.trust_remote_code:
            confine(given)
        # Weights that the files lack are random.
        torch.manual_seed(0)
        opened = kind.open(given, settings)
    except ValueError as refused:
        if given.trust_remote_code or "trust_remote_code" not in str(refused):
            raise
        raise SystemExit(f"{given.model} has Python code of its own: {TRUST}") from None
    model = kind(given, opened)
    told = {
        "protocol": 1,
        "name": os.path.basename(os.path.normpath(given.model)),
        **versions(),
        "device": device.partition(":")[0],
        "dtype": given.dtype,
        "trust_remote_code": given.trust_remote_code,
        **model.hello(),
    }
    parts = (opened[0] if isinstance(opened, tuple) else opened).modules()
    if given.trust_remote_code:
        told.setdefault("notes", []).append("Python code of the model's repository runs (--trust-remote-code)")
    elif any(getattr(getattr(part, "config", None), "auto_map", None) for part in parts):
        told.setdefault("notes", []).append(f"a class of transformers runs instead of Python code of the model's own: {TRUST}")
    return model, told
