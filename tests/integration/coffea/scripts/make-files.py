# SPDX-License-Identifier: BSD-3-Clause
"""Writes ROOT files: make-files.py DIRECTORY EVENTS_PER_FILE [few] [two]. Four datasets of three files, with jagged collections.

Writes only some of the branches with `few`, because writing those that nobody reads takes longer than the analysis. Writes only the first
two datasets with `two`.
"""

import os
import sys

import awkward
import numpy
import uproot

DATASETS = ["data", "ttbar", "wjets", "zmumu"][: 2 if "two" in sys.argv else 4]
FILES = 3
BASKETS = 5  # of each branch in a file
FEW = {"Jet": ["pt", "eta", "phi", "mass"], "Muon": ["pt", "eta", "phi", "mass", "charge"],
       **dict.fromkeys(["genWeight", "event", "run", "luminosityBlock"])}


def jagged(generator, counts, draw):
    return awkward.unflatten(draw(int(counts.sum())).astype(numpy.float32), counts)


def make_events(generator, n_events):
    n_jets = generator.poisson(4, n_events)
    n_muons = generator.poisson(1.2, n_events)
    jets = {name: jagged(generator, n_jets, draw) for name, draw in {
        "pt": lambda n: generator.exponential(40, n) + 15, "eta": lambda n: generator.normal(0, 1.6, n),
        "phi": lambda n: generator.uniform(-3.14, 3.14, n), "mass": lambda n: generator.exponential(8, n),
        "btag": lambda n: generator.uniform(0, 1, n), "area": lambda n: generator.normal(0.5, 0.05, n)}.items()}
    muons = {name: jagged(generator, n_muons, draw) for name, draw in {
        "pt": lambda n: generator.exponential(30, n) + 3, "eta": lambda n: generator.normal(0, 1.2, n),
        "phi": lambda n: generator.uniform(-3.14, 3.14, n), "mass": lambda n: numpy.full(n, 0.10566),
        "charge": lambda n: generator.choice([-1, 1], n)}.items()}
    events = {
        "Jet": awkward.zip(jets), "Muon": awkward.zip(muons),
        "genWeight": generator.normal(1, 0.1, n_events).astype(numpy.float32),
        "MET_pt": generator.exponential(30, n_events).astype(numpy.float32),
        "MET_phi": generator.uniform(-3.14, 3.14, n_events).astype(numpy.float32),
        "event": numpy.arange(n_events, dtype=numpy.int64), "run": numpy.full(n_events, 7, dtype=numpy.int32),
        "luminosityBlock": numpy.full(n_events, 3, dtype=numpy.int32)}
    if "few" in sys.argv:
        events = {name: events[name][fields] if fields else events[name] for name, fields in FEW.items()}
    return events


def write(path, n_events, seed):
    generator = numpy.random.default_rng(seed)
    parts = numpy.array_split(numpy.arange(n_events), BASKETS)
    with uproot.recreate(path, compression=uproot.ZLIB(1)) as file:
        for number, part in enumerate(parts):
            events = make_events(generator, len(part))
            if number == 0:
                file.mktree("Events", {name: array.type if isinstance(array, awkward.Array) else array.dtype
                                       for name, array in events.items()})
            file["Events"].extend(events)


def main():
    directory, n_events = sys.argv[1], int(sys.argv[2])
    for number, dataset in enumerate(DATASETS):
        for part in range(FILES):
            # Files of different length: chunks and baskets end at different entries.
            write(os.path.join(directory, f"{dataset}-{part}.root"), n_events + 137 * number + 11 * part, 100 * number + part)


main()
