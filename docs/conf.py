"""How the documents are built:

    pip install '.[docs]' && sphinx-build -W docs build/docs

from a clone of the repository, into build/docs/index.html. A warning, as of a link that leads nowhere, is an error. The
package is imported for the API page, so it has to be installed.
"""

from orbis_search import __version__

project = "orbis-search"
author = "The orbis-search founders"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["conf.py"]

myst_heading_anchors = 4  # links to headings, as in shell.md#settings
# The first word behind a fence is its language; tests/test_docs.py reads the others.
highlight_language = "text"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True

html_theme = "alabaster"
html_theme_options = {"description": "Plays, solves and explains the board game Orbis", "page_width": "1100px"}
html_show_sourcelink = False
html_extra_path = ["picture.svg"]
