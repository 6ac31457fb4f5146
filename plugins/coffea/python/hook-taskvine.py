# SPDX-License-Identifier: BSD-3-Clause
"""Part 3 of 3 of the hook: reads rows from the output of tasks. TaskVine's workers write rows there, as they cannot reach the run's socket.

The manager fetches the output of each ended task, even if the task failed or its result is lost later. The hook removes the rows from the
output before coffea or the user sees it. A task that TaskVine itself repeats never returns to the script: its row is in the result.
"""

import base64
import json
import re


class TaskOutputs:
    """Task outputs of one call of TaskVineExecutor."""

    current = None
    replaced = False

    def __init__(self, task_class):
        self.topic = worker.OutputWay.topic
        self.arrived = set()
        TaskOutputs.current = self
        if not TaskOutputs.replaced:
            replace_output(task_class)
            TaskOutputs.replaced = True

    def wait(self, ids):
        """Does nothing: outputs arrive before the result."""

    def close(self):
        TaskOutputs.current = None

    def take(self, task, encoded):
        """Sends the rows of one attempt. Skips rows that an earlier look at the same output has sent."""
        message = json.loads(zlib.decompress(base64.b64decode(encoded)))
        if message["chunk"] in self.arrived:
            return
        self.arrived.add(message["chunk"])
        first, _, others = message["lines"].partition("\n")
        row = json.loads(first)
        row[1 + worker.CHUNK.index("task")] = str(task.id)
        worker.Process.get().connection.send(worker.make_line(row) + others)


def take_rows(task, output):
    """Sends the rows in the output of a task, and returns the output without them."""
    begin, end = (mark.decode() for mark in worker.OutputWay.marks)

    def take(match):
        if TaskOutputs.current is not None:
            guard(TaskOutputs.current.take, task, match.group(1))
        return ""

    if not isinstance(output, str) or begin not in output:
        return output
    return re.sub(re.escape(begin) + "([A-Za-z0-9+/=]*)" + re.escape(end), take, output)


def replace_output(task_class):
    """Takes rows from each ended task before coffea handles it: coffea calls task.report() first."""
    inherited = task_class.std_output
    report = task_class.report

    def std_output(self):
        output = inherited.__get__(self)
        try:
            return take_rows(self, output)
        except Exception:
            return output

    @functools.wraps(report)
    def report_task(self, *args, **kwargs):
        guard(getattr, self, "std_output")
        return report(self, *args, **kwargs)

    task_class.std_output = property(std_output)
    task_class.report = report_task


def open_task_outputs(executor):
    """Returns None for another executor, or if coffea's task class is unknown: then rows travel only in the result."""
    module = sys.modules.get("coffea.processor.taskvine_executor")
    if module is None or not isinstance(executor, module.TaskVineExecutor):
        return None
    task_class = module.CoffeaVineTask
    if not isinstance(getattr(task_class, "std_output", None), property) or not callable(getattr(task_class, "report", None)):
        return None
    return TaskOutputs(task_class)
