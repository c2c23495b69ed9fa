"""Sphinx's settings for the documentation; scripts/site/build runs it."""

import os
from pathlib import Path

here = Path(__file__).parent

project = "posbias"
author = "The posbias authors"
copyright = author
release = os.environ["POSBIAS_VERSION"]

extensions = ["myst_parser"]
myst_heading_anchors = 6
# Pages begin with a title, and some sections below it skip a level, as on the forge.
suppress_warnings = ["myst.header"]

# Blocks without a language are commands and what they print.
highlight_language = "none"
language = "en"

html_theme = "furo"
html_title = f"posbias {release}"
html_static_path = [str(here / "style.css")]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
# Evidence is where it is: "section 2" in a permalink would only be noise.
html_permalinks_icon = "#"
html_theme_options = {"navigation_with_keys": True}
pygments_style = "tango"
pygments_dark_style = "native"
