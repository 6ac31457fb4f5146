# SPDX-License-Identifier: BSD-3-Clause
"""HTML for notebooks: a style sheet that follows the notebook's theme and applies to nothing else.

Each output includes the sheet, since any output may be deleted. The class name contains a hash of the sheet, so outputs of another version
of roast in the same notebook keep their own sheet.
"""

import functools
import hashlib

from ..module import get_introspection_module
from . import _roast_shared as shared
from ._roast_errors import InvalidValueError, UnknownNameError

Roast = get_introspection_module("Roast")

# Selectors by which hosts mark their theme on the root or body of the page: JupyterLab, Notebook 7 and nbconvert; VS Code; Colab; Sphinx.
# On other hosts, the theme of the reader's system applies. Prints are light.
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
    """Yields the name of each colour, as in the classes of an SVG, with its role and index."""
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
    """Returns the class of outputs and their style sheet."""
    digest = hashlib.sha256(_sheet("").encode()).hexdigest()[:8]
    return f"roast-{digest}", _sheet(f".roast-{digest}")


def wrap(content):
    name, sheet = _style()
    return f"<div class='{name}'><style>{sheet}</style>{content}</div>"


shared.use("Roast", wrap, UnknownNameError, InvalidValueError)
