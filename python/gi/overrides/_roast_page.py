# SPDX-License-Identifier: BSD-3-Clause
"""HTML for notebooks: a style sheet that follows the notebook's theme and applies to nothing else.

Each output has the sheet, since any of them may be deleted. Its class contains a hash of it, so that outputs of another
version of roast in the same notebook keep their own.
"""

import functools
import hashlib

from ..module import get_introspection_module
from . import _roast_shared as shared
from ._roast_errors import InvalidValueError, UnknownNameError

Roast = get_introspection_module("Roast")

# Where hosts say which theme they have, from the root or the body of the page down: JupyterLab and Notebook 7, nbconvert;
# VS Code; Colab, Sphinx. Elsewhere the reader's system says it, and prints are light.
_LIGHT = ["[data-jp-theme-light=true]", ".vscode-light", "[theme=light]", "[data-theme=light]"]
_DARK = ["[data-jp-theme-light=false]", ".vscode-dark", "[theme=dark]", "[data-theme=dark]"]

_LAYOUT = (
    "{0} .roast-gallery{{display:flex;flex-wrap:wrap;gap:1em}}\n"
    "{0} figure{{margin:0;max-width:620px}}\n"
    "{0} figure svg{{display:block;max-width:100%;height:auto}}\n"
    "{0} figcaption,{0} .roast-note{{font-size:85%;opacity:.8}}\n"
    "{0} ol{{padding-left:1.5em}}\n"
    "{0} summary{{cursor:pointer}}\n"
)


def _colours():
    """The name of each colour, as in the classes of an SVG, and how it is looked up."""
    for role in (Roast.SceneRole.BACKGROUND, Roast.SceneRole.AXIS, Roast.SceneRole.GRID, Roast.SceneRole.LABEL, Roast.SceneRole.TITLE,
                 Roast.SceneRole.OTHERS, Roast.SceneRole.GUIDE, Roast.SceneRole.NOTE):
        yield role.value_nick, role, 0
    for index in range(Roast.THEME_N_COLOURS):
        yield str(index), Roast.SceneRole.SERIES, index


def _variables(theme):
    colours = "".join(f"--roast-{name}:#{Roast.Theme.get_colour(theme, role, index):06x};" for name, role, index in _colours())
    return f"{{{colours}--roast-band:{Roast.Theme.get_opacity(theme, Roast.SceneRole.BAND):g}}}\n"


def _sheet(scope):
    light, dark = _variables(Roast.Theme.LIGHT), _variables(Roast.Theme.DARK)
    rules = "".join(f"{scope} .roast-f-{name}{{fill:var(--roast-{name})}}{scope} .roast-s-{name}{{stroke:var(--roast-{name})}}\n"
                    for name, _, _ in _colours())
    return (f"{scope}{light}@media screen and (prefers-color-scheme:dark){{{scope}{dark}}}\n"
            f"{','.join(f'{host} {scope}' for host in _LIGHT)}{light}"
            f"@media screen{{{','.join(f'{host} {scope}' for host in _DARK)}{dark}}}\n"
            f"{rules}{scope} .roast-band{{fill-opacity:var(--roast-band)}}\n{_LAYOUT.format(scope)}")


@functools.cache
def _style():
    """The class of outputs, and their style sheet."""
    digest = hashlib.sha256(_sheet("").encode()).hexdigest()[:8]
    return f"roast-{digest}", _sheet(f".roast-{digest}")


def wrap(content):
    name, sheet = _style()
    return f"<div class='{name}'><style>{sheet}</style>{content}</div>"


shared.use("Roast", wrap, UnknownNameError, InvalidValueError)
