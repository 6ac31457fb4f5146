/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Each public header that declares a function includes this header. */
#if !defined(__ROAST_INSIDE__) && !defined(ROAST_COMPILATION)
#error "Only <roast/roast.h> can be included directly."
#endif

#include <glib.h>

#include <roast/roast-version.h>

/* GLib 2.66 is the oldest version that the headers support. */
#if !GLIB_CHECK_VERSION(2, 66, 0)
#error "roast needs GLib 2.66 or newer"
#endif

#ifndef _ROAST_EXTERN
#define _ROAST_EXTERN extern
#endif

/* Each public function is marked with the version in which it was added. A later minor version will add macros such as
 * ROAST_AVAILABLE_IN_1_2. No function will be removed within 1.x. */
#define ROAST_AVAILABLE_IN_0_9 _ROAST_EXTERN
