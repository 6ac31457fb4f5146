# SPDX-License-Identifier: BSD-3-Clause
"""A trace as Perfetto's own classes read it, without its trace processor: tracks, slices, counters and instants."""

import collections
import zlib

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

CLOCK_OF_DAY = 1


class Slice:
    def __init__(self, track, started, name, category, arguments, parent=None):
        self.track, self.started, self.ended, self.parent = track, started, None, parent
        self.name, self.category, self.arguments = name, category, arguments


class Track:
    def __init__(self, descriptor):
        self.uuid, self.parent = descriptor.uuid, descriptor.parent_uuid
        self.is_process, self.is_thread, self.is_counter = (descriptor.HasField(name) for name in ("process", "thread", "counter"))
        self.pid = descriptor.process.pid if self.is_process else descriptor.thread.pid
        self.tid = descriptor.thread.tid
        self.name = descriptor.process.process_name if self.is_process else descriptor.thread.thread_name or descriptor.name
        self.unit = descriptor.counter


class Trace:
    """Times are µs since the epoch. Slices that never end have ended=None."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.size = len(data)
        self.tracks, self.slices, self.instants, self.counters = {}, [], [], collections.defaultdict(list)
        self.texts = {"event_categories": {}, "event_names": {}, "debug_annotation_names": {}, "debug_annotation_string_values": {}}
        self.clocks, events, self.packets = {}, [], 0
        for packet in self.unpack(data):
            self.packets += 1
            self.read(packet, events)
        self.play(events)
        self.processes = {track.pid: track for track in self.tracks.values() if track.is_process}

    def unpack(self, data):
        for packet in pb.Trace.FromString(data).packet:
            if packet.HasField("compressed_packets"):
                yield from self.unpack(zlib.decompress(packet.compressed_packets))
            else:
                yield packet

    def read(self, packet, events):
        assert packet.trusted_packet_sequence_id != 0
        assert bool(packet.sequence_flags & pb.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED) == (self.packets == 1)
        for clock in packet.clock_snapshot.clocks:
            self.clocks[clock.clock_id] = (clock.timestamp, clock.unit_multiplier_ns or 1)
        if packet.HasField("trace_packet_defaults"):
            self.default_clock = packet.trace_packet_defaults.timestamp_clock_id
        for kind, texts in self.texts.items():
            for text in getattr(packet.interned_data, kind):
                assert text.iid not in texts
                texts[text.iid] = (text.str.decode() if kind == "debug_annotation_string_values" else text.name)
        if packet.HasField("track_descriptor"):
            track = Track(packet.track_descriptor)
            assert track.uuid not in self.tracks
            assert track.parent == 0 or track.parent in self.tracks
            self.tracks[track.uuid] = track
        if packet.HasField("track_event"):
            events.append((self.time(packet), packet.track_event))

    def time(self, packet):
        clock = packet.timestamp_clock_id or self.default_clock
        start, unit = self.clocks[clock]
        day, _ = self.clocks[CLOCK_OF_DAY]
        nanoseconds = (packet.timestamp - start) * unit + day
        assert nanoseconds % 1000 == 0
        return nanoseconds // 1000

    def argument(self, annotation):
        kind = annotation.WhichOneof("value")
        value = getattr(annotation, kind)
        name = self.texts["debug_annotation_names"][annotation.name_iid]
        return name, self.texts["debug_annotation_string_values"][value] if kind == "string_value_iid" else value

    def play(self, events):
        """As Perfetto does: in the order of time, and of those of the same time in the order of the file."""
        stacks = collections.defaultdict(list)
        for time, event in sorted(events, key=lambda entry: entry[0]):
            track = self.tracks[event.track_uuid]
            stack = stacks[track.uuid]
            while stack and stack[-1].ended is not None and stack[-1].ended <= time:
                stack.pop()
            if event.type == pb.TrackEvent.TYPE_COUNTER:
                assert track.is_counter
                self.counters[track.uuid].append((time, getattr(event, event.WhichOneof("counter_value_field"))))
            elif event.type == pb.TrackEvent.TYPE_SLICE_END:
                slice = stack.pop()
                assert slice.ended is None, "an end without a begin"
                slice.ended = time
            else:
                self.begin(time, event, track, stack)
        self.open = [slice for stack in stacks.values() for slice in stack if slice.ended is None]

    def begin(self, time, event, track, stack):
        slice = Slice(track, time, self.texts["event_names"][event.name_iid], self.texts["event_categories"][event.category_iids[0]],
                      dict(map(self.argument, event.debug_annotations)), stack[-1] if stack else None)
        if event.type == pb.TrackEvent.TYPE_INSTANT:
            self.instants.append(slice)
            return
        if event.type != pb.TrackEvent.TYPE_SLICE_BEGIN:
            assert event.legacy_event.phase == ord("X") and track.is_thread
            slice.ended = time + event.legacy_event.duration_us
            assert slice.parent is None or slice.parent.ended is None or slice.ended <= slice.parent.ended
        self.slices.append(slice)
        stack.append(slice)

    def of(self, category):
        return [slice for slice in self.slices if slice.category == category]

    def process_of(self, track):
        while not track.is_process:
            track = self.processes[track.pid] if track.is_thread else self.tracks[track.parent]
        return track
