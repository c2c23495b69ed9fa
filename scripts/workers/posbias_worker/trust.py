"""Limits of what a model's files may do."""
import logging
import os
import sys

PICKLED = ("pytorch_model.bin", "model.pt", "model.pth")
LIBRARIES = ("sentence_transformers.", "pylate.", "torch.nn.")
TRUST = "--trust-remote-code runs it (trust-remote-code: true in a recipe)"
UNPICKLED = "pickled weights, which may run code: save them as safetensors"


def place(model):
    """Returns the folder and no revision, or the name on the Hub and the revision; refuses pickled weights."""
    if os.path.isdir(model):
        files = [file for _, _, files in os.walk(model) for file in files]
        if any(file in PICKLED for file in files) and not any(file.endswith(".safetensors") for file in files):
            raise SystemExit(f"{model} has {UNPICKLED}")
        return model, ""
    name, _, revision = model.partition("@")
    if len(name.split("/")) != 2 or name.startswith((".", "/", "~")):
        raise SystemExit(f"{model}: folder not found, and the name of a model on the Hub is ORG/NAME")
    return name, revision


def confine(given):
    """Imports classes that the model's files name from the libraries alone, whatever their versions do, reads no pickle, and
    executes nothing in the Hub's caches. What a library would leave out with a warning is an error."""
    import huggingface_hub.constants
    import torch
    import transformers.dynamic_module_utils

    def refuse(reference):
        raise SystemExit(f"{given.model} names Python code of its own, {reference}: {TRUST}")

    def guarded(find):
        def guard(reference, *more, **settings):
            is_library = reference.startswith(LIBRARIES)
            if is_library and find.__name__ == "get_class_from_dynamic_module":
                raise ValueError(f"{reference} is not looked for in the model's files")
            found = find(reference, *more, **settings) if is_library else None
            return found if isinstance(found, type) and found.__module__.startswith(LIBRARIES) else refuse(reference)

        return guard

    def unpickle(*_, **__):
        raise SystemExit(f"{given.model} has {UNPICKLED}")

    def execute(event, arguments):
        if event == "exec" and os.path.realpath(getattr(arguments[0], "co_filename", "")).startswith(caches):
            refuse(arguments[0].co_filename)

    caches = huggingface_hub.constants.HF_HUB_CACHE, transformers.dynamic_module_utils.HF_MODULES_CACHE
    caches = tuple(os.path.join(os.path.realpath(cache), "") for cache in caches)
    torch.load = torch.jit.load = unpickle
    sys.addaudithook(execute)
    for place, module in list(sys.modules.items()):
        for name in ("import_from_string", "import_module_class", "get_class_from_dynamic_module"):
            if place.startswith(("sentence_transformers", "transformers")) and name in vars(module):
                setattr(module, name, guarded(vars(module)[name]))
    warnings = logging.Handler()
    warnings.emit = lambda record: "not trusted" in record.getMessage() and refuse(record.getMessage().partition(",")[0])
    logging.getLogger("sentence_transformers").addHandler(warnings)
