"""An evaluator for training with sentence-transformers."""

from __future__ import annotations

import csv
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sentence_transformers.evaluation import SentenceEvaluator

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

logger = logging.getLogger(__name__)


class PositionBiasEvaluator(SentenceEvaluator):  # type: ignore[misc]
    """Scores of a model with the same evidence at several places of its passages, for SentenceTransformerTrainer.

    Metrics, with NAME_ in front if there is a name: `ndcg@10_place_1` to `ndcg@10_place_10`, the mean score with the evidence
    at each place from the front to the back; `ndcg@10_worst`, the lowest of them and the primary metric: it rises with the
    quality and falls with the bias, whichever end loses; `ndcg@10_front`, `ndcg@10_back` and `loss_at_back`, 1 - back /
    front. All but the loss are from 0 to 1, more is better.

    Args:
        data: as of posbias.check, but one with questions.
        name: of the data, in metrics and in the name of the CSV.
        n: questions whose evidence is moved.
        write_csv: True to add a line to `position_bias_evaluation[_NAME]_results.csv` at each call with an output path.
        options: of posbias.evaluate, such as `measures`, `language`, `seed`.
    """

    def __init__(self, data: object, name: str = "", n: int = 60, write_csv: bool = True, **options: Any) -> None:
        super().__init__()
        self.data = data
        self.name = name
        self.write_csv = write_csv
        self.options = {"measures": "nDCG@10", "draws": 1, "blind": "none", "content_fixed": n, **options}
        self.measure = str(self.options["measures"]).lower()
        self.primary_metric = f"{name}_{self.measure}_worst" if name else f"{self.measure}_worst"
        self.csv_file = f"position_bias_evaluation{'_' + name if name else ''}_results.csv"

    def __call__(
        self, model: SentenceTransformer, output_path: str | None = None, epoch: int = -1, steps: int = -1
    ) -> dict[str, float]:
        from posbias import _asked

        result = _asked("eval", model, self.data, {"name": None, "revision": None, "similarity": None}, self.options, quiet=True)
        fixed = result.document["results"][0]["profiles"][0]["content_fixed"]
        means = [float(place["mean"]) for place in fixed["places"]]
        row = result.losses.iloc[0]
        metrics = {
            f"{self.measure}_worst": min(means),
            **{f"{self.measure}_{end}": float(row[end]) for end in ("front", "back")},
            "loss_at_back": float(row["loss"]),
            **{f"{self.measure}_place_{place}": mean for place, mean in enumerate(means, 1)},
        }
        logger.info("Position bias of the model on %s in epoch %s after %s steps: %s", self.name or "the data", epoch, steps, metrics)
        if output_path is not None and self.write_csv:
            self._write(Path(output_path), {"epoch": epoch, "steps": steps, **metrics})
        metrics = dict(self.prefix_name_to_metrics(metrics, self.name))
        self.store_metrics_in_model_card_data(model, metrics, epoch, steps)
        return metrics

    def _write(self, folder: Path, row: dict[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / self.csv_file
        is_new = not file.exists()
        with file.open("a", newline="", encoding="utf-8") as lines:
            csv.writer(lines, lineterminator="\n").writerows(([list(row)] if is_new else []) + [list(row.values())])
