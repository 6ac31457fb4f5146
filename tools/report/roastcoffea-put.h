/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "json-out.h"

G_BEGIN_DECLS

#define ROASTCOFFEA_MIB (1024.0 * 1024.0)

/* The parts of metrics.json that have rows. Each writes its members. */
void roastcoffea_put_tracking (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_chunks (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_sections (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_files (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_spans (JsonOut *out, RoastRecording *recording);

/* A time in UTC, without its zone: 2025-10-09T08:53:21.039575. */
#define ROASTCOFFEA_TIME_SIZE 48
void roastcoffea_format_time (gint64 time, char *to);
/* Appends a text as Python prints it within a tuple. */
void roastcoffea_append_repr (GString *to, const char *text);

G_END_DECLS
