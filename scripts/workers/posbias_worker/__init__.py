"""Worker of posbias for models that sentence-transformers, PyLate and transformers load; ../sentence_transformers.py runs it."""
