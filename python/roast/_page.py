# SPDX-License-Identifier: BSD-3-Clause
"""HTML for notebooks."""

from roast import _shared
from roast._errors import InvalidValueError, UnknownNameError

STYLE = (
    ".roast-pure .roast-gallery{display:flex;flex-wrap:wrap;gap:1em}"
    ".roast-pure figure{margin:0;max-width:620px}"
    ".roast-pure figure svg{display:block;max-width:100%;height:auto}"
    ".roast-pure figcaption,.roast-pure .roast-note{font-size:85%;opacity:.8}"
    ".roast-pure ol{padding-left:1.5em}.roast-pure summary{cursor:pointer}"
)


def wrap(content):
    return f"<div class='roast-pure'><style>{STYLE}</style>{content}</div>"


_shared.use("roast", wrap, UnknownNameError, InvalidValueError)
