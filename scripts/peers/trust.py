"""Folders of models that name or hold code of their own, which the worker for st: runs only with --trust-remote-code.
# environment: today yesterday pylate

scripts/peers/run trust

Each folder's code leaves a file where it runs: by modules.json, a router, a tokenizer, an activation function, auto_map, a pickle.
The exit code is 1 if one does without --trust-remote-code, or is not refused; if a sound model is refused; or if the first case's code
does not run with --trust-remote-code, so that this program would notice nothing.
"""
import importlib.util
import json
import os
import pathlib
import shutil
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
os.environ["HF_HUB_OFFLINE"] = "1"
HOME = pathlib.Path(tempfile.mkdtemp())
# Where transformers copies code of models.
os.environ["HF_HOME"] = str(HOME / "hub")

import sentence_transformers
import torch
import transformers

WORKER = pathlib.Path(__file__).resolve().parents[1] / "workers" / "sentence_transformers.py"
MARK = HOME / "ran"
EVIL = f"""
open({str(MARK)!r}, "w").close()
from torch import nn

class Evil(nn.Module):
    config_keys = []
    load = classmethod(lambda kind, *given, **settings: kind())

    def forward(self, features):
        return features
"""


class Pickled:
    def __reduce__(self):
        return os.mkdir, (str(MARK),)


def saved():
    """Returns the folders of a bi-encoder and a reranker of random weights."""
    letters = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz"]
    (HOME / "vocab.txt").write_text("\n".join(letters))
    tokenizer = transformers.BertTokenizerFast(str(HOME / "vocab.txt"))
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.BertConfig(vocab_size=len(letters), max_position_embeddings=64, num_labels=1, **sizes)
    for kind, name in ((transformers.BertModel, "bert"), (transformers.BertForSequenceClassification, "reranker")):
        kind(config).save_pretrained(HOME / name)
        tokenizer.save_pretrained(HOME / name)
    from sentence_transformers.models import Dense, Pooling, Transformer

    modules = [Transformer(str(HOME / "bert")), Pooling(32, "mean"), Dense(32, 16)]
    sentence_transformers.SentenceTransformer(modules=modules, device="cpu").save(str(HOME / "encoder"))
    return HOME / "encoder", HOME / "reranker"


def remove(mark):
    if mark.is_dir():
        mark.rmdir()
    mark.unlink(missing_ok=True)


def changed(file, **fields):
    file.write_text(json.dumps({**json.loads(file.read_text()), **fields}))


def added(folder, kind, *, alone=False, **config):
    """Adds a module to a model, or makes it the only one."""
    (folder / "3_Own").mkdir()
    for name in ("config.json", "wordembedding_config.json", "router_config.json"):
        (folder / "3_Own" / name).write_text(json.dumps(config))
    modules = json.loads((folder / "modules.json").read_text())
    own = {"idx": 3, "name": "3", "path": "3_Own", "type": kind}
    (folder / "modules.json").write_text(json.dumps([own] if alone else [*modules, own]))


def pickled(folder):
    (folder / "2_Dense" / "model.safetensors").unlink()
    torch.save({"linear.weight": Pickled()}, folder / "2_Dense" / "pytorch_model.bin")


def unknown(folder):
    names = {"AutoConfig": "evil.Evil", "AutoModel": "evil.Evil", "AutoModelForSequenceClassification": "evil.Evil"}
    changed(folder / "config.json", model_type="evil", auto_map=names)


