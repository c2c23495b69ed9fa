"""Data in memory as files that the command reads; which columns are which is decided there."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROWS = "data.jsonl"
BEIR = "data"
KINDS = "a name, a path, a frame, a list of dicts, a datasets.Dataset, or (corpus, queries, qrels) of BEIR"


def written(data: Any, folder: Path) -> Path:
    """Writes rows to a file in a folder, or (corpus, queries, qrels) to BEIR's files in a folder below it.

    Raises:
        TypeError: if data is no table, naming what is taken.
    """
    if not (isinstance(data, tuple) and len(data) == 3):
        return _lines(_rows(data), folder / ROWS)
    corpus, queries, qrels = data
    beir = folder / BEIR
    (beir / "qrels").mkdir(parents=True)
    _lines(_identified(corpus), beir / "corpus.jsonl")
    _lines(_identified(queries), beir / "queries.jsonl")
    if isinstance(qrels, Mapping):
        columns = ["query-id", "corpus-id", "score"]
        rows = [[query, *graded] for query, grades in qrels.items() for graded in _grades(query, grades)]
    else:
        judged = list(_rows(qrels))
        columns = list(judged[0]) if judged else []
        rows = [[row.get(column) for column in columns] for row in judged]
    (beir / "qrels" / "test.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in [columns, *rows]), encoding="utf-8")
    return beir


def _grades(query: object, grades: Any) -> Iterable[tuple[Any, Any]]:
    if not isinstance(grades, Mapping):
        raise TypeError(f"the qrels of query {query} are of the type {type(grades).__name__}, not {{passage id: grade}}")
    return grades.items()


def _identified(table: Any) -> Iterable[Mapping[str, Any]]:
    """Rows with identifiers: those of BEIR's dicts, or of a pandas frame its index if it has no column for them."""
    if isinstance(table, Mapping) and not hasattr(table, "columns"):
        return ({"_id": key, **(value if isinstance(value, Mapping) else {"text": value})} for key, value in table.items())
    if hasattr(table, "reset_index") and not {"_id", "id"} & set(table.columns):
        table = table.reset_index(names="_id")
    return _rows(table)


def _rows(table: Any) -> Iterable[Mapping[str, Any]]:
    if hasattr(table, "to_dicts"):  # polars
        return _checked(table, table.to_dicts())
    if hasattr(table, "to_pylist"):  # pyarrow
        return _checked(table, table.to_pylist())
    if hasattr(table, "columns") and hasattr(table, "to_dict"):  # pandas
        if not table.columns.is_unique:
            raise TypeError(f"the frame has two columns of one name among {', '.join(map(str, table.columns))}")
        return _checked(table, table.to_dict("records"))
    if isinstance(table, (str, bytes, Mapping)) or not hasattr(table, "__iter__"):
        splits = f" with {', '.join(map(str, table))}; give one of them" if isinstance(table, Mapping) else ""
        raise TypeError(f"{type(table).__name__}{splits}: data is {KINDS}")
    return _checked(table, table)


def _checked(table: Any, rows: Iterable[Any]) -> Iterable[Mapping[str, Any]]:
    for row in rows:
        if not isinstance(row, Mapping):
            raise TypeError(f"{type(table).__name__} of {type(row).__name__}: data is {KINDS}")
        yield row


def _lines(rows: Iterable[Mapping[str, Any]], file: Path) -> Path:
    with file.open("w", encoding="utf-8") as lines:
        for row in rows:
            lines.write(json.dumps(_plain(row), allow_nan=False) + "\n")
    return file


def _plain(value: Any) -> Any:
    """Returns a value of a cell as JSON has it: arrays as lists, what is missing as null, dates and the like as texts."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(own) for key, own in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(own) for own in value]
    if hasattr(value, "tolist"):  # of numpy
        return _plain(value.tolist())
    import pandas

    return None if pandas.isna(value) else str(value)
