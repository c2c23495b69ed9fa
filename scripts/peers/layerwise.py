"""Compares the worker's layerwise reranker with FlagEmbedding's on tiny random models of its architecture.
# environment: flagembedding

scripts/peers/run layerwise

The recipe bge-reranker-v2-minicpm-layerwise runs with the folder of a model of 40 layers of 32 numbers, whose tokenizer was trained on
XQuAD and whose own Python code is FlagEmbedding's; that is copied into the folder, and stays in target/peers. FlagEmbedding's
compute_score gives the expected numbers. The exit code is 1 if a score differs by more than 1e-5 of the largest, or a count of
truncated texts.
"""
import inspect
import json
import os
import pathlib
import shutil
import subprocess
import sys
import warnings

warnings.filterwarnings("ignore")
os.environ["TQDM_DISABLE"] = "1"

import numpy
import torch
import transformers
import yaml
from FlagEmbedding import LayerWiseFlagLLMReranker
from FlagEmbedding.inference.reranker.decoder_only.models import configuration_minicpm_reranker as configuration
from FlagEmbedding.inference.reranker.decoder_only.models import modeling_minicpm_reranker as modeling

import layouts
from common import posbias

RECIPE = "bge-reranker-v2-minicpm-layerwise"
# padding side, layer, tokens
CASES = [("right", 28, 64), ("left", 28, 64), ("left", 8, 8192), ("right", 40, 512)]
MOST = 1e-5


def saved(side, corpus):
    """Returns the folder of a model whose code needs transformers alone, as on the Hub."""
    folder = layouts.WORK / f"layerwise-{side}"
    shutil.rmtree(folder, ignore_errors=True)
    tokens = layouts.tokenizer("mistral", corpus, "minicpm")
    config = json.loads((tokens / "tokenizer_config.json").read_text())
    (tokens / "tokenizer_config.json").write_text(
        json.dumps({**config, "padding_side": side, "model_max_length": 10**30, "add_eos_token": False})
    )
    tokenizer = transformers.AutoTokenizer.from_pretrained(tokens)
    # As the published config.json says, but for the sizes.
    settings = configuration.LayerWiseMiniCPMConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=48, num_hidden_layers=40, num_attention_heads=4,
        max_position_embeddings=64, start_layer=8, head_multi=True, head_type="simple", scale_emb=12, scale_depth=1.4,
        dim_model_base=256, rms_norm_eps=1e-5, use_cache=False, bos_token_id=1, eos_token_id=2,
        auto_map={
            "AutoConfig": "configuration_minicpm_reranker.LayerWiseMiniCPMConfig",
            "AutoModelForCausalLM": "modeling_minicpm_reranker.LayerWiseMiniCPMForCausalLM"})  # fmt: skip
    layouts.randomise(modeling.LayerWiseMiniCPMForCausalLM(settings), 7).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    shutil.copy(inspect.getsourcefile(configuration), folder)
    code = pathlib.Path(inspect.getsourcefile(modeling)).read_text()
    own = "from FlagEmbedding.utils.transformers_compat import"
    if own not in code:
        sys.exit(f"peers: {modeling.__file__} no longer imports a name by '{own}'")
    code = code.replace(own, "from transformers.utils.import_utils import")
    (folder / "modeling_minicpm_reranker.py").write_text(code)
    return folder


def recipe(folder, side, layer, most):
    """Writes the built-in recipe with another model, layer and length; returns its file."""
    done = subprocess.run([os.environ["POSBIAS"], "models", "info", RECIPE], capture_output=True, text=True, check=True)
    record = yaml.safe_load(done.stdout)
    command = record["command"]
    for option, value in (("--model", str(folder)), ("--cutoff-layer", str(layer)), ("--max-tokens", str(most))):
        command[command.index(option) + 1] = value
    record.pop("hub-names")
    record["name"] = f"layerwise-{side}-{layer}-{most}"
    file = layouts.WORK / f"{record['name']}.yaml"
    file.write_text(json.dumps(record))
    return file


def expected(folder, layer, most, queries, passages):
    """Returns FlagEmbedding's scores, and how many queries and pairs are truncated."""
    model = LayerWiseFlagLLMReranker(
        str(folder), devices="cpu", use_fp16=False, cutoff_layers=[layer], max_length=most, batch_size=32
    )
    pairs = [(query, passage) for query in queries.values() for passage in passages.values()]
    scores = model.compute_score(pairs)

    def length(text):
        return len(model.tokenizer(text, add_special_tokens=False)["input_ids"])

    constants = inspect.unwrap(LayerWiseFlagLLMReranker.compute_score_single_gpu).__code__.co_consts
    question = next(text for text in constants if isinstance(text, str) and text.startswith("Given a query A"))
    most_query, more = most * 3 // 4, length(question)
    asked = [length(f"A: {query}") for query in queries.values()]
    read = [length(f"B: {passage}") for passage in passages.values()]
    cut = sum(min(most, most + more - 1 - min(query, most_query)) < passage for query in asked for passage in read)
    shape = len(queries), len(passages)
    return numpy.asarray(scores, dtype="float64").reshape(shape), (sum(query > most_query for query in asked), cut)


def main():
    os.environ.setdefault("POSBIAS_HOME", str(layouts.ROOT / "target/peers/home"))
    os.environ.setdefault("POSBIAS", layouts.POSBIAS)
    torch.set_num_threads(1)
    layouts.WORK.mkdir(parents=True, exist_ok=True)
    queries, passages, corpus = layouts.texts()
    layouts.benchmark(queries, passages)
    folders = {side: saved(side, corpus) for side in ("left", "right")}
    files = {recipe(folders[case[0]], *case): case for case in CASES}
    results = layouts.WORK / "results/layerwise"
    shutil.rmtree(results, ignore_errors=True)
    command = ["eval", "--dataset", str(layouts.WORK / "texts"), "--first-stage", str(layouts.WORK / "all.trec.gz"), "--depth", "100"]
    command += ["--blind", "none", "--draws", "0", "--threads", "1", "--no-cache", "--results", str(results), "--model"]
    os.environ["POSBIAS_PYTHON"] = sys.executable
    wrong = []
    refused = subprocess.run([os.environ["POSBIAS"], *command, str(next(iter(files)))], capture_output=True, text=True)
    if refused.returncode != 1 or "--trust-remote-code" not in refused.stderr:
        wrong.append(f"code of a folder without consent: exit code {refused.returncode}, {refused.stderr}")
    posbias(*command, ",".join(map(str, files)), "--trust-remote-code")
    for file, (side, layer, most) in files.items():
        scores, cut = expected(folders[side], layer, most, queries, passages)
        row = layouts.compare(results / "texts" / file.stem, "cross", scores, cut, queries, passages)
        print(f"padding {side}, layer {layer}, {most} tokens: {row}", flush=True)
        if row["difference"] > MOST or row["rankings"][0] != row["rankings"][1] or row["cut"] != row["expected"]:
            wrong.append(f"{file.stem}: {row}")
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
