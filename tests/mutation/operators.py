# SPDX-License-Identifier: BSD-3-Clause
"""Makes mutants of C source: small changes that a test should notice. It relies on the formatting by clang-format."""

import re
from collections import namedtuple

# A change of text[start:end] to new.
Mutant = namedtuple("Mutant", "start end new")

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&": "|", "|": "&", "<<": ">>", ">>": "<<",
    "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=",
    "TRUE": "FALSE", "FALSE": "TRUE", "true": "false", "false": "true",
}
BINARY = re.compile(r"(?<= )(?:[-+*/|&]=|<<|>>|<=|>=|==|!=|&&|\|\||[-<>+*/%&|])(?= )")
BOOLEAN = re.compile(r"\b(?:TRUE|FALSE|true|false)\b")
NOT = re.compile(r"!(?=[A-Za-z_(])")
STEP = re.compile(r"\+\+|--")
NUMBER = re.compile(r"(?<![\w.])(?P<value>\d+(?:\.\d+)?)(?P<suffix>[uUlL]*)(?![\w.])")
# The first words of an assignment or of a call whose result is not used; a declaration has a name after a name.
STATEMENT = re.compile(r"^ +(?P<first>(?:\*+|\+\+|--)?\(?[A-Za-z_]\w*)(?:->|\.|\[|\)| \(| [-+*/|&]?= |\+\+;|--;)[^;{}]*;", re.M)
KEYWORDS = {"if", "for", "while", "switch", "return", "else", "do", "case", "sizeof", "typedef", "static"}
# Changes nothing that a test should see, or ends what no test should reach.
IGNORED_CALLS = re.compile(r"g_autoptr|g_autofree|g_auto|g_debug|g_info|g_return_|g_assert|G_STATIC_ASSERT|G_DEFINE")
IGNORED_LINE = re.compile(r"^\s*(?:#\s*(?:include|if|ifdef|ifndef|endif|else|undef|pragma)|g_return_|G_STATIC_ASSERT|g_debug|static_assert)")
# What follows a failure that cannot occur: a row of the columns that the schema declares is not refused, and tables of the
# core's schema are in every recording.
FAILED_ROW = re.compile(r"if \(!roast_table_writer_end \([^;{}]*\)\)\s+return FALSE;")
NO_READER = re.compile(r"if \((\w+) == NULL(?: \|\| (\w+) == NULL)?\)\s+return (?:FALSE|NULL);")
READER = re.compile(r"g_autoptr \(RoastTableReader\) (\w+)")
# An array that ends in zeros, or whose new elements are zeros, has the same elements: this costs time and memory only.
PLAIN_ARRAY = re.compile(r"g_array_(?:sized_)?new \(FALSE, FALSE,")


def unreachable(code):
    """The places of such returns."""
    readers = set(READER.findall(code))
    found = list(FAILED_ROW.finditer(code))
    found += [match for match in NO_READER.finditer(code) if {name for name in match.groups() if name} <= readers]
    return [(match.end() - len("return FALSE;"), match.end()) for match in found]


def masked(text):
    """The text with blanks for comments, strings and characters, so that offsets stay."""
    pattern = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)

    def blank(match):
        return re.sub(r"[^\n]", "\x01", match.group())

    lines = pattern.sub(blank, text).split("\n")
    return "\n".join("\x01" * len(line) if IGNORED_LINE.match(line) else line for line in lines)


def number_mutant(match):
    value, suffix = match["value"], match["suffix"]
    if "." in value:
        return repr(float(value) * 2) if float(value) != 0 else "1.0"
    number = int(value, 8) if re.fullmatch(r"0\d+", value) else int(value)
    changed = 1 - number if number < 2 else number + 1 if number < 10 else number * 2
    return f"{changed}{suffix}"


def mutants(text):
    """All mutants of a text, in the order of their places."""
    code = masked(text)
    found = []
    arrays = [range(*m.span()) for m in PLAIN_ARRAY.finditer(code)]
    for pattern in (BINARY, BOOLEAN):
        found += [Mutant(m.start(), m.end(), SWAPS[m.group()]) for m in pattern.finditer(code)]
    found += [Mutant(m.start(), m.end(), "") for m in NOT.finditer(code)]
    found += [Mutant(m.start(), m.end(), "--" if m.group() == "++" else "++") for m in STEP.finditer(code)]
    found += [Mutant(m.start(), m.end(), number_mutant(m)) for m in NUMBER.finditer(code)]
    for match in STATEMENT.finditer(code):
        first = match["first"].lstrip("*+-(")
        if first not in KEYWORDS and not IGNORED_CALLS.match(first):
            start = match.start("first")
            # The lines stay, so that what follows keeps its number.
            found.append(Mutant(start, match.end(), ";" + "\n" * text.count("\n", start, match.end())))
    dead = unreachable(code)
    found = [mutant for mutant in found if not any(mutant.start in array for array in arrays)]
    return sorted(mutant for mutant in found if not any(start <= mutant.start < end for start, end in dead))


def apply(text, mutant):
    return text[:mutant.start] + mutant.new + text[mutant.end:]


def squeeze(text):
    return " ".join(text.split())


def describe(text, mutant):
    """The line of a mutant, and what it was before and is after, each on one line: this identifies it, wherever the line
    moves."""
    first = text.rfind("\n", 0, mutant.start) + 1
    last = text.find("\n", mutant.end)
    last = len(text) if last < 0 else last
    line = text.count("\n", 0, mutant.start) + 1
    return line, squeeze(text[first:last]), squeeze(text[first:mutant.start] + mutant.new + text[mutant.end:last])
