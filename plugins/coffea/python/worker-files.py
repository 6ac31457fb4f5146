# SPDX-License-Identifier: BSD-3-Clause
"""Part 3 of 6: finds the branches and baskets that a chunk needed. Uses only data in memory, because other look-ups would read the file."""

import bisect
import collections
import sys

FILES = 64  # maximum number of files whose baskets are remembered


SIZES = "_roast_sizes"  # attribute of uproot's branches; maps the number of a basket to its uncompressed size


def learn_sizes():
    """Makes uproot note the uncompressed size of each basket when it reads it. uproot discards the size otherwise."""
    basket = sys.modules["uproot.models.TBasket"].Model_TBasket
    original = basket.read_members
    if hasattr(original, SIZES):
        return

    def read_members(self, chunk, cursor, context, file):
        result = original(self, chunk, cursor, context, file)
        try:
            self._parent.__dict__.setdefault(SIZES, {})[self._basket_num] = self.uncompressed_bytes
        except Exception:
            pass
        return result

    setattr(read_members, SIZES, True)
    basket.read_members = read_members


class Branch:
    """A branch: the first entry of each basket, and the sum of compressed bytes before it."""

    def __init__(self, branch):
        self.compressed = int(branch.compressed_bytes)
        self.uncompressed = int(branch.uncompressed_bytes)
        self.starts = [int(start) for start in branch.entry_offsets]
        self.sizes = {}
        self.sums = [0]
        for number in range(len(self.starts) - 1):
            self.sums.append(self.sums[-1] + int(branch.basket_compressed_bytes(number)))

    def count(self, start, stop):
        """Returns four byte counts of baskets for a range of entries: all that hold any of the entries, those of them that begin within the
        range, all of them after decompression, and all earlier baskets. Chunks that share baskets have overlapping ranges of bytes."""
        end = bisect.bisect_left(self.starts, stop)
        end = min(end, len(self.sums) - 1)
        first = max(bisect.bisect_right(self.starts, start) - 1, 0)
        own = min(bisect.bisect_left(self.starts, start), end)
        if stop <= start or first >= end:
            return 0, 0, 0, 0
        sizes = [self.sizes.get(number) for number in range(first, end)]
        uncompressed = None if None in sizes else sum(sizes)
        return self.sums[end] - self.sums[first], self.sums[end] - self.sums[own], uncompressed, self.sums[first]


class Column(Branch):
    """A column of a Parquet file. Its row groups correspond to the baskets of a branch."""

    def __init__(self, groups, name):
        self.starts = [0]
        self.sizes = {}
        self.sums = [0]
        for number, group in enumerate(groups):
            parts = [group.column(index) for index in range(group.num_columns)]
            parts = [part for part in parts if part.path_in_schema.split(".")[0] == name]
            self.starts.append(self.starts[-1] + group.num_rows)
            self.sums.append(self.sums[-1] + sum(part.total_compressed_size for part in parts))
            self.sizes[number] = sum(part.total_uncompressed_size for part in parts)
        self.compressed = self.sums[-1]
        self.uncompressed = sum(self.sizes.values())


class Tree:
    """A TTree of uproot. Gives properties of its branches without reading the file."""

    def __init__(self, tree):
        self.tree = tree

    def describe(self):
        """Returns the numbers of branches, compressed bytes and uncompressed bytes."""
        return count_branches(self.tree), int(self.tree.compressed_bytes), int(self.tree.uncompressed_bytes)

    def make_branch(self, name):
        return Branch(self.tree[name])

    def get_sizes(self, name):
        return self.tree[name].__dict__.get(SIZES, ())


class Ntuple:
    """An RNTuple of uproot. Gives only names, because its pages are described in other parts of the file."""

    def __init__(self, ntuple):
        self.ntuple = ntuple

    def describe(self):
        return len(self.ntuple.keys(recursive=False)), None, None

    def make_branch(self, name):
        self.ntuple[name]  # raises an error if the branch does not exist
        return None

    def get_sizes(self, name):
        return ()


