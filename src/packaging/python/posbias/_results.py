"""Results of commands as pandas frames."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from posbias._command import Error, run

if TYPE_CHECKING:
    import pandas

TEXTS = {"model", "dataset", "measure", "stratum", "bucket", "verdict", "query_id", "buckets", "passage", "article", "read"}
LOSSES = [
    "model",
    "dataset",
    "measure",
    "stratum",
    "verdict",
    "queries",
    "unread",
    "front_minus_back",
    "front_minus_back_low",
    "front_minus_back_high",
    "front_minus_back_p_value",
    "fixed_queries",
    "fixed_clusters",
    "front",
    "back",
    "loss",
    "loss_low",
    "loss_high",
    "loss_p_value",
    "position_loss",
    "position_loss_low",
    "position_loss_high",
    "position_loss_p_value",
    "not_reading_loss",
    "not_reading_loss_low",
    "not_reading_loss_high",
    "not_reading_loss_p_value",
    "remainder_loss",
    "remainder_loss_low",
    "remainder_loss_high",
    "remainder_loss_p_value",
    "worst_place",
    "worst_loss",
    "worst_loss_low",
    "worst_loss_high",
]


@dataclass(frozen=True)
class Estimate:
    """A part of the score with the evidence at the front: above 0 it is lost at the back, below 0 gained; p_value of no loss."""

    percent: float
    low_percent: float
    high_percent: float
    confidence_percent: float
    p_value: float


@dataclass(frozen=True, repr=False)
class Result:
    """What a command measured. Scores, losses and their intervals are fractions; what is not known is missing (NaN).

    Attributes:
        profiles: a row for each model, dataset, measure, stratum and position bucket, with the columns of buckets.csv
            (docs/reference/columns.md).
        losses: a row for each model, dataset, measure and stratum: the verdict, or two, the larger part first ("unread,
            position"); the mean score of queries with evidence in the first third of their passage minus that in the last
            (front_minus_back); with content_fixed the mean scores of the first and last places of the same evidence (front,
            back), the loss 1 - back / front, its parts by position, by not reading and at places that too few passages are
            read at (remainder), and the worst place.
        queries: a row for each judged query of each model and dataset, with the columns of queries.csv behind `model` and
            `dataset`; positions are in code points.
        document: the whole result as posbias prints it (docs/schema/result-5.schema.json, or check-2.schema.json of check).
        notes: the lines of standard error.
    """

    profiles: pandas.DataFrame
    losses: pandas.DataFrame
    queries: pandas.DataFrame
    document: dict[str, Any]
    notes: list[str]
    _cells: list[tuple[Path, dict[str, Any]]]

    def __repr__(self) -> str:
        return f"Result({self._verdicts()})"

    def _verdicts(self) -> str:
        rows = self.losses.drop_duplicates(["model", "dataset"]).head(1 if self._is_check else len(self.losses))
        return "; ".join(f"{row.model} on {row.dataset}: {row.verdict}" for row in rows.itertuples())

    def __str__(self) -> str:
        return self.answer

    @property
    def _is_check(self) -> bool:
        return "answer" in self.document

    def _only(self) -> dict[str, Any]:
        if len(self._cells) > 1 and not self._is_check:
            raise ValueError(f"the result has {len(self._cells)} models and datasets: take the rows of losses")
        return self._cells[0][1]

    @property
    def answer(self) -> str:
        """The sentences of check; of evaluate the verdicts."""
        return str(self.document["answer"]) if self._is_check else self._verdicts()

    @property
    def verdict(self) -> str | None:
        """The first cause that explains the numbers, or two, the larger part first ("unread, position")."""
        self._only()
        verdict: str | None = self.losses["verdict"].iloc[0]
        return verdict

    @property
    def loss(self) -> Estimate | None:
        """The loss at the back with the same evidence; None if it was not moved."""
        return self._estimate("loss")

    @property
    def parts(self) -> dict[str, Estimate]:
        """The parts of the loss that are known: not_reading, position and, at places that few passages are read at, remainder."""
        known = {part: self._estimate(f"{part}_loss") for part in ("not_reading", "position", "remainder")}
        return {part: estimate for part, estimate in known.items() if estimate is not None}

    def _estimate(self, name: str) -> Estimate | None:
        cell = self._only()
        row = self.losses.iloc[0]
        if row[name] != row[name]:
            return None
        percent, low, high = (100 * float(row[name + end]) for end in ("", "_low", "_high"))
        return Estimate(percent, low, high, 100 * cell["settings"]["confidence"], float(row[f"{name}_p_value"]))

    def _repr_html_(self) -> str:
        from posbias import _look

        return _look.page(self.answer, self.document.get("places"), [cell for _, cell in self._cells])

    def plot(self, ax: Any = None) -> Any:
        """Draws the scores by the place of the evidence, hatched where it is not read, with matplotlib; returns the axes."""
        from posbias import _look

        return _look.plot([cell for _, cell in self._cells], ax)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the page of `posbias report page`, one file that works offline.

        Raises:
            Error: if the files of the result are gone, as in another process without `results`.
        """
        folders = [folder for folder, _ in self._cells]
        if gone := [folder for folder in folders if not folder.is_dir()]:
            raise Error(f"the files of {gone[0].name} are gone; results='FOLDER' keeps them", 1)
        run(["report", "page", *map(str, folders), f"--output={Path(path).expanduser().absolute()}"], quiet=True)


def read(printed: str, notes: list[str], folder: Path, alone: bool) -> Result:
    """Reads what a command printed as JSON, and the files of each result below an absolute folder, or of the one in it.

    Raises:
        Error: if the command printed no result, or a file is not the result's.
    """
    try:
        document: dict[str, Any] = json.loads(printed)
    except ValueError:
        raise Error("the command printed no result", 1) from None
    import pandas

    profiles, queries, cells = [], [], []
    for cell in document["results"] if "results" in document else _checked(document, folder):
        own = folder if alone else folder / cell["dataset"] / cell["model"]
        buckets = _table(own / "buckets.csv", cell)
        # The files keep measures of earlier calls.
        profiles.append(buckets[buckets["measure"].isin([profile["measure"] for profile in cell["profiles"]])])
        others = set(buckets["measure"]).difference(profiles[-1]["measure"])
        table = _table(own / "queries.csv", cell).drop(columns=others, errors="ignore")
        table.insert(0, "model", cell["model"])
        table.insert(1, "dataset", cell["dataset"])
        queries.append(table)
        cells.append((own, cell))
    losses = list(_losses([cell for _, cell in cells]))
    if "verdicts" in document:  # of check, whose verdict is of its first measure, and looks at BM25 on the same questions
        losses = [row for row in losses if row["measure"] == losses[0]["measure"]]
        losses[0]["verdict"] = ", ".join(document["verdicts"])
    return Result(
        profiles=pandas.concat(profiles, ignore_index=True),
        losses=pandas.DataFrame(losses, columns=LOSSES).astype(dict.fromkeys(LOSSES[6:], "float64")),
        queries=pandas.concat(queries, ignore_index=True),
        document=document,
        notes=notes,
        _cells=cells,
    )


def _checked(document: dict[str, Any], folder: Path) -> Iterator[dict[str, Any]]:
    """The results of the model that check asked and, if it tried windows, of the model with them."""
    for model in (document["model"], document.get("windows", {}).get("model")):
        if model is not None:
            file = folder / document["dataset"] / model / "result.json"
            yield json.loads(file.read_text(encoding="utf-8"))["results"][0]


def _table(file: Path, cell: dict[str, Any]) -> pandas.DataFrame:
    """Reads a CSV file of a result, if it has the digest that was printed; identifiers such as 007 and NA stay texts."""
    import pandas

    content = file.read_bytes() if file.is_file() else b""
    if hashlib.sha256(content).hexdigest() != cell.get("files_sha256", {}).get(file.name):
        raise Error(f"{file} is not of the result that was printed; overwrite=True or another folder makes it again", 1)
    columns = next(csv.reader(io.StringIO(content.decode(), newline="")))
    table = pandas.read_csv(
        io.BytesIO(content),
        dtype={column: str for column in columns if column in TEXTS},
        keep_default_na=False,
        na_values={column: [""] for column in columns if column not in TEXTS},
        true_values=["true"],
        false_values=["false"],
    )
    for column in TEXTS.intersection(columns):
        table[column] = table[column].map(_unguarded)
    return table


def _unguarded(text: str) -> str:
    """Removes the apostrophe that posbias writes before a text that a spreadsheet would take for a formula."""
    return text[1:] if text.startswith("'") and text.lstrip("'")[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _losses(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for cell in cells:
        for profile in cell["profiles"]:
            fixed = profile.get("content_fixed", {})
            loss = fixed.get("loss", {})
            score = loss.get("score", {})
            worst = loss.get("worst", {})
            yield {
                "model": cell["model"],
                "dataset": cell["dataset"],
                "measure": profile["measure"],
                "stratum": profile["stratum"],
                "verdict": ", ".join(profile.get("verdicts", [])) or None,
                "queries": profile["queries"],
                "unread": profile.get("unread", {}).get("unread"),
                **_estimate("front_minus_back", profile.get("direction", {}).get("front_minus_back")),
                "fixed_queries": fixed.get("queries"),
                "fixed_clusters": fixed.get("clusters"),
                "front": score.get("front"),
                "back": score.get("back"),
                **_estimate("loss", score.get("loss")),
                **_part("position_loss", fixed.get("parts", {}), "position"),
                **_part("not_reading_loss", fixed.get("parts", {}), "not_reading"),
                **_part("remainder_loss", fixed.get("parts", {}), "remainder"),
                "worst_place": worst.get("place"),
                **_estimate("worst_loss", worst and {"value": worst["loss"], **worst}),
            }


def _part(name: str, parts: dict[str, Any], part: str) -> dict[str, Any]:
    """A part of the loss as a fraction of the front."""
    points = parts.get(part, {}).get("points", parts.get(part))
    if not points:
        return {}
    low, high = points["interval"]
    front = parts["front"]
    return _estimate(name, {**points, "value": points["value"] / front, "interval": [low / front, high / front]})


def _estimate(name: str, estimate: dict[str, Any] | None) -> dict[str, Any]:
    if not estimate:
        return {}
    low, high = estimate["interval"]
    return {name: estimate["value"], f"{name}_low": low, f"{name}_high": high, f"{name}_p_value": estimate.get("p_value")}
