"""Tiny models of scripts/tests/transformer_golden.py as folders of sentence-transformers."""
import json
import pathlib
import tempfile

import layouts
import safetensors.torch
import sentence_transformers
import torch
import transformers

MODELS = pathlib.Path(__file__).resolve().parents[2] / "src/test/resources/io/posbias/model/inside"


def tiny(home, family, tokenizer, pooling, head=False, normalise=True, prompt="", include_prompt=False):
    """Returns the folder of a tiny model of scripts/tests/transformer_golden.py."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=home))
    weights = safetensors.torch.load_file(MODELS / f"{family}.safetensors")
    kind = {"bert": transformers.BertConfig, "roberta": transformers.RobertaConfig}[family]
    config = kind(
        vocab_size=23, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, intermediate_size=20,
        max_position_embeddings=14 if family == "bert" else len(weights["embeddings.position_embeddings.weight"]),
        layer_norm_eps=1e-12 if family == "bert" else 1e-5, type_vocab_size=2, pad_token_id=0 if family == "bert" else 1)  # fmt: skip
    transformers.AutoModel.from_config(config).save_pretrained(folder)
    own = {name.removeprefix("bert."): weight for name, weight in weights.items()}
    saved = safetensors.torch.load_file(folder / "model.safetensors")
    safetensors.torch.save_file({**saved, **own}, folder / "model.safetensors", {"format": "pt"})
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    names = {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]", "model_max_length": 12}
    (folder / "tokenizer_config.json").write_text(json.dumps(names))
    parts = [layouts.module("Transformer")(str(folder), max_seq_length=12)]
    mode = {"last": "lasttoken"}.get(pooling, pooling)
    parts.append(layouts.module("Pooling")(16, pooling_mode=mode, include_prompt=include_prompt or not prompt))
    if head:
        dense = layouts.module("Dense")(16, 20, activation_function=torch.nn.Identity())
        at = "encoder.layer.0.intermediate.dense."
        dense.linear.load_state_dict({"weight": own[at + "weight"], "bias": own[at + "bias"]})
        parts.append(dense)
    if normalise:
        parts.append(layouts.module("Normalize")())
    whole = folder / "whole"
    sentence_transformers.SentenceTransformer(
        modules=parts, prompts={"document": prompt}, similarity_fn_name="cosine" if normalise else "dot"
    ).save(str(whole))
    return whole
