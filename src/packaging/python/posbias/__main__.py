"""python -m posbias."""

from posbias._command import main

main()