class ParquetFile:
    """A Parquet file of pyarrow. Its footer, which has been read already, describes all parts."""

    def __init__(self, file):
        self.names = file.schema_arrow.names
        self.groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]

    def describe(self):
        columns = [Column(self.groups, name) for name in self.names]
        return len(columns), sum(column.compressed for column in columns), sum(column.uncompressed for column in columns)

    def make_branch(self, name):
        return Column(self.groups, name) if name in self.names else None

    def get_sizes(self, name):
        return ()


class File:
    """The branches of a tree that chunks of this process have read."""

    known = collections.OrderedDict()

    def __init__(self):
        self.branches = {}
        self.unsent = []
        self.described = False

    @classmethod
    def get(cls, key):
        file = cls.known.get(key)
        if file is None:
            file = cls.known[key] = cls()
            while len(cls.known) > FILES:
                cls.known.popitem(last=False)
        return file

    def describe(self, name, source):
        """Adds the row about the file."""
        n_branches, compressed, uncompressed = source.describe()
        ratio = compressed / uncompressed if uncompressed else None
        self.unsent.append(["files", name, ratio, n_branches, compressed, uncompressed])

    def count(self, source, item, name, place):
        """Returns the byte counts of a branch for a chunk. Each is None if unknown; the result is None if the branch does not exist."""
        try:
            found = self.branches.get(name)
            if name not in self.branches:
                found = self.branches[name] = source.make_branch(name)
                sizes = (found.compressed, found.uncompressed) if found is not None else (None, None)
                self.unsent.append(["branches", place, name, *sizes])
            if found is None:
                return None, None, None, None
            found.sizes.update(source.get_sizes(name))
            return found.count(item.entrystart, item.entrystop)
        except Exception:  # the branch may be missing in this file
            return None


def count_branches(tree):
    branches = getattr(tree, "branches", None)
    if branches is None:
        return None
    return sum(count_branches(branch) or 1 for branch in branches)


def make_source(opened):
    """Returns a source of branches for an object that coffea or uproot has opened; None for other objects."""
    if hasattr(type(opened), "field_records"):
        return Ntuple(opened)
    if hasattr(opened, "num_entries") and hasattr(opened, "branches"):
        return Tree(opened)
    file = getattr(opened, "file", None)
    return ParquetFile(file) if hasattr(file, "schema_arrow") else None


def find_source(factory):
    """Returns the tree that coffea has opened. A look-up in the file would read it again."""
    sources = map(make_source, list(getattr(factory._mapping, "_cache", {}).values()))
    return next((source for source in sources if source is not None), None)


def collect_branches(attempt, item, factory, accessed):
    """Adds the branches that coffea loaded for a chunk."""
    source = find_source(factory)
    names = {getattr(access, "branch", access) for access in accessed}
    names.update(getattr(item, "preload", None) or ())
    if source is not None:
        add_branches(attempt, item, source, names)


def add_branches(attempt, item, source, names):
    """Adds a row per branch that a chunk read, and their sums to the chunk's own row."""
    file = File.get((item.fileuuid, item.filename, item.treename))
    place = "%s:%s" % (item.filename, item.treename) if item.treename else item.filename
    if not file.described:
        file.described = True
        file.describe(place, source)
    rows = []
    needed = own = 0
    for name in sorted(names):
        numbers = file.count(source, item, name, place)
        if numbers is not None:
            rows.append(["chunk_branches", attempt.id, place, name, *numbers, attempt.process.pid])
            if numbers[0] is None or needed is None:
                needed = own = None
            else:
                needed += numbers[0]
                own += numbers[1]
    attempt.set(branches_read=len(rows), needed_bytes=needed, needed_bytes_own=own)
    attempt.rows += file.unsent + rows
    file.unsent = []
