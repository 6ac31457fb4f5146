# SPDX-License-Identifier: BSD-3-Clause
"""Finds which branches a chunk touched and how large they are, from the tree that coffea has opened. Reads no additional data."""

import bisect
import collections

TREES = 64  # maximum number of trees whose sizes are cached

trees = collections.OrderedDict()


class Tree:
    """Sizes of a tree and of its branches, in bytes. Cached because looking them up takes time for each branch and basket."""

    def __init__(self, tree):
        self.total_branches = len(tree.keys())
        self.compressed = int(tree.compressed_bytes)
        self.uncompressed = int(tree.uncompressed_bytes)
        self.branches = {}

    def find(self, tree, name):
        if name not in self.branches:
            self.branches[name] = Branch(tree[name])
        return self.branches[name]


class Branch:
    def __init__(self, branch):
        self.compressed = int(branch.compressed_bytes)
        self.uncompressed = int(branch.uncompressed_bytes)
        self.starts = [int(start) for start in branch.entry_offsets]  # starts of baskets, and the end of the last basket
        self.baskets = [int(branch.basket_compressed_bytes(number)) for number in range(len(self.starts) - 1)]

    def count(self, start, stop):
        """Returns (compressed, uncompressed) bytes of the baskets with any of these entries. uncompressed is None unless all baskets are
        needed."""
        first = max(bisect.bisect_right(self.starts, start) - 1, 0)
        end = min(bisect.bisect_left(self.starts, stop), len(self.baskets)) if stop > start else first
        needed = self.baskets[first:end]
        return sum(needed), self.uncompressed if len(needed) == len(self.baskets) else None


def find_tree(factory):
    """Returns the tree; None if coffea opened the file in another way, such as Parquet."""
    for source in list(getattr(getattr(factory, "_mapping", None), "_cache", {}).values()):
        if hasattr(source, "num_entries") and hasattr(source, "compressed_bytes"):
            return source
    return None


def get_sizes(metadata, tree):
    key = (str(metadata.get("fileuuid")), metadata.get("filename"), metadata.get("treename"))
    sizes = trees.get(key)
    if sizes is None:
        sizes = trees[key] = Tree(tree)
        while len(trees) > TREES:
            trees.popitem(last=False)
    return sizes


def measure_branches(branches, metadata, tree):
    """Returns the sizes for whole files, as roastcoffea records them, and the bytes that the chunk needed."""
    sizes = get_sizes(metadata, tree)
    found = [sizes.find(tree, name) for name in branches]
    accessed = sum(branch.compressed for branch in found)
    measured = {
        "accessed_bytes": accessed,
        "accessed_uncompressed_bytes": sum(branch.uncompressed for branch in found),
        "branches_read_percent": 100 * len(found) / sizes.total_branches if sizes.total_branches else 0.0,
        "bytes_read_percent": 100 * accessed / sizes.compressed if sizes.compressed else 0.0,
        "file_metadata": {
            "filename": metadata.get("filename"),
            "compression_ratio": sizes.compressed / sizes.uncompressed if sizes.uncompressed else 0.0,
            "total_branches": sizes.total_branches,
            "total_tree_bytes": sizes.compressed,
        },
    }
    if metadata.get("entrystart") is not None and metadata.get("entrystop") is not None:
        counts = [branch.count(metadata["entrystart"], metadata["entrystop"]) for branch in found]
        measured["needed_bytes"] = sum(compressed for compressed, _ in counts)
        if all(uncompressed is not None for _, uncompressed in counts):
            measured["needed_uncompressed_bytes"] = sum(uncompressed for _, uncompressed in counts)
    return measured


def describe_branches(events):
    """Returns the record's entries on the branches that the processor touched, from coffea's access log. Leaves out unknown entries."""
    factory = getattr(events, "attrs", {}).get("@events_factory") if hasattr(events, "attrs") else None
    touched = getattr(factory, "access_log", None)
    if touched is None:
        return {}
    branches = sorted({str(getattr(entry, "branch", entry)) for entry in touched})
    described = {"accessed_branches": branches, "num_branches_accessed": len(branches)}
    tree = find_tree(factory)
    try:
        described.update(measure_branches(branches, getattr(events, "metadata", None) or {}, tree) if tree is not None else {})
    except Exception:  # an RNTuple has no baskets
        pass
    return described
