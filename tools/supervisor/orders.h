/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Reads orders of the library from the socket to which the supervisor writes frames. */

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

/* Reads the available data and calls the handler for each order. Returns false if no more orders will come: the library
 * is gone, has detached, or sent invalid data. */
bool orders_read (Orders *self, int fd, const OrderHandler *handler, void *data);
