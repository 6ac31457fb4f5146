# SPDX-License-Identifier: BSD-3-Clause
"""Part 3 of 5: the nanny plugin, which reports how the worker's process ended."""

import asyncio
import os
import signal

from distributed.diagnostics.plugin import NannyPlugin

SIGKILL = getattr(signal, "SIGKILL", 9)  # not on Windows
TELLING = 5  # s; time to wait until a message to the scheduler is sent
LAST_TELLING = 2  # s; time to wait until messages to the scheduler are sent when the nanny closes


class RoastNannyPlugin(NannyPlugin):
    name = "roast"

    def setup(self, nanny):
        self.nanny = nanny
        self.process = self.pid = None  # process of the worker that the plugin watches
        self.peak = None  # peak memory of that worker process when the nanny ended it
        self.telling = set()  # messages that are being sent
        try:
            self.kills = get_kills(nanny.id)
        except Exception:
            self.kills = None  # it remains unknown whether the kernel killed a worker; only the signal is reported
        # Replace the callback for exits: here for later workers, and below for the running worker, which keeps its own reference.
        self.on_exit = nanny._on_worker_exit_sync
        nanny._on_worker_exit_sync = self.exited
        if nanny.process is not None:
            nanny.process.on_exit = self.exited
        self.watch = nanny.periodic_callbacks.get("memory_monitor")
        if self.watch is not None:
            self.monitor, self.watch.callback = self.watch.callback, self.monitored

    async def teardown(self, nanny):
        vars(nanny).pop("_on_worker_exit_sync", None)
        if self.kills is not None:
            leave_kills(self.kills, nanny.id)
        if self.watch is not None and self.watch.callback == self.monitored:
            self.watch.callback = self.monitor
        if self.process is not None:
            vars(self.process).pop("terminate", None)
        try:
            if nanny.process is not None and nanny.process.on_exit == self.exited:
                nanny.process.on_exit = self.on_exit
                # Check whether the worker has just died, because the nanny cannot report its death later.
                process = nanny.process.process
                exit_code = await wait_for_exit_code(process)
                if exit_code:
                    self.start_to_tell(exit_code)
                elif nanny.status.name == "closing":
                    self.watch_kill(process)
            # Wait until the messages are sent, because the nanny closes its connections next.
            if self.telling:
                await asyncio.wait(self.telling, timeout=LAST_TELLING)
        except Exception:
            pass

    def monitored(self):
        try:
            if self.kills is not None:
                self.kills.look()
            self.watch_process()
        except Exception:
            pass
        return self.monitor()

    def watch_process(self):
        process = getattr(self.nanny.process, "process", None)
        if process is None or process is self.process:
            return
        self.process, self.pid, self.peak = process, process.pid, None
        terminate = process.terminate

        def terminate_noted():
            # Read the peak memory just before the worker is ended.
            try:
                self.peak = read_peak(self.pid)
            except Exception:
                pass
            return terminate()

        process.terminate = terminate_noted

    def watch_kill(self, process):
        """Report when the closing nanny kills its worker, because it did not close in time."""
        kill = process.kill

        async def kill_noted():
            try:
                is_running = get_exit_code(process) is None
            except ChildProcessError:
                is_running = False  # the thread that reaps the child has not reported its end yet
            await kill()
            if is_running:
                message = self.tell(self.nanny.worker_address, -SIGKILL, closing=process.pid)
                await asyncio.wait([asyncio.ensure_future(message)], timeout=LAST_TELLING)

        process.kill = kill_noted

    def exited(self, exit_code):
        try:
            if exit_code != 0:
                self.start_to_tell(exit_code)
        except Exception:
            pass  # The scheduler will report that the worker was lost.
        return self.on_exit(exit_code)

    def start_to_tell(self, exit_code):
        message = asyncio.ensure_future(self.tell(self.nanny.worker_address, exit_code))
        self.telling.add(message)
        message.add_done_callback(self.telling.discard)

    async def tell(self, address, exit_code, closing=None):
        """Tell the scheduler how the worker ended. `closing`: the process id if the nanny itself killed the worker while it closed."""
        manager = getattr(self.nanny, "memory_manager", None)
        killed = self.pid is not None and getattr(manager, "_last_terminated_pid", -1) == self.pid
        of_kernel = None
        if self.kills is not None and exit_code == -SIGKILL and not killed:
            of_kernel = self.kills.take()
        try:
            await asyncio.wait_for(self.nanny.scheduler.roast_worker_ended(
                address=address, exit_code=exit_code, killed=killed, of_kernel=of_kernel, pid=self.pid if killed else closing,
                peak=self.peak if killed else None, closing=closing is not None), TELLING)
        except Exception:
            pass


async def wait_for_exit_code(process):
    """Wait for the exit code: the thread that reaps the child needs a moment to report it."""
    for _ in range(20):
        try:
            return get_exit_code(process)
        except ChildProcessError:
            await asyncio.sleep(0.01)
    return None


def get_exit_code(process):
    """Return the exit code of a child that ended and may not be reaped yet; None if it is running."""
    code = getattr(process, "exitcode", None)
    if code is not None or not hasattr(os, "waitid") or getattr(process, "pid", None) is None:
        return code
    end = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if end is None:
        return None
    return end.si_status if end.si_code == os.CLD_EXITED else -end.si_status
