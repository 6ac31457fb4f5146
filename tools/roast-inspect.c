/* SPDX-License-Identifier: BSD-3-Clause */
#include <roast/roast.h>
int main (void) { return 0; }
