#!/usr/bin/env gjs
/* SPDX-License-Identifier: BSD-3-Clause */

/* An application that reads a run file, in JavaScript: says how far the run is, and prints the peak memory of each worker.
 *
 *     gjs read.js FILE
 */
imports.gi.versions.Roast = '1';
const { GLib, Roast } = imports.gi;
const System = imports.system;

const states = {
    [Roast.RunFileState.GROWING]: 'running',
    [Roast.RunFileState.CLOSED]: 'complete',
    [Roast.RunFileState.INTERRUPTED]: 'interrupted',
};

/* A reader of two columns loads these two. */
function printPeaks(recording) {
    const samples = recording.read_table('worker_samples', ['worker', 'memory']);
    const peaks = new Map();

    while (samples.next()) {
        const worker = samples.get_string(0);

        peaks.set(worker, Math.max(peaks.get(worker) || 0, samples.get_int64(1, 0)));
    }
    for (const [worker, peak] of peaks)
        print(worker, peak);
}

if (ARGV.length !== 1) {
    printerr('usage: gjs read.js FILE');
    System.exit(1);
}
try {
    const file = Roast.RunFile.open(ARGV[0]);
    const recording = file.read();

    print(states[file.get_state()]);
    printPeaks(recording);
} catch (error) {
    if (!(error instanceof GLib.Error))
        throw error;
    printerr(`read: ${error.message}`);
    System.exit(1);
}
