"""What the worker sees inside models: against posbias's former engine in Java, against plain autograd, and against NumPy.
# environment: today

scripts/peers/run [--quick] inside

java       gradients, layers and parts by token of tiny BERTs and RoBERTas, which PyTorch in Java computed (inside-java.json), to 1e-5
           of the largest number
numpy      parts by token and layers of the same models, and of random ones of their shapes, in doubles by scripts/tests/decompx_golden.py and
           layers_golden.py
families   gradients of small random models of each family, through their own classes and the templates of their tokenizers, against
           autograd through inputs_embeds; padded batches against single texts; bfloat16
curves     `posbias diagnose saliency` of the two classes of PosIR's Figure 5 with random weights, beside the authors' curves of trained ones
custom     a model whose code lies beside it (auto_map), with attention to latent vectors, as NV-Embed has; --trust-remote-code runs it

The exit code is 1 if a difference is over its limit.
"""
import importlib.util
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TRANSFORMERS_VERBOSITY="error")
HOME = pathlib.Path(tempfile.mkdtemp())
os.environ["HF_HOME"] = str(HOME / "hub")

import layouts
import numpy
import sentence_transformers
import torch
import transformers
from tiny import MODELS, tiny

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST, MOST_BFLOAT16 = 1e-5, 5e-2
FAMILIES = ["bert", "roberta", "xlm-roberta", "mpnet", "modernbert", "qwen3", "mistral", "gemma3"]
QUICK = ["modernbert", "qwen3", "gemma3"]
failed = []


