/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

char *roast_place_relocate (const char *library, const char *path);
char *roast_place_dup (const char *path);
