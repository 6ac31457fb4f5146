/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Orders of the library, which come over the socket on which it gets frames. */

#include <stdbool.h>
#include <stddef.h>

typedef struct
{
  char data[4096];
  size_t length;
} Orders;

typedef struct
{
  void (*send_signal) (void *data, int signum);
  void (*detach) (void *data);
} OrderHandler;

/* Reads what came and calls back for each order. False if no more will come: the library is gone, has detached, or
 * sends something else than orders. */
bool orders_read (Orders *self, int fd, const OrderHandler *handler, void *data);
