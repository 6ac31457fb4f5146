# SPDX-License-Identifier: BSD-3-Clause
"""Part 3 of 3 of the hook: rows that TaskVine's workers write to the output of their tasks. They cannot reach the run's socket.

The manager fetches the output of each task that ends, also of one that failed or whose result is lost later. Here the rows are taken out
of it, before coffea or its user sees it. A task that TaskVine repeats by itself never returns to the script: its row is in the result.
"""

import base64
import json
import re


class TaskOutputs:
    """For one call of TaskVineExecutor."""

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
        """They came before the result."""

    def close(self):
        TaskOutputs.current = None

    def take(self, task, encoded):
        """Sends the rows of one attempt, unless they were seen in an earlier look at the same output."""
        message = json.loads(zlib.decompress(base64.b64decode(encoded)))
        if message["chunk"] in self.arrived:
            return
        self.arrived.add(message["chunk"])
        first, _, others = message["lines"].partition("\n")
        row = json.loads(first)
        row[1 + worker.CHUNK.index("task")] = str(task.id)
        worker.Process.get().connection.send(worker.make_line(row) + others)


def take_rows(task, output):
    """Returns the output of a task as it is without roast."""
    begin, end = (mark.decode() for mark in worker.OutputWay.marks)

    def take(match):
        if TaskOutputs.current is not None:
            guard(TaskOutputs.current.take, task, match.group(1))
        return ""

    if not isinstance(output, str) or begin not in output:
        return output
    return re.sub(re.escape(begin) + "([A-Za-z0-9+/=]*)" + re.escape(end), take, output)


def replace_output(task_class):
    """coffea has a report of each task that has ended, before anything else."""
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
    """None with another executor, or if coffea's tasks are not as expected: then rows travel in the result only."""
    module = sys.modules.get("coffea.processor.taskvine_executor")
    if module is None or not isinstance(executor, module.TaskVineExecutor):
        return None
    task_class = module.CoffeaVineTask
    if not isinstance(getattr(task_class, "std_output", None), property) or not callable(getattr(task_class, "report", None)):
        return None
    return TaskOutputs(task_class)
