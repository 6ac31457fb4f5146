# SPDX-License-Identifier: BSD-3-Clause
"""Writes the same events as a TTree, an RNTuple and a Parquet file: make-formats.py DIRECTORY EVENTS. Prints sizes of Parquet's columns."""

import json
import os
import sys

import awkward
import numpy
import pyarrow.parquet
import uproot

directory, n_events = sys.argv[1], int(sys.argv[2])
generator = numpy.random.default_rng(1)
counts = generator.poisson(3, n_events)
events = {"pt": awkward.unflatten(generator.exponential(40, int(counts.sum())).astype(numpy.float32), counts),
          "eta": awkward.unflatten(generator.normal(0, 2, int(counts.sum())).astype(numpy.float32), counts),
          "weight": generator.normal(1, 0.1, n_events).astype(numpy.float32)}
with uproot.recreate(os.path.join(directory, "tree.root")) as file:
    file.mktree("Events", {name: array.type if isinstance(array, awkward.Array) else array.dtype for name, array in events.items()})
    file["Events"].extend(events)
with uproot.recreate(os.path.join(directory, "ntuple.root")) as file:
    file.mkrntuple("Events", events)
path = os.path.join(directory, "events.parquet")
awkward.to_parquet(awkward.Array(events), path, row_group_size=500, list_to32=True, extensionarray=False)
metadata = pyarrow.parquet.ParquetFile(path).metadata
sizes = {}
for group in map(metadata.row_group, range(metadata.num_row_groups)):
    for column in map(group.column, range(group.num_columns)):
        sizes.setdefault(column.path_in_schema.split(".")[0], []).append(column.total_compressed_size)
print(json.dumps(sizes))
