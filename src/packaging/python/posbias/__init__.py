"""posbias measures position bias in information retrieval: do search models find an answer late in a passage as well as at its beginning?

The functions run the command `posbias` and return its numbers as pandas frames. Their options are the command's, with `_`
for `-`: `content_fixed=60` is `--content-fixed=60`, `True` a flag, a list several values. Notes go to sys.stderr, ten lines
at most, progress to a bar of tqdm if it is installed. Without `results` or `out`, folders that keep the results, these are
deleted with the returned object.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from posbias import _data
from posbias._command import Error, run as _run
from posbias._results import Estimate, Result, read as _read

if TYPE_CHECKING:
    import pandas

    from posbias._evaluator import PositionBiasEvaluator

__all__ = ["Error", "Estimate", "PositionBiasEvaluator", "Result", "check", "evaluate", "evaluate_encoder", "score"]

Name = Union[str, "os.PathLike[str]"]
Value = Union[Name, float, bool, None]
Option = Union[Value, Sequence[Value]]

for _public in (Error, Estimate, Result):
    _public.__module__ = __name__
try:
    __version__ = importlib.metadata.version("posbias")
except importlib.metadata.PackageNotFoundError:  # the sources, which were not installed
    __version__ = "unknown"

# Columns of frames with a run: PyTerrier's, ranx's, and ir_measures's.
_COLUMNS = [("qid", "docno", "score"), ("q_id", "doc_id", "score"), ("query_id", "doc_id", "score")]

# Options of the command alone: what they print is no result, and `fail_on` ends it with an exit code.
_REFUSED = {"format", "output", "fail_on", "dry_run", "help", "help_all", "version"}


def __getattr__(name: str) -> Any:
    # It needs sentence-transformers, whose import takes seconds.
    if name == "PositionBiasEvaluator":
        from posbias._evaluator import PositionBiasEvaluator

        return PositionBiasEvaluator
    raise AttributeError(f"module 'posbias' has no attribute {name!r}")


def check(
    model: object,
    data: object,
    *,
    name: str | None = None,
    revision: str | None = None,
    similarity: str | None = None,
    **options: Option,
) -> Result:
    """Asks whether a model loses answers because of where they stand, as `posbias check`.

    Args:
        model: a name of `posbias models list`, a recipe, a folder, `ORG/NAME` on the Hub, an address, a run file; or a model
            in memory, as of evaluate.
        data: a name of `posbias data list` or a path; or data in memory: a frame of pandas or polars, a list of dicts or a
            datasets.Dataset with the columns question, answer and context, or with text alone; or (corpus, queries, qrels)
            of BEIR, two tables or dicts and {query id: {passage id: grade}}.
        name, revision, similarity: of a model in memory, as of evaluate.
        options: of `posbias check`, such as `full`, `n`, `language`, `results`.

    Returns:
        the answer, with frames of the model and, if windows were tried, of the model with windows.

    Raises:
        Error: with posbias's one line, in which MODEL and DATA stand for what was given in memory.
        TypeError: if model or data is none of these.
    """
    return _asked("check", model, data, {"name": name, "revision": revision, "similarity": similarity}, options)


def evaluate(
    models: object,
    datasets: object,
    *,
    name: str | None = None,
    revision: str | None = None,
    similarity: str | None = None,
    **options: Option,
) -> Result:
    """Evaluates models on datasets, as `posbias eval`.

    Models of sentence-transformers in memory (also sparse ones, those with a vector for each token, and rerankers) and
    PyLate's give the numbers of `st:`, with their prompts and what they truncate. Of any other model in memory posbias does
    not know what it truncates.

    Args:
        models: one or a list of names of `posbias models list`, recipes, folders, `ORG/NAME` on the Hub, `st:` names. Or one
            model in memory: of sentence-transformers or PyLate; an object with a method `encode`, or `encode_query` and
            `encode_document`; or a function. The last three are called with a list of n texts in this thread and return n
            vectors of d numbers: an array, tensor or list of shape (n, d).
        datasets: one or a list of names of `posbias data list` and paths; or data in memory, as of check.
        name: of the model in memory in results, "in-memory" by default.
        revision: identifies its weights. With it vectors are cached, and taken from the cache in calls with the same
            revision and class; without it nothing is kept of them.
        similarity: "cosine" or "dot"; the model's own by default, else "cosine".
        options: of `posbias eval`, such as `measures`, `content_fixed`, `buckets`, `results`.

    Raises:
        Error: with posbias's one line, for unknown names and options too; if the model raised an exception, with it as the
            cause.
        TypeError: if models or datasets are none of these.
    """
    return _asked("eval", models, datasets, {"name": name, "revision": revision, "similarity": similarity}, options)


def evaluate_encoder(model: object, dataset: object, **options: Any) -> Result:
    """Evaluates a model in memory: evaluate under its first name."""
    return evaluate(model, dataset, **options)


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
        return _measure("score", [f"--run={file}", f"--dataset={_text(os.fspath(dataset))}", f"--name={name}"], options, {file: "RUN"})


def _asked(
    command: str, models: object, data: object, named: Mapping[str, str | None], options: Mapping[str, Option], quiet: bool = False
) -> Result:
    """Measures models and data, of which those in memory become files for as long as the command runs."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="posbias-")))
        datasets = _names(data) or [str(_data.written(data, folder))]
        rows = folder / _data.ROWS
        told = {f"{rows}:": "DATA, row ", str(rows): "DATA", str(folder / _data.BEIR): "DATA", str(folder / "recipe.yaml"): "MODEL"}
        if not _names(data):
            told[f"{_data.ROWS}:"] = "row "
        if names := _names(models):
            if given := [name for name, value in named.items() if value is not None]:
                raise TypeError(f"{given[0]} is of a model in memory, not of a name or a path")
            return _measure(command, _words_of(command, names, datasets), options, told, quiet=quiet)
        from posbias._bridge import Bridge

        bridge = stack.enter_context(Bridge(models, named["name"] or "in-memory", named["revision"], named["similarity"]))
        if named["revision"] is None:
            options = {"no_cache": True, **options}
        words = _words_of(command, [str(bridge.recipe(folder))], datasets)
        try:
            return _measure(command, words, options, told, bridge.variables, bridge.serve, quiet)
        except Error as error:
            raise error from bridge.failure


