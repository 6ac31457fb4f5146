/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* A directory of its own for each test of run files, and the path of one in it. */
typedef struct
{
  char *directory;
  char *path;
} Fixture;

void set_up (Fixture *fixture, gconstpointer data);
void tear_down (Fixture *fixture, gconstpointer data);
/* A recording with the tables of a schema. */
RoastRecording *new_recording_of (const char *schema_text);
