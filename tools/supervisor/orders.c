/* SPDX-License-Identifier: BSD-3-Clause */

#include "orders.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "process/roast-supervisor-wire.h"

/* Carries out one order. Returns whether another order may follow. */
static bool
obey (const RoastWireHeader *header, const char *payload, const OrderHandler *handler, void *data)
{
  RoastWireSignal order;

  if (header->type == ROAST_WIRE_SIGNAL && header->length == sizeof order)
    {
      memcpy (&order, payload, sizeof order);
      handler->send_signal (data, order.signal);
    }
  if (header->type == ROAST_WIRE_DETACH)
    handler->detach (data);

  return header->type != ROAST_WIRE_DETACH;
}

/* Carries out the complete orders in the buffer and removes them. Returns false if no more orders will come. */
static bool
orders_take (Orders *self, const OrderHandler *handler, void *data)
{
  size_t used = 0;

  while (self->length - used >= sizeof (RoastWireHeader))
    {
      RoastWireHeader header;

      memcpy (&header, self->data + used, sizeof header);
      if (header.length > sizeof self->data - sizeof header)
        return false;
      if (self->length - used < sizeof header + header.length)
        break;
      if (!obey (&header, self->data + used + sizeof header, handler, data))
        return false;
      used += sizeof header + header.length;
    }
  memmove (self->data, self->data + used, self->length - used);
  self->length -= used;

  return true;
}

bool
orders_read (Orders *self, int fd, const OrderHandler *handler, void *data)
{
  for (;;)
    {
      ssize_t n = recv (fd, self->data + self->length, sizeof self->data - self->length, MSG_DONTWAIT);

      if (n < 0 && errno == EAGAIN)
        return true;
      if (n <= 0)
        return false;
      self->length += (size_t) n;
      if (!orders_take (self, handler, data))
        return false;
    }
}
