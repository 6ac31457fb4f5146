# SPDX-License-Identifier: BSD-3-Clause
"""Part 3 of 6: which branches and baskets a chunk needed. Everything here is in memory already: to ask the file would read it."""

import bisect
import collections
import sys

FILES = 64  # whose baskets are remembered


SIZES = "_roast_sizes"  # attribute of a branch of uproot: basket to its size after decompression


def learn_sizes():
    """uproot forgets how large a basket was after decompression, and would have to read it again: note it when it is read."""
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
    """Where the baskets of a branch begin, and the sum of their compressed bytes before each."""

    def __init__(self, branch):
        self.compressed = int(branch.compressed_bytes)
        self.uncompressed = int(branch.uncompressed_bytes)
        self.starts = [int(start) for start in branch.entry_offsets]
        self.sizes = {}
        self.sums = [0]
        for number in range(len(self.starts) - 1):
            self.sums.append(self.sums[-1] + int(branch.basket_compressed_bytes(number)))

    def count(self, start, stop):
        """Bytes of the baskets that hold any of the entries, of those of them that begin within, of all after decompression, and of all
        baskets before them: chunks that share baskets have ranges of bytes that overlap."""
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
    """A column of a Parquet file, whose row groups are what baskets are to a branch."""

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
    """A TTree of uproot: what is known of its branches without reading."""

    def __init__(self, tree):
        self.tree = tree

    def describe(self):
        """Branches, compressed and uncompressed bytes."""
        return count_branches(self.tree), int(self.tree.compressed_bytes), int(self.tree.uncompressed_bytes)

    def make_branch(self, name):
        return Branch(self.tree[name])

    def get_sizes(self, name):
        return self.tree[name].__dict__.get(SIZES, ())


class Ntuple:
    """An RNTuple of uproot: names only, since its pages are described in other parts of the file."""

    def __init__(self, ntuple):
        self.ntuple = ntuple

    def describe(self):
        return len(self.ntuple.keys(recursive=False)), None, None

    def make_branch(self, name):
        self.ntuple[name]  # raises if it is not there
        return None

    def get_sizes(self, name):
        return ()


class ParquetFile:
    """A file of pyarrow: its end, which has been read, describes all parts."""

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
    """The branches of a tree that were read by chunks of this process."""

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
        """Rows about the file, once."""
        n_branches, compressed, uncompressed = source.describe()
        ratio = compressed / uncompressed if uncompressed else None
        self.unsent.append(["files", name, ratio, n_branches, compressed, uncompressed])

    def count(self, source, item, name):
        """Bytes of the parts of a branch that a chunk needed; None for each if they are not known, None if there is no such branch."""
        try:
            found = self.branches.get(name)
            if name not in self.branches:
                found = self.branches[name] = source.make_branch(name)
                sizes = (found.compressed, found.uncompressed) if found is not None else (None, None)
                self.unsent.append(["branches", item.filename, name, *sizes])
            if found is None:
                return None, None, None, None
            found.sizes.update(source.get_sizes(name))
            return found.count(item.entrystart, item.entrystop)
        except Exception:  # a branch that some files do not have
            return None


def count_branches(tree):
    branches = getattr(tree, "branches", None)
    if branches is None:
        return None
    return sum(count_branches(branch) or 1 for branch in branches)


def make_source(opened):
    """What branches can be asked of, for what coffea or uproot has opened; None if it is something else."""
    if hasattr(type(opened), "field_records"):
        return Ntuple(opened)
    if hasattr(opened, "num_entries") and hasattr(opened, "branches"):
        return Tree(opened)
    file = getattr(opened, "file", None)
    return ParquetFile(file) if hasattr(file, "schema_arrow") else None


def find_source(factory):
    """The tree that coffea has opened: to look it up in the file would read it again."""
    sources = map(make_source, list(getattr(factory._mapping, "_cache", {}).values()))
    return next((source for source in sources if source is not None), None)


def collect_branches(attempt, item, factory, accessed):
    """The branches that coffea loaded for a chunk."""
    source = find_source(factory)
    names = {getattr(access, "branch", access) for access in accessed}
    names.update(getattr(item, "preload", None) or ())
    if source is not None:
        add_branches(attempt, item, source, names)


def add_branches(attempt, item, source, names):
    """The branches that a chunk read, as rows, and their sums in its own row."""
    file = File.get((item.fileuuid, item.filename, item.treename))
    if not file.described:
        file.described = True
        file.describe(item.filename, source)
    rows = []
    needed = own = 0
    for name in sorted(names):
        numbers = file.count(source, item, name)
        if numbers is not None:
            rows.append(["chunk_branches", attempt.id, item.filename, name, *numbers, attempt.process.pid])
            if numbers[0] is None or needed is None:
                needed = own = None
            else:
                needed += numbers[0]
                own += numbers[1]
    attempt.set(branches_read=len(rows), needed_bytes=needed, needed_bytes_own=own)
    attempt.rows += file.unsent + rows
    file.unsent = []