def _measure(
    command: str,
    arguments: list[str],
    options: Mapping[str, Option],
    told: Mapping[str, str],
    variables: Mapping[str, str] | None = None,
    meanwhile: Callable[[Callable[[], bool]], None] | None = None,
    quiet: bool = False,
) -> Result:
    if given := _REFUSED & options.keys():
        raise TypeError(f"{given.pop()} is an option of the command posbias {command} alone")
    temporary = Path(tempfile.mkdtemp(prefix="posbias-"))
    try:
        kept: dict[str, Any] = {name: options[name] for name in ("out", "results") if options.get(name) not in (None, False)}
        # Absolute before the model runs, which may change the working folder.
        folders = {name: Path.cwd() / _text(os.fspath(folder)) for name, folder in (kept or {"results": temporary}).items()}
        words = [command, *arguments, "--format=json", *_words({**options, **folders})]
        hide = _hider({**told, str(temporary): "RESULTS"})
        printed, notes = _run(words, variables, meanwhile, hide, quiet)
        result = _read(hide(printed), notes, next(iter(folders.values())), alone="out" in folders)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    weakref.finalize(result, shutil.rmtree, temporary, ignore_errors=True)
    return result


def _hider(told: Mapping[str, str]) -> Callable[[str], str]:
    """Returns a function that replaces the paths of temporary files in what posbias says."""

    def hide(text: str) -> str:
        for path, word in told.items():
            text = text.replace(path, word)
        return re.sub(r"; files in RESULTS\S*", "", text)

    return hide


def _names(values: object) -> list[str]:
    """Returns names and paths as words of a command line; empty for what is in memory."""
    every = [values] if isinstance(values, (str, os.PathLike)) else values
    if isinstance(every, (list, tuple)) and every and all(isinstance(value, (str, os.PathLike)) for value in every):
        return [_text(os.fspath(value)) for value in every]
    return []


def _words_of(command: str, models: list[str], datasets: list[str]) -> list[str]:
    if command == "eval":
        return [f"--model={name}" for name in models] + [f"--dataset={name}" for name in datasets]
    if len(models) > 1 or len(datasets) > 1:
        raise TypeError("check takes one model and one data set; evaluate takes several")
    return [*models, *datasets]


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
