# SPDX-License-Identifier: BSD-3-Clause
"""The part of the probe that removes the whole probe from the scheduler and its workers when its last reader has left."""

import asyncio
import time

FORGOTTEN = 15.0  # s; a reader without a request for this time counts as gone
TEARDOWN = 5.0  # s; time to wait until the plugins of all workers and nannies are removed


def is_ours(value):
    """Return whether a function, method or class was defined by this text."""
    if isinstance(value, type):
        return value.__module__ == globals()["__name__"]
    return getattr(getattr(value, "__func__", value), "__globals__", None) is globals()


class Removal:
    stays = False  # the probe stays, because the scheduler was started with it
    removed = False

    def remember(self, scheduler):
        """Save the handlers from before the probe's own."""
        self.users = {}  # maps a reader to the time of its last request
        self.before = [(table, dict(table)) for table in (scheduler.handlers, scheduler.stream_handlers)]
        scheduler.handlers["roast_leave"] = self.on_leave

    def note_user(self, reader):
        if reader is not None:
            self.users[reader] = time.monotonic()

    async def on_leave(self, comm=None, reader=None):
        """Handle a reader that leaves, or a request to remove the probe. Return why the probe stays, or None if it was removed."""
        self.users.pop(reader, None)
        self.next_relays.pop(reader, None)
        now = time.monotonic()
        heard = [now - last for last in self.users.values() if now - last < FORGOTTEN]
        if self.stays:
            return "the scheduler was started with it"
        if self.pushers:
            return "a run reads from it"
        if heard:
            return "it has %d other reader(s), last heard %.0f s ago; a killed reader is forgotten after %.0f s" % (len(heard), min(heard), FORGOTTEN)
        await self.remove()
        return None

    async def remove(self):
        if self.removed:
            return
        self.removed = self.closed = True
        if self.tick is not None:
            self.tick.cancel()
        scheduler = self.scheduler
        if getattr(self, "nannies", None) is not None:
            await asyncio.wait([self.nannies], timeout=TEARDOWN)
        # Remove the plugins of workers and nannies first: they send their last data when they are removed, and now the handlers for these
        # data still exist.
        for kind in ("worker", "nanny"):
            try:
                if "roast" in getattr(scheduler, kind + "_plugins", ()):
                    await asyncio.wait_for(getattr(scheduler, "unregister_%s_plugin" % kind)(None, name="roast"), TEARDOWN)
            except Exception as error:
                complain("cannot remove the plugin of each %s: %s: %s" % (kind, type(error).__name__, error))
        for part in (self.restore_handlers, self.restore_attributes, self.remove_routes):
            self.attempt("hooks to remove", part)
        if scheduler.plugins.get("roast") is self:
            del scheduler.plugins["roast"]
        self.wake(now=True)

    def restore_handlers(self):
        # Restore only our own handlers. If other code has wrapped a handler of ours since then, keep it: from now on, our handler only
        # calls the original one.
        for table, before in self.before:
            for name in [name for name, handler in table.items() if is_ours(handler)]:
                if name in before:
                    table[name] = before[name]
                else:
                    del table[name]

    def restore_attributes(self):
        """Remove our instance attributes, which override methods of the class."""
        for owner in (self.scheduler, *self.scheduler.extensions.values()):
            for name in [name for name, value in getattr(owner, "__dict__", {}).items() if is_ours(value)]:
                delattr(owner, name)

    def remove_routes(self):
        def is_route(rule):
            inner = getattr(rule.target, "rules", None)
            return all(map(is_route, inner)) if inner else is_ours(rule.target)

        application = self.scheduler.http_application
        for router in (application.default_router, application.wildcard_router):
            router.rules[:] = [rule for rule in router.rules if not is_route(rule)]
