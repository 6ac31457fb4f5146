/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* A text as a string of JSON, with its quotes. */
void json_text_append (GString *line, const char *text);
