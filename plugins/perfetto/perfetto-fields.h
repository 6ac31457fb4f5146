/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Numbers of the fields that the trace uses. They come from Perfetto's public .proto files
 * (https://github.com/google/perfetto, directory protos/perfetto/) and never change. */

/* trace/trace.proto, Trace */
#define TRACE_PACKET 1 /* TracePacket */

/* trace/trace_packet.proto, TracePacket */
#define PACKET_CLOCK_SNAPSHOT 6          /* ClockSnapshot */
#define PACKET_TIMESTAMP 8               /* uint64, in the unit of its clock */
#define PACKET_SEQUENCE_ID 10            /* uint32: packets of one writer */
#define PACKET_TRACK_EVENT 11            /* TrackEvent */
#define PACKET_INTERNED_DATA 12          /* InternedData */
#define PACKET_SEQUENCE_FLAGS 13         /* SequenceFlags */
#define PACKET_COMPRESSED_PACKETS 50     /* bytes: a Trace, in zlib's format */
#define PACKET_TIMESTAMP_CLOCK_ID 58     /* uint32 */
#define PACKET_DEFAULTS 59               /* TracePacketDefaults */
#define PACKET_TRACK_DESCRIPTOR 60       /* TrackDescriptor */
#define PACKET_FIRST_PACKET_OF_WRITER 87 /* bool */

/* trace/trace_packet.proto, TracePacket.SequenceFlags */
#define FLAG_STATE_CLEARED 1 /* discards all interned data */
#define FLAG_NEEDS_STATE 2   /* uses interned data or defaults */

/* trace/trace_packet_defaults.proto, TracePacketDefaults */
#define DEFAULTS_TIMESTAMP_CLOCK_ID 58

/* trace/clock_snapshot.proto, ClockSnapshot */
#define SNAPSHOT_CLOCKS 1        /* Clock */
#define SNAPSHOT_PRIMARY_CLOCK 2 /* BuiltinClock */

/* trace/clock_snapshot.proto, ClockSnapshot.Clock */
#define CLOCK_ID 1                 /* uint32 */
#define CLOCK_TIMESTAMP 2          /* uint64 */
#define CLOCK_UNIT_MULTIPLIER_NS 4 /* uint64 */

/* common/builtin_clock.proto, BuiltinClock; clocks that a writer defines have the numbers 64 to 127 */
#define CLOCK_OF_DAY 1  /* ns since the epoch */
#define CLOCK_OF_RUN 64 /* µs since the origin of this trace */

/* trace/track_event/track_descriptor.proto, TrackDescriptor */
#define TRACK_UUID 1
#define TRACK_NAME 2
#define TRACK_PROCESS 3 /* ProcessDescriptor */
#define TRACK_THREAD 4  /* ThreadDescriptor */
#define TRACK_PARENT_UUID 5
#define TRACK_COUNTER 8         /* CounterDescriptor */
#define TRACK_CHILD_ORDERING 11 /* ChildTracksOrdering */

/* trace/track_event/track_descriptor.proto, TrackDescriptor.ChildTracksOrdering */
#define ORDERING_CHRONOLOGICAL 2

/* trace/track_event/process_descriptor.proto, ProcessDescriptor */
#define PROCESS_PID 1    /* int32 */
#define PROCESS_NAME 6   /* string */
#define PROCESS_LABELS 8 /* string, repeated */

/* trace/track_event/thread_descriptor.proto, ThreadDescriptor */
#define THREAD_PID 1  /* int32 */
#define THREAD_TID 2  /* int32 */
#define THREAD_NAME 5 /* string */

/* trace/track_event/counter_descriptor.proto, CounterDescriptor */
#define COUNTER_UNIT 3      /* Unit */
#define COUNTER_UNIT_NAME 6 /* string */

/* trace/track_event/counter_descriptor.proto, CounterDescriptor.Unit */
#define UNIT_COUNT 2
#define UNIT_SIZE_BYTES 3

/* trace/track_event/track_event.proto, TrackEvent */
#define EVENT_CATEGORY_IIDS 3 /* uint64, repeated */
#define EVENT_ANNOTATIONS 4   /* DebugAnnotation, repeated */
#define EVENT_LEGACY 6        /* LegacyEvent */
#define EVENT_TYPE 9          /* Type */
#define EVENT_NAME_IID 10     /* uint64 */
#define EVENT_TRACK_UUID 11
#define EVENT_COUNTER_VALUE 30        /* int64 */
#define EVENT_DOUBLE_COUNTER_VALUE 44 /* double */

/* trace/track_event/track_event.proto, TrackEvent.LegacyEvent: an event with both a start and a duration, only for
 * tracks of threads. Typed events have no duration. */
#define LEGACY_PHASE 2       /* int32 */
#define LEGACY_DURATION_US 3 /* int64 */
#define LEGACY_COMPLETE 'X'

/* trace/track_event/track_event.proto, TrackEvent.Type */
#define TYPE_SLICE_BEGIN 1
#define TYPE_SLICE_END 2
#define TYPE_INSTANT 3
#define TYPE_COUNTER 4

/* trace/track_event/debug_annotation.proto, DebugAnnotation */
#define ANNOTATION_NAME_IID 1    /* uint64 */
#define ANNOTATION_BOOL 2        /* bool */
#define ANNOTATION_INT 4         /* int64 */
#define ANNOTATION_DOUBLE 5      /* double */
#define ANNOTATION_STRING 6      /* string */
#define ANNOTATION_STRING_IID 17 /* uint64 */

/* trace/interned_data/interned_data.proto, InternedData: repeated messages EventCategory, EventName,
 * DebugAnnotationName and InternedString. Each has an iid (1) and a text (2). */
#define INTERNED_CATEGORIES 1
#define INTERNED_NAMES 2
#define INTERNED_ANNOTATION_NAMES 3
#define INTERNED_ANNOTATION_STRINGS 29
#define INTERNED_IID 1
#define INTERNED_TEXT 2
