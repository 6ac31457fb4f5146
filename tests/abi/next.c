/* SPDX-License-Identifier: BSD-3-Clause */

/* What a later minor version may add. */

#include "roast/roast.h"

_ROAST_EXTERN const char *roast_added_in_next (void);

const char *
roast_added_in_next (void)
{
  return "1.1";
}
