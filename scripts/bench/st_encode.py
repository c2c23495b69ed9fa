#!/usr/bin/env python3
"""The other side of `run worker` and `run st-onnx`: st_encode.py MODEL TEXTS THREADS [onnx]; a task is a file of texts, questions or passages.

SentenceTransformer.encode_query and encode_document with their defaults, which sort texts by length, 32 at once. With onnx: its
ONNX backend (optimum), which exports the model where its folder has no graph. Of a task like questions-256 the number is posbias's.
"""
import sys
import time

import torch
from sentence_transformers import SentenceTransformer

model_folder, texts_folder, threads, *backend = sys.argv[1:]
torch.set_num_threads(int(threads))
if backend:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(threads)
    model = SentenceTransformer(model_folder, device="cpu", backend="onnx", model_kwargs={"session_options": options})
else:
    model = SentenceTransformer(model_folder, device="cpu")
print("ready", flush=True)
for line in sys.stdin:
    task = line.strip().split("-")[0]
    with open(f"{texts_folder}/{task}.txt", encoding="utf-8") as lines:
        texts = lines.read().splitlines()
    encode = model.encode_query if task == "questions" else model.encode_document
    start = time.perf_counter()
    encode(texts, batch_size=32, convert_to_numpy=True, show_progress_bar=False)
    print(time.perf_counter() - start, len(texts), flush=True)
