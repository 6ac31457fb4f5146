# SPDX-License-Identifier: BSD-3-Clause
"""Part 2 of 3 of the hook: receives rows as events of Dask workers, which cannot reach the run's socket."""


class ForgetTopic:
    """Runs on the scheduler: discards the events that it keeps of a topic.

    Returns the number of tasks on workers that left in the last `seconds`.
    """

    text = """lambda dask_scheduler: (
        (dask_scheduler._broker._topics if hasattr(dask_scheduler, "_broker") else dask_scheduler.events).pop(%r, None),
        sum(len(event.get("processing-tasks", ())) for when, event in dask_scheduler.get_events("all")
            if when > __import__("time").time() - %r and isinstance(event, dict) and event.get("action") == "remove-worker"))[1]"""

    def __init__(self, topic, seconds):
        self.topic = topic
        self.seconds = seconds

    def __reduce__(self):
        return eval, (self.text % (self.topic, self.seconds),)


class DaskEvents:
    """Subscription for one call of an executor that has a Dask client."""

    def __init__(self, client, call):
        self.client = client
        self.call = call
        self.topic = "roast-chunks-" + call.id
        self.opened = time.monotonic()
        self.arrived = set()
        client.subscribe_topic(self.topic, self.take)

    def take(self, event):
        message = event[1]
        worker.Process.get().connection.send(message["lines"])
        self.call.note_task(message["task"], message["part"], message["chunk"], message["failed"])
        self.arrived.add(message["chunk"])

    def wait(self, ids):
        """Waits for the rows of the chunks in the result. Rows still absent after PATIENCE are missing in the report."""
        expected = {chunk for chunk in ids if chunk.startswith(worker.DaskWay.letter)}
        end = time.monotonic() + PATIENCE
        while not expected <= self.arrived and time.monotonic() < end:
            time.sleep(0.01)

    def close(self):
        """Returns the number of tasks on workers that left during the call. Attempts at these tasks may have no row."""
        self.client.unsubscribe_topic(self.topic)
        return self.client.run_on_scheduler(ForgetTopic(self.topic, time.monotonic() - self.opened))

    def leave(self):
        """Unsubscribes in the thread of Dask's client, which must not wait for the scheduler."""
        self.client.unsubscribe_topic(self.topic)


def open_dask_events(executor, call):
    """Returns None if there is no usable Dask client: then rows travel in the result."""
    client = getattr(executor, "client", None)
    if client is None or not hasattr(client, "subscribe_topic") or getattr(client, "asynchronous", False):
        return None
    return DaskEvents(client, call)
