/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The stream between the library and its supervisor, over one socket pair. Private: the two are always of
 * the same build, which the first frame proves. Host byte order; frames are a header and @length bytes. */

#include <stdint.h>

#include "roast/roast-process-record.h"

#define ROAST_WIRE_VERSION 1
#define ROAST_WIRE_MAX_FRAME (64u << 20)
#define ROAST_WIRE_MAX_COMMAND_LINE 4096u

typedef struct
{
  uint32_t type;
  uint32_t length;
} RoastWireHeader;

/* From the supervisor to the library. */
enum
{
  ROAST_WIRE_HELLO = 1,     /* RoastWireHello: always the first */
  ROAST_WIRE_LAUNCHED,      /* RoastWireLaunched: exec succeeded, or the pid was attached to */
  ROAST_WIRE_LAUNCH_FAILED, /* RoastWireFailure: nothing runs; the stream ends */
  ROAST_WIRE_PROCESS, /* RoastProcess, then its command line: arguments, each NUL-terminated, at most MAX_COMMAND_LINE
                         bytes */
  ROAST_WIRE_EXEC,    /* the same, after an exec: the process got a new name */
  ROAST_WIRE_TICK,    /* RoastTreeSample, then its RoastProcessSamples */
  ROAST_WIRE_ENDED,   /* RoastProcessEnd */
  ROAST_WIRE_MAIN_ENDED, /* RoastWireMainEnded: the main process ended; others may be left */
  ROAST_WIRE_STOPPED,    /* RoastWireStopped: the main process was stopped or continued by a signal */
  ROAST_WIRE_NOTE,       /* RoastWireNote, then the text of it (UTF-8, not NUL-terminated) */
  ROAST_WIRE_FINISHED,   /* RoastTreeEnd: always the last */
};

/* From the library to the supervisor. */
enum
{
  ROAST_WIRE_SIGNAL = 101, /* RoastWireSignal: send a signal to the main process */
  ROAST_WIRE_DETACH,       /* nothing: write the final records now and stop following (a launched child lives on, still
                              reaped) */
};

typedef struct
{
  uint32_t version;
  uint32_t record_size; /* sizeof (RoastTreeEnd): a second look at the build */
  RoastTreeInfo info;
} RoastWireHello;

typedef struct
{
  int64_t time;
  uint64_t id;
  int32_t pid;
  uint32_t reserved;
} RoastWireLaunched;

/* What failed. */
enum
{
  ROAST_WIRE_STAGE_EXEC = 1, /* execvp of the program */
  ROAST_WIRE_STAGE_FORK,
  ROAST_WIRE_STAGE_SETUP,
  ROAST_WIRE_STAGE_ATTACH,
};

typedef struct
{
  int32_t stage;
  int32_t error; /* errno */
} RoastWireFailure;

typedef struct
{
  int64_t time;
  int32_t wait_status;
  int32_t status_known; /* an attached process is not our child: its status stays unknown */
} RoastWireMainEnded;

typedef struct
{
  int64_t time;
  int32_t signal;
  int32_t stopped; /* 1 stopped, 0 continued */
} RoastWireStopped;

typedef struct
{
  int64_t time;
  int32_t severity; /* RoastSeverity */
  char kind[28];    /* "accounting", "gap", "clock", "unreadable", ...: NUL-terminated */
} RoastWireNote;

typedef struct
{
  int32_t signal;
} RoastWireSignal;