def worker():
    spec = importlib.util.spec_from_file_location("posbias_worker_script", ROOT / "scripts/workers/sentence_transformers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WORKER = worker()


def opened(folder, *more):
    given = WORKER.options(["--model", str(folder), *more])
    return WORKER.load(given, {"gives": "dense", "device": "cpu", "threads": 2})[0]


def check(name, found, expected, most=MOST):
    """Compares numbers by the largest."""
    found, expected = numpy.asarray(found, "float64").reshape(-1), numpy.asarray(expected, "float64").reshape(-1)
    same = found.shape == expected.shape
    off = float(abs(found - expected).max() / abs(expected).max()) if same else float("inf")
    print(f"{name:44} {off:.1e}{'' if off <= most else '  over ' + str(most)}", flush=True)
    if not off <= most:
        failed.append(name)


# Against Java, and NumPy.


def java():
    recorded = json.loads((pathlib.Path(__file__).parent / "inside-java.json").read_text())
    for row in recorded["rows"]:
        settings = {name: row[name] for name in ("pooling", "head", "normalise", "prompt")}
        model = opened(tiny(HOME, row["family"], recorded["tokenizer"], **settings))
        name = f"java {row['family']} {row['pooling']}{' head' * row['head']}{' dot' * (not row['normalise'])}{' prompt' * bool(row['prompt'])}"
        query, _ = model.encode({"texts": [row["query"]], "role": "query"})
        check(name + " query", query, row["query_vector"])
        numbers, header = model.gradients({"texts": [row["passage"]], "directions": [[row["query_vector"]]]})
        check(name + " gradient", numbers, row["norms"])
        check(name + " score", header["scores"], row["score"])
        if header["spans"] != [row["spans"]] or header["cut"] != [True]:
            failed.append(name + " spans")
        for biases in ("absdot", "equal"):
            request = {"texts": [row["passage"]], "role": "passage", "biases": biases}
            check(f"{name} {biases}", model.contributions(request)[0], row[biases])
        if "layers" in row:
            numbers, header = model.layers({"texts": [row["passage"]], "parts": 5})
            check(name + " layers", numbers, row["layers"])


def in_doubles():
    """The parts of the last hidden states: cls is the first row, mean the mean of all."""
    tokenizer = json.loads((pathlib.Path(__file__).parent / "inside-java.json").read_text())["tokenizer"]
    for family, rows in json.loads((MODELS / "decompx.json").read_text()).items():
        for row in rows:
            for pooling in ("cls", "mean"):
                model = opened(tiny(HOME, family, tokenizer, pooling, normalise=False))
                features = {
                    "input_ids": torch.tensor([row["ids"]]),
                    "token_type_ids": torch.tensor([row["types"]]),
                    "attention_mask": torch.ones(1, len(row["ids"]), dtype=torch.long),
                }
                for biases in ("absdot", "equal"):
                    found = WORKER.decompx.parts(model, features, biases)
                    check(f"numpy {family} {pooling} {biases}, {len(row['ids'])} tokens", found, row[biases][pooling])


def layers_in_doubles():
    tokenizer = json.loads((pathlib.Path(__file__).parent / "inside-java.json").read_text())["tokenizer"]
    for case in json.loads((MODELS / "layers.json").read_text()):
        model = opened(tiny(HOME, case["family"], tokenizer, case["pooling"], prompt=case["prompt"], include_prompt=True))
        if case["seed"] is not None:
            model.randomise({"seed": case["seed"]})
        numbers, header = model.layers({"texts": [case["text"]], "parts": 5})
        name = f"numpy layers {case['family']}, seed {case['seed']}, {len(case['text']) // 2} tokens"
        check(name, numbers, case["layers"])
        if header["cut"] != [case["cut"]]:
            failed.append(name + " cut")


# Against plain autograd.


def plain(model, text, direction):
    """Norms of the gradients of a text's tokens, special ones and the prompt's included."""
    tokenizer, whole = model.model.tokenizer, model.model
    bare = whole[0].auto_model
    given = tokenizer(model.prompts["passage"] + text, return_tensors="pt", truncation=True, max_length=whole.max_seq_length)
    embedded = bare.get_input_embeddings()(given["input_ids"]).detach().requires_grad_(True)
    kinds = {"token_type_ids": given["token_type_ids"]} if "token_type_ids" in given else {}
    states = bare(inputs_embeds=embedded, attention_mask=given["attention_mask"], **kinds).last_hidden_state[0]
    mode = whole[1].pooling_mode
    vector = {"cls": states[0], "lasttoken": states[-1], "mean": states.mean(0)}[mode]
    for part in list(whole)[2:]:
        if type(part).__name__ == "Dense":
            vector = part.activation_function(part.linear(vector))
    vector = vector / vector.norm()
    score = vector @ torch.tensor(direction)
    (gradient,) = torch.autograd.grad(score, embedded)
    return gradient[0].norm(dim=-1).numpy(), score.item()


def in_bfloat16(built, name, texts, query):
    """Compares 16 bits with 32, with weights as small as those that models are trained from."""
    source = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for own, weight in built[0].auto_model.named_parameters():
            weight.copy_(0.02 * torch.randn(weight.shape, generator=source) if weight.ndim > 1 else weight.mean())
    folder = HOME / "bfloat16"
    built.save(str(folder))
    whole, half = opened(folder), opened(folder, "--dtype", "bfloat16")
    directions = whole.encode({"texts": [query], "role": "query"})[0].tolist()
    request = {"texts": texts, "directions": [directions] * len(texts)}
    check(name + ", bfloat16", half.gradients(request)[0], whole.gradients(request)[0], MOST_BFLOAT16)


def families():
    queries, passages, corpus = layouts.texts()
    texts = list(passages.values())[:6]
    for family in QUICK if "--quick" in sys.argv else FAMILIES:
        for pooling in ("mean", "cls", "lasttoken"):
            # The first tokens of a causal model are the same in all texts: their vectors have no gradient.
            if pooling == "cls" and family in ("qwen3", "mistral"):
                continue
            built = layouts.dense(family, corpus)
            built[1].pooling_mode = pooling
            folder = HOME / f"{family}-{pooling}"
            built.save(str(folder))
            model = opened(folder)
            directions = model.encode({"texts": [queries["q1"]], "role": "query"})[0]
            directions = (directions / numpy.linalg.norm(directions)).tolist()
            numbers, header = model.gradients({"texts": texts, "directions": [directions] * len(texts)})
            singles, at, name = [], 0, f"{family} {pooling}"
            found, expected, scores = [], [], []
            for text, spans in zip(texts, header["spans"]):
                norms, score = plain(model, text, directions[0])
                row = model.rows(model.features([text], "passage"), [text], "passage")[0]
                found.append(numbers[at : at + len(spans)])
                expected.append(norms[row.first : row.first + len(spans)])
                scores.append(score)
                singles.append(model.gradients({"texts": [text], "directions": [directions]})[0])
                at += len(spans)
            check(name, numpy.concatenate(found), numpy.concatenate(expected))
            check(name + ", score", header["scores"], [[score] for score in scores])
            check(name + ", padded against single", numbers, numpy.concatenate(singles))
            # The states of closing tokens hardly depend on the text where weights are small, but in causal models.
            if pooling == ("lasttoken" if family in ("qwen3", "mistral") else "mean"):
                in_bfloat16(built, name, texts, queries["q1"])
            for note in header["notes"]:
                print("   ", note)
            layers, told = model.layers({"texts": texts[:2], "parts": 5})
            states = layers.reshape(2, told["layers"][0], 6, -1)[:, -1, 0]
            bare = sentence_transformers.SentenceTransformer(modules=list(model.model)[:2])
            check(name + ", last layer", states, bare.encode(texts[:2], prompt=model.prompts["passage"]))


# A model whose code lies beside it.

LATENT = '''
import torch
from transformers import MistralConfig, MistralModel, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput


class LatentConfig(MistralConfig):
    model_type = "latent"


class LatentModel(PreTrainedModel):
    """A bidirectional Mistral, and attention of its states to latent vectors."""

    config_class = LatentConfig

    def __init__(self, config):
        super().__init__(config)
        self.embedding_model = MistralModel(config)
        self.latents = torch.nn.Parameter(torch.randn(8, config.hidden_size))
        self.maps = torch.nn.Linear(config.hidden_size, config.hidden_size)
        self.post_init()

    def forward(self, input_ids=None, attention_mask=None, inputs_embeds=None, **kwargs):
        closed = torch.finfo(self.dtype).min * (1 - attention_mask[:, None, None, :].to(self.dtype))
        whole = closed.expand(-1, 1, attention_mask.shape[1], -1)
        states = self.embedding_model(input_ids=input_ids, inputs_embeds=inputs_embeds, attention_mask=whole).last_hidden_state
        weights = (states @ self.latents.T / states.shape[-1] ** 0.5).softmax(-1)
        return BaseModelOutput(last_hidden_state=self.maps(weights @ self.latents) + states)

    def get_input_embeddings(self):
        raise NotImplementedError
'''


def custom():
    queries, passages, corpus = layouts.texts()
    texts = list(passages.values())[:4]
    folder = HOME / "latent"
    folder.mkdir()
    (folder / "modeling_latent.py").write_text(LATENT)
    spec = importlib.util.spec_from_file_location("modeling_latent", folder / "modeling_latent.py")
    code = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(code)
    files = layouts.tokenizer("mistral", corpus, "mistral")
    tokens = transformers.AutoTokenizer.from_pretrained(files)
    config = code.LatentConfig(
        vocab_size=len(tokens), **layouts.DECODER, sliding_window=None, pad_token_id=2, bos_token_id=1, eos_token_id=2
    )
    config.auto_map = {"AutoConfig": "modeling_latent.LatentConfig", "AutoModel": "modeling_latent.LatentModel"}
    layouts.randomise(code.LatentModel(config), 5).save_pretrained(folder)
    tokens.save_pretrained(folder)
    whole = HOME / "latent-whole"
    built = sentence_transformers.SentenceTransformer(
        str(folder), trust_remote_code=True, prompts={"query": "Instruct: Find it\nQuery: "}
    )
    built.max_seq_length = layouts.LIMIT
    built.append(layouts.module("Normalize")())
    built.save(str(whole))
    if not (whole / "modeling_latent.py").exists():
        (whole / "modeling_latent.py").write_text(LATENT)
    model = opened(whole, "--trust-remote-code")
    directions = model.encode({"texts": [queries["q1"]], "role": "query"})[0].tolist()
    numbers, header = model.gradients({"texts": texts, "directions": [directions] * len(texts)})
    expected, at = [], 0
    bare = model.transformer
    bare.get_input_embeddings = lambda: bare.embedding_model.embed_tokens
    for text, spans in zip(texts, header["spans"]):
        norms, _ = plain(model, text, directions[0])
        row = model.rows(model.features([text], "passage"), [text], "passage")[0]
        expected.append(norms[row.first : row.first + len(spans)])
    # The softmax over latent vectors is sharp: its rounding is larger.
    check("custom latent", numbers, numpy.concatenate(expected), 5 * MOST)


def refused():
    """From here on no code of models runs in this process."""
    try:
        opened(HOME / "latent-whole")
        failed.append("custom code ran")
    except SystemExit as no:
        print("custom, not trusted:", no)


# Beside PosIR's Figure 5.


def curves():
    """Prints curves of `diagnose saliency` for random models of two classes, beside those that PosIR's authors released for trained ones."""
    published = pathlib.Path(os.environ.get("SHARED", "../shared")) / "data/published"
    models = {"Qwen3 class": ("qwen3-lasttoken", ""), "NV-Embed-like": ("latent-whole", "--trust-remote-code")}
    columns = {}
    for name in ("nv-embed-v2", "qwen3-embedding-8b"):
        if (file := published / f"posir-figure5-{name}.csv").exists():
            columns[name] = [float(line.split(",")[1]) for line in file.read_text().split()[1:]]
    for name, (folder, trust) in models.items():
        out = HOME / f"{folder}-curve"
        command = [*shlex.split(os.environ["POSBIAS"]), "diagnose", "saliency", "--model", f"st:{HOME / folder}", "--dataset", "demo"]
        command += ["--method", "gradient", "--n", "40", "--out", str(out), *trust.split()]
        ended = subprocess.run(command, env={**os.environ, "POSBIAS_PYTHON": sys.executable}, capture_output=True, text=True)
        if ended.returncode:
            failed.append(f"curve of {name}: {ended.stderr.strip()}")
            return
        (result,) = out.glob("**/result.json")
        columns[name] = [point["mean"] for point in json.loads(result.read_text())["saliency"]["points"]]
    print("saliency by place, of the 99th percentile:", ", ".join(columns))
    for place in (0, 1, 2, 5, 10, 25, 50, 75, 90, 95, 97, 98, 99):
        print(f"{place / 99:.2f}", *(f"{values[place]:.3f}" for values in columns.values()))


# Without trust, the worker shuts its process to code of models: first what runs some.
for part in (custom, refused, java, in_doubles, layers_in_doubles, families, curves):
    part()
if failed:
    sys.exit(f"peers: inside: {len(failed)} differences: {', '.join(failed)}")
