/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast.h"
