/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "plots-cairo.h"

/* Opens the module for PNG and PDF, which stays open. NULL with an error that says what to install. */
const PlotsCairo *plots_module_open (const char *format, GError **error);
