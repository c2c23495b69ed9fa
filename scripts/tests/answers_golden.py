"""Writes src/test/resources/answers.json: exact match and F1 of replies by torchmetrics' SQuAD, and Cohen's kappa with its standard
error by statsmodels (Fleiss, Cohen and Everitt 1969) and scikit-learn, for AnswerMatchTest and RaterAgreementTest.

    python3 -m pip install torch torchmetrics statsmodels scikit-learn
    python3 scripts/tests/answers_golden.py
"""

import json
import pathlib

import numpy as np
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa
from torchmetrics.functional.text import squad

ROOT = pathlib.Path(__file__).resolve().parents[2]

PAIRS = [
    ("Denver Broncos", ["Denver Broncos", "The Denver Broncos"]),
    ("the denver broncos!", ["Denver Broncos"]),
    ("It was the Denver Broncos.", ["Denver Broncos"]),
    ("Broncos Denver", ["Denver Broncos"]),
    ("308", ["308 points", "308"]),
    ("The Panthers defense gave up just 308 points, ranking sixth", ["308"]),
    ("", ["308"]),
    ("a", ["the"]),
    ("An apple a day", ["apple day"]),
    ("theatre", ["atre"]),
    ("U.S. Army", ["US army"]),
    ("it's one-third", ["its onethird", "one third"]),
    ("$1.2 million", ["1.2 million dollars", "12 million"]),
    ("to be to be or not", ["to be or not to be"]),
    ("Báthory  Stefan\n", ["Stefan Báthory"]),
    ("“quoted” — dash", ["quoted dash"]),
    ("\u00a0 New\u2003York ", ["new york"]),
    ("1962 by a team", ["by the team of 1962", "in 1962"]),
    ("ÉCOLE", ["école"]),
    ("no", ["yes", "maybe"]),
]


def matches():
    rows = []
    for reply, answers in PAIRS:
        found = squad(
            [{"prediction_text": reply, "id": "x"}],
            [{"answers": {"answer_start": [0] * len(answers), "text": answers}, "id": "x"}])
        rows.append({
            "reply": reply,
            "answers": answers,
            "exact": float(found["exact_match"]) == 100,
            "f1": float(found["f1"]) / 100,
        })
    return rows


def kappas():
    random = np.random.default_rng(53)
    rows = []
    for n, agree, share in [(40, 0.8, 0.5), (200, 0.9, 0.15), (25, 0.4, 0.6)]:
        first = random.random(n) < share
        second = np.where(random.random(n) < agree, first, ~first)
        table = np.array([[np.sum((first == a) & (second == b)) for b in (True, False)] for a in (True, False)])
        theirs = cohens_kappa(table)
        assert abs(theirs.kappa - cohen_kappa_score(first, second)) < 1e-12
        rows.append({
            "first": first.astype(int).tolist(),
            "second": second.astype(int).tolist(),
            "kappa": float(theirs.kappa),
            "standard_error": float(theirs.std_kappa),
        })
    return rows


if __name__ == "__main__":
    file = ROOT / "src/test/resources/answers.json"
    file.write_text(json.dumps({"matches": matches(), "kappas": kappas()}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(file)
