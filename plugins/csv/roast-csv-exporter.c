/* SPDX-License-Identifier: BSD-3-Clause */
#include <gmodule.h>
#include <roast/roast.h>
