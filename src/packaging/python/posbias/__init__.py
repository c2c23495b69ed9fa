"""posbias measures position bias in information retrieval: do search models find an answer late in a passage as well as at its beginning?

The functions run the command `posbias` and return its numbers as pandas frames. Their options are the command's, with `_`
for `-`: `content_fixed=60` is `--content-fixed=60`, `True` a flag, a list several values. What they print on standard error,
progress and notes, goes to sys.stderr. Without `results` or `out`, folders that keep the results, these are read and deleted.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from posbias._command import Error, run as _run
from posbias._results import Result, read as _read

if TYPE_CHECKING:
    import pandas

__all__ = ["Error", "Result", "evaluate", "evaluate_encoder", "score"]

Name = Union[str, "os.PathLike[str]"]
Value = Union[Name, float, bool, None]
Option = Union[Value, Sequence[Value]]

Error.__module__ = Result.__module__ = __name__

# Columns of frames with a run: PyTerrier's, ranx's, and ir_measures's.
_COLUMNS = [("qid", "docno", "score"), ("q_id", "doc_id", "score"), ("query_id", "doc_id", "score")]


def evaluate(models: Name | Sequence[Name], datasets: Name | Sequence[Name], **options: Option) -> Result:
    """Evaluates models on datasets, as `posbias eval`.

    Args:
        models: names of `posbias models list`, recipes, folders, `ORG/NAME` on the Hub, `st:` names.
        datasets: names of `posbias data list`, folders in BEIR's layout, files like SQuAD's.
        options: of `posbias eval`, such as `measures`, `content_fixed`, `buckets`, `results`.

    Raises:
        Error: with posbias's one line, for unknown names and options too.
    """
    return _measure("eval", [*_repeated("model", models), *_repeated("dataset", datasets)], options)


def score(run: object, dataset: Name, *, name: str = "run", **options: Option) -> Result:
    """Measures rankings of another system, as `posbias score`.

    Passages are ranked by score as in trec_eval: ties go to the higher passage id, and a judged query without a passage
    scores 0.

    Args:
        run: a file (TREC, JSON, MTEB's predictions); a dict {query id: {passage id: score}}; a frame with the columns qid,
            docno, score (PyTerrier), q_id, doc_id, score (ranx) or query_id, doc_id, score (ir_measures); or a Run of ranx.
        name: of the system in results.
        options: of `posbias score`, such as `measures`, `by_rank` for files, `results`.

    Raises:
        Error: with posbias's one line.
        TypeError: if run is none of these.
        ValueError: if a score is no finite number, an identifier neither a text nor a whole number, or a passage listed twice
            for a query.
    """
    with tempfile.TemporaryDirectory(prefix="posbias-") as folder:
        if isinstance(run, (str, os.PathLike)):
            file = _text(os.fspath(run))
        else:
            file = str(Path(folder, "run.json"))
            Path(file).write_text(json.dumps(_rankings(run)), encoding="utf-8")
        return _measure("score", [f"--run={file}", *_repeated("dataset", dataset), f"--name={name}"], options)


def evaluate_encoder(
    model: Callable[[list[str]], Any] | Any,
    dataset: Name | Sequence[Name],
    *,
    name: str = "in-memory",
    revision: str | None = None,
    similarity: str | None = None,
    **options: Option,
) -> Result:
    """Evaluates a model in memory, as `posbias eval`.

    Models of sentence-transformers (also sparse ones, those with a vector for each token, and rerankers) and PyLate give the
    numbers of `st:`, with their prompts and what they truncate. Of any other model posbias does not know what it truncates.

    Args:
        model: a model of sentence-transformers or PyLate; an object with a method `encode`, or `encode_query` and
            `encode_document`; or a function. The last three are called with a list of n texts in this thread and return n
            vectors of d numbers: an array, tensor or list of shape (n, d).
        dataset: one or more, as of evaluate.
        name: of the model in results.
        revision: identifies the weights. With it vectors are cached, and taken from the cache in calls with the same
            revision and class; without it nothing is kept of them.
        similarity: "cosine" or "dot"; the model's own by default, else "cosine".
        options: of `posbias eval`.

    Raises:
        Error: with posbias's one line; if the model raised an exception, with it as the cause.
        TypeError: if model is none of these.
    """
    from posbias._bridge import Bridge

    if revision is None:
        options = {"no_cache": True, **options}
    with tempfile.TemporaryDirectory(prefix="posbias-") as folder, Bridge(model, name, revision, similarity) as bridge:
        arguments = [f"--model={bridge.recipe(Path(folder))}", *_repeated("dataset", dataset)]
        try:
            return _measure("eval", arguments, options, bridge.variables, bridge.serve)
        except Error as error:
            raise error from bridge.failure


def _measure(
    command: str,
    arguments: list[str],
    options: Mapping[str, Option],
    variables: Mapping[str, str] | None = None,
    meanwhile: Callable[[Callable[[], bool]], None] | None = None,
) -> Result:
    if given := {"format", "dry_run", "help", "help_all", "version"} & options.keys():
        raise TypeError(f"{given.pop()} is an option of the command posbias {command} alone")
    with tempfile.TemporaryDirectory(prefix="posbias-") as temporary:
        kept: dict[str, Any] = {name: options[name] for name in ("out", "results") if options.get(name) not in (None, False)}
        # Absolute before the model runs, which may change the working folder.
        folders = {name: Path.cwd() / _text(os.fspath(folder)) for name, folder in (kept or {"results": temporary}).items()}
        words = [command, *arguments, "--format=json", *_words({**options, **folders})]
        return _read(_run(words, variables, meanwhile), next(iter(folders.values())), alone="out" in folders)


def _repeated(option: str, names: Name | Sequence[Name]) -> list[str]:
    every = [names] if isinstance(names, (str, os.PathLike)) else names
    return [f"--{option}={_text(os.fspath(name))}" for name in every]


def _text(value: object) -> str:
    """Returns a value as a word of a command line; ~ is the home folder, as in a shell."""
    text = str(value)
    return os.path.expanduser(text) if text == "~" or text.startswith("~/") else text


def _words(options: Mapping[str, Option]) -> list[str]:
    words = []
    for name, value in options.items():
        word = "--" + name.replace("_", "-")
        if value is True:
            words.append(word)
        elif isinstance(value, (list, tuple)):
            words.append(f"{word}={','.join(map(_text, value))}")
        elif value is not None and value is not False:
            words.append(f"{word}={_text(value)}")
    return words


def _rankings(run: object) -> dict[str, dict[str, float]]:
    """Reads {query id: {passage id: score}} of a dict, a pandas frame or a Run of ranx."""
    rankings: dict[str, dict[str, float]] = {}
    if isinstance(run, Mapping) and len(set(map(str, run))) < len(run):
        raise ValueError("the run has two queries of one name, as 1 and '1' are")
    for query, passage, number in _rows(run):
        ranking = rankings.setdefault(_identifier("query", query), {})
        name = _identifier("passage", passage)
        if name in ranking:
            raise ValueError(f"the run has passage {passage} twice for query {query}")
        ranking[name] = _score(number, f"the score of passage {passage} for query {query}")
    return rankings


def _identifier(kind: str, value: object) -> str:
    """Refuses what has no one text: a missing value, and 1.0, which a frame makes of 1 beside a missing value."""
    is_number = hasattr(value, "__index__") and not _is_truth(value)
    name = str(value) if isinstance(value, str) or is_number else ""
    if not name:
        raise ValueError(f"the run has the {kind} {value!r}; identifiers are texts or whole numbers")
    return name


def _score(number: Any, what: str) -> float:
    if isinstance(number, (str, bytes)) or _is_truth(number):
        raise ValueError(f"{what} is {number!r}, not a number")
    try:
        score = float(number)
    except OverflowError:
        score = float("inf")
    # An imaginary part, and digits that a float does not keep, would be lost.
    if not float("-inf") < score < float("inf") or score != number:
        raise ValueError(f"{what} is {number}: not finite, or more than a float holds")
    return score


def _is_truth(value: object) -> bool:
    # Also numpy's, which is no bool.
    return type(value).__name__ in ("bool", "bool_")


def _rows(run: Any) -> Iterable[tuple[Any, Any, Any]]:
    if hasattr(run, "columns"):
        for columns in _COLUMNS:
            if set(columns) <= set(run.columns):
                if twice := [column for column in columns if list(run.columns).count(column) > 1]:
                    raise ValueError(f"the frame has the column {twice[0]} twice")
                return zip(*(run[column] for column in columns))
        wanted = "; ".join(", ".join(columns) for columns in _COLUMNS)
        raise TypeError(f"the frame has the columns {', '.join(map(str, run.columns))}; a run has {wanted}")
    rankings = run if isinstance(run, Mapping) else run.to_dict() if hasattr(run, "to_dict") else None
    if not isinstance(rankings, Mapping) or not all(isinstance(ranking, Mapping) for ranking in rankings.values()):
        raise TypeError(f"{type(run).__name__} is no run: a file, {{query: {{passage: score}}}}, a frame or a Run of ranx")
    return ((query, *scored) for query, ranking in rankings.items() for scored in ranking.items())