def cases(encoder, reranker):
    """Yields the name of a case, the model that it changes, the change and the kind of answers."""
    route = {"types": {"a": "evil.Evil"}, "structure": {"query": ["a"], "document": ["a"]}, "parameters": {}}
    words = {"tokenizer_class": "evil.Evil", "update_embeddings": False, "max_seq_length": 9}
    library = "sentence_transformers.models."
    dense, run = "2_Dense/config.json", "http.server.BaseHTTPRequestHandler"
    yield "module", encoder, lambda folder: added(folder, "evil.Evil"), "dense"
    yield "module, of SparseEncoder", encoder, lambda folder: added(folder, "evil.Evil"), "sparse"
    yield "module, of a late model", encoder, lambda folder: added(folder, "evil.Evil"), "late-interaction"
    yield "module named as PyLate", encoder, lambda folder: added(folder, "pylate.Evil"), "dense"
    yield "module of another package", encoder, lambda folder: added(folder, "pickle._Unpickler"), "dense"
    yield "module of a router", encoder, lambda folder: added(folder, library + "Router", alone=True, **route), "dense"
    yield "tokenizer of words", encoder, lambda folder: added(folder, library + "WordEmbeddings", alone=True, **words), "dense"
    yield "activation", encoder, lambda folder: changed(folder / dense, activation_function=run), "dense"
    yield "activation of torch", encoder, lambda folder: changed(folder / dense, activation_function="torch.hub.list"), "dense"
    act = {"sentence_transformers": {"activation_fn": "evil.Evil"}}
    yield "activation of a reranker", reranker, lambda folder: changed(folder / "config.json", **act), "cross-encoder"
    old = {"sbert_ce_default_activation_function": "torch.hub.list"}
    yield "activation, older field", reranker, lambda folder: changed(folder / "config.json", **old), "cross-encoder"
    yield "auto_map", encoder, unknown, "dense"
    yield "auto_map of a reranker", reranker, unknown, "cross-encoder"
    yield "pickle", encoder, pickled, "dense"
    identity = "torch.nn.modules.linear.Identity"
    yield "sound", encoder, lambda folder: changed(folder / dense, activation_function=identity), "dense"
    act = {"sentence_transformers": {"activation_fn": "torch.nn.modules.activation.Sigmoid"}}
    yield "sound reranker", reranker, lambda folder: changed(folder / "config.json", **act), "cross-encoder"
    known = {"auto_map": {"AutoModel": "evil.Evil"}}
    yield "sound, auto_map of a known type", encoder, lambda folder: changed(folder / "config.json", **known), "dense"


def opened(worker, folder, gives, *trust):
    """Opens a model in a child process and returns the error, or its notes."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            given = worker.options(["--model", str(folder), *trust])
            said = " ".join(["opened", *worker.load(given, {"gives": gives, "device": "cpu"})[1].get("notes", [])])
        except BaseException as failure:
            said = worker.error(failure)
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as said:
        return said.read()


def cached(worker):
    """Executes a file of the Hub's cache, as libraries of kernels do, in a process that may not."""
    file = HOME / "hub" / "hub" / "kernel.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(EVIL)
    if os.fork() == 0:
        try:
            worker.confine(worker.options(["--model", "ORG/NAME"]))
            exec(compile(file.read_text(), file, "exec"), {})
        finally:
            os._exit(0)
    os.wait()
    return MARK.exists()


def main():
    spec = importlib.util.spec_from_file_location("posbias_worker", WORKER)
    worker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(worker)
    failed = []
    for number, (name, model, change, gives) in enumerate(cases(*saved())):
        folder = HOME / f"case{number}"
        shutil.copytree(model, folder)
        for module in ("evil.py", "pylate.py"):
            (folder / module).write_text(EVIL)
        change(folder)
        said = opened(worker, folder, gives)
        is_sound = name.startswith("sound")
        if MARK.exists() or said.startswith("opened") != is_sound:
            failed.append(name)
        print(f"{name:32} {'RAN' if MARK.exists() else 'did not run'}: {said.replace(str(folder), 'FOLDER')}"[:160], flush=True)
        remove(MARK)
        if number == 0:
            opened(worker, folder, gives, "--trust-remote-code")
            if not MARK.exists():
                failed.append("with --trust-remote-code")
            remove(MARK)
    if cached(worker):
        failed.append("code in the Hub's cache")
    shutil.rmtree(HOME)
    if failed:
        sys.exit(f"peers: trust: {', '.join(failed)}")


if __name__ == "__main__":
    main()
