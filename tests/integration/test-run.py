#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""roast-run as its user meets it: exit status, terminal, signals, outputs, bad input. Real programs throughout."""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from leftovers import guard
from running import HANG, InDirectory, alive, count_rows, kill, roast_run, wait_until

# Without the home of the caller, which is not readable for it.
NOBODY = ["env", "HOME=/nonexistent", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


class TestStatus(InDirectory):
    def check(self, command, status):
        result = roast_run("-q", "--", *command)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def test_own_statuses(self):
        for status in (0, 1, 3, 125, 126, 127, 255):
            self.check(["sh", "-c", f"exit {status}"], status)

    def test_signals(self):
        self.check(["sh", "-c", "kill -9 $$"], -signal.SIGKILL)
        self.check(["sh", "-c", "kill -TERM $$"], -signal.SIGTERM)

    def test_no_such_program(self):
        result = self.check(["/no/such/program"], 127)
        self.assertIn("/no/such/program", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_not_executable(self):
        with open(self.path("plain"), "w") as file:
            file.write("text\n")
        result = self.check([self.path("plain")], 126)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.check([self.directory], 126)

    def test_bad_interpreter(self):
        with open(self.path("script"), "w") as file:
            file.write("#!/no/such/interpreter\n")
        os.chmod(self.path("script"), 0o755)
        self.check([self.path("script")], 127)


class TestUsage(InDirectory):
    """Own failures: status 125, one clear line, and the program was not started."""

    def check(self, *arguments, says):
        marker = self.path("started")
        result = roast_run(*arguments, *([] if "--" in arguments else ["--", "touch", marker]))
        self.assertEqual(result.returncode, 125, result.stderr)
        self.assertFalse(os.path.exists(marker), "the program was started")
        lines = [line for line in result.stderr.splitlines() if "--help" not in line]
        self.assertEqual(len(lines), 1, result.stderr)
        for word in says:
            self.assertIn(word, lines[0])

    def test_interval(self):
        for text in ("0", "-1", "nan", "x", "1s", "0.001"):
            self.check(f"--interval={text}", says=["--interval", "0.01"])

    def test_unknown_option(self):
        self.check("--intervall=1", says=["--intervall"])

    def test_unknown_backend(self):
        self.check("--backend=lokal", says=["lokal", "local"])

    def test_empty_backend(self):
        self.check("--backend=", says=["--backend"])
        self.check("--backend=,pss=auto", says=["--backend"])

    def test_unknown_exporter(self):
        self.check("--export=jsn:x", says=["jsn", "json"])

    def test_unknown_backend_option(self):
        self.check("--backend=local,pps=auto", says=["pps", "pss"])

    def test_bad_option_value(self):
        self.check("--backend=local,pss=sometimes", says=["sometimes", "exact"])
        self.check("--backend=local,grace=long", says=["long"])

    def test_bad_export(self):
        self.check("--export=:x", says=["--export"])
        self.check("--export=csv", says=["csv", "directory"])

    def test_bad_tag(self):
        self.check("--tag=x", says=["--tag"])

    def test_bad_color(self):
        self.check("--color=pink", says=["--color"])

    def test_no_program(self):
        self.check("--", says=["program"])

    def test_output_without_directory(self):
        self.check("-e", f"json:{self.path('no/such/dir/x.json')}", says=["no/such/dir"])

    def test_output_is_a_directory(self):
        self.check("-e", f"json:{self.directory}", says=[self.directory])

    def test_output_not_writable(self):
        os.mkdir(self.path("locked"))
        os.chmod(self.path("locked"), 0o555)
        if os.geteuid() == 0:
            # Root may write anywhere but there.
            self.check("-e", "json:/proc/x.json", says=["/proc/x.json"])
        else:
            self.check("-e", f"json:{self.path('locked/x.json')}", says=["locked"])

    def test_attach_and_program(self):
        self.check("--attach=1", says=["--attach"])


class TestOutput(InDirectory):
    def test_program_has_its_own_output(self):
        result = roast_run("--", "sh", "-c", "echo out; echo err >&2")
        self.assertEqual(result.stdout, "out\n")
        self.assertTrue(result.stderr.startswith("err\n"))
        self.assertIn("CPU time", result.stderr)

    def test_quiet(self):
        result = roast_run("-q", "--", "echo", "out")
        self.assertEqual((result.stdout, result.stderr), ("out\n", ""))

    def test_standard_output_if_asked(self):
        result = roast_run("-e", "json:-", "--", "true")
        report = json.loads(result.stdout)
        self.assertEqual(report["metrics"]["exit_status"]["value"], 0)
        self.assertEqual(result.stderr, "")

    def test_several(self):
        result = roast_run("-e", "table:" + self.path("t.txt"), "-e", "json:" + self.path("r.json"),
                           "-e", "csv:" + self.path("csv"), "-t", "site=bonn", "--", "sh", "-c", "exit 4")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (4, "", ""))
        self.assertIn("CPU time", self.read("t.txt"))
        self.assertEqual(json.loads(self.read("r.json"))["metrics"]["exit_status"]["value"], 4)
        self.assertIn("bonn", self.read("r.json"))
        self.assertIn("process_cpu_time_seconds", self.read("csv/metrics.csv"))
        self.assertEqual(sorted(os.listdir(self.directory)), ["csv", "r.json", "t.txt"])

    def test_standard_input_is_the_programs(self):
        result = roast_run("-q", "--", "cat", stdin=None, input="through\n")
        self.assertEqual(result.stdout, "through\n")

    def test_full_disk(self):
        result = roast_run("-e", "json:/dev/full", "-e", "table:" + self.path("t.txt"), "--", "sh", "-c", "exit 7")
        self.assertEqual(result.returncode, 7)
        self.assertIn("No space left", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("CPU time", self.read("t.txt"))

    def test_closed_standard_error(self):
        result = subprocess.run("roast-run -- sh -c 'exit 6' 2>&-", shell=True, timeout=240)
        self.assertEqual(result.returncode, 6)

    def test_closed_standard_output(self):
        result = subprocess.run(f"roast-run -e json:- -- touch {self.path('ran')} >&-", shell=True, timeout=240,
                                stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 125)
        self.assertIn("closed", result.stderr)
        self.assertFalse(os.path.exists(self.path("ran")))
        # What the program is given is what roast-run was given.
        result = subprocess.run("roast-run -q -- sh -c 'echo x' >&-", shell=True, timeout=240, stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, subprocess.run("sh -c 'echo x' >&-", shell=True,
                                                           stderr=subprocess.PIPE).returncode)

    def test_older_report_survives_a_failed_launch(self):
        with open(self.path("r.json"), "w") as file:
            file.write("older")
        roast_run("-e", "json:" + self.path("r.json"), "--", "/no/such/program")
        self.assertEqual(self.read("r.json"), "older")
        self.assertEqual(os.listdir(self.directory), ["r.json"])

    def test_options_of_the_program_are_its_own(self):
        result = roast_run("-q", "echo", "-e", "--interval=0", "--", "x")
        self.assertEqual(result.stdout, subprocess.run(["echo", "-e", "--interval=0", "--", "x"], capture_output=True,
                                                      text=True).stdout)


# Prints the modules that are open in the processes whose command line has the argument of the script.
OPEN_MODULES = """
import pathlib, sys
for process in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        if sys.argv[1].encode() in (process / "cmdline").read_bytes():
            lines = (process / "maps").read_text().splitlines()
            print(*{line.rpartition("/")[2] for line in lines if "/libroast-" in line})
    except OSError:
        pass
"""


class TestModules(InDirectory):
    """What the report needs is not loaded while the program waits for its start."""

    def list(self, *arguments):
        tag = f"--tag=test={self.directory}"
        result = roast_run(tag, *arguments, "--", sys.executable, "-c", OPEN_MODULES, tag)
        self.assertEqual(result.returncode, 0, result.stderr)
        return set(result.stdout.split())

    def test_start(self):
        modules = self.list("-e", "table", "-e", f"json:{self.path('json')}", "-e", f"csv:{self.path('csv')}")
        modules = {name for name in modules if not name.startswith("libroast-1.")}
        # The backends of executors may be left out of a build.
        executors = {"libroast-dask.so", "libroast-taskvine.so"}
        self.assertEqual(modules - executors, {"libroast-local.so", "libroast-coffea.so"})
        self.assertGreater(os.path.getsize(self.path("json")), 1000)


class TestSurroundings(InDirectory):
    """What the program finds is what it would find without roast-run."""

    def test_descriptors(self):
        result = roast_run("-q", "--", "ls", "/proc/self/fd")
        bare = subprocess.run(["ls", "/proc/self/fd"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(result.stdout, bare.stdout)

    def test_limits(self):
        command = ["sh", "-c", "ulimit -a; cat /proc/self/oom_score_adj; umask"]
        self.assertEqual(roast_run("-q", "--", *command).stdout,
                         subprocess.run(command, capture_output=True, text=True).stdout)

    def test_signal_dispositions(self):
        command = "grep -E '^Sig(Blk|Ign)' /proc/self/status"
        for prefix in ("", "trap '' HUP; ", "trap '' PIPE; "):
            bare = subprocess.run(["sh", "-c", f"{prefix} exec sh -c \"{command}\""], capture_output=True, text=True)
            ours = subprocess.run(["sh", "-c", f"{prefix} exec roast-run -q -- sh -c \"{command}\""],
                                  capture_output=True, text=True)
            self.assertEqual(ours.stdout, bare.stdout, prefix)

    def test_pipe_signal(self):
        result = roast_run("-q", "--", "bash", "-c", "yes | head -n 1 >/dev/null; echo ${PIPESTATUS[0]}")
        self.assertEqual(result.stdout, "141\n")

    def test_process_group(self):
        script = "import os; print(os.getpgrp() == os.getpgid(os.getppid()), os.getsid(0))"
        result = roast_run("-q", "--", sys.executable, "-c", script)
        self.assertEqual(result.stdout, f"True {os.getsid(0)}\n")

    def test_environment(self):
        result = roast_run("-q", "--", "env", env={**os.environ, "LEFT": "alone"})
        ours = dict(line.split("=", 1) for line in result.stdout.splitlines() if "=" in line)
        self.assertEqual(ours["LEFT"], "alone")
        self.assertLessEqual({"ROAST_SOCKET", "ROAST_RUN_ID", "ROAST_TOKEN"}, set(ours))
        self.assertFalse(os.path.exists(ours["ROAST_SOCKET"]), "the socket was left behind")
        self.assertFalse(os.path.exists(os.path.dirname(ours["ROAST_SOCKET"])), "its directory was left behind")


class TestSignals(InDirectory):
    def start(self, *arguments, **options):
        # Who runs the tests may ignore signals (nohup), and so would the program.
        return super().start(*arguments, preexec_fn=lambda: [signal.signal(number, signal.SIG_DFL) for number in (
            signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)], **options)

    def script(self, *lines):
        return ["--", "bash", "-c", "\n".join(lines)]

    def test_term_is_handed_on_and_the_report_written(self):
        process = self.start("-e", "json:" + self.path("r.json"), *self.script(
            f"trap 'echo TERM >> {self.path('got')}; exit 5' TERM", f"echo $$ > {self.path('pid')}",
            "while :; do sleep 0.05; done"))
        self.wait_for_file("pid")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(240), 5)
        self.assertEqual(self.read("got"), "TERM\n")
        self.assertEqual(json.loads(self.read("r.json"))["metrics"]["exit_status"]["value"], 5)

    def test_others_are_handed_on(self):
        for name in ("USR1", "USR2", "HUP", "INT", "QUIT"):
            process = self.start("-q", *self.script(
                f"trap 'exit 9' {name}", f"echo $$ > {self.path(name)}", "while :; do sleep 0.05; done"))
            self.wait_for_file(name)
            self.addCleanup(kill, int(self.read(name)))
            process.send_signal(getattr(signal, "SIG" + name))
            self.assertEqual(process.wait(240), 9, name)

    def test_a_signal_to_the_group_comes_once(self):
        process = self.start("-q", *self.script(
            f"trap 'echo TERM >> {self.path('got')}' TERM", f"echo $$ > {self.path('pid')}",
            f"until [ -e {self.path('end')} ]; do sleep 0.05; done"), start_new_session=True)
        self.wait_for_file("pid")
        os.killpg(process.pid, signal.SIGTERM)
        self.wait_for_file("got")
        time.sleep(0.3)  # for a second one that must not come there is nothing to wait for
        open(self.path("end"), "w").close()
        self.assertEqual(process.wait(240), 0)
        self.assertEqual(self.read("got"), "TERM\n")

    def test_killed_roast_run_leaves_the_program_alive(self):
        process = self.start("-q", *self.script(
            f"echo $$ > {self.path('pid')}", f"until [ -e {self.path('end')} ]; do sleep 0.05; done",
            f"echo done > {self.path('done')}"))
        pid = int(self.wait_for_file("pid"))
        process.kill()
        process.wait()
        time.sleep(0.3)
        self.assertTrue(alive(pid))
        open(self.path("end"), "w").close()
        self.assertEqual(self.wait_for_file("done"), "done\n")
        wait_until(lambda: not alive(pid))

    def test_killed_supervisor(self):
        """What had been measured is reported; the program lives on, and roast-run ends as it ends."""
        process = self.start("-i", "0.05", "--save=" + self.path("run"), "-e", "json:" + self.path("r.json"), *self.script(
            f"echo $$ $PPID > {self.path('pid')}", f"until [ -e {self.path('end')} ]; do sleep 0.05; done", "exit 6"))
        pid, supervisor = map(int, self.wait_for_file("pid").split())
        wait_until(lambda: count_rows(self.path("run"), "cluster_samples") > 0)
        os.kill(supervisor, signal.SIGKILL)
        wait_until(lambda: os.path.exists(self.path("r.json")))
        self.assertTrue(alive(pid))
        self.assertIsNone(process.poll())
        open(self.path("end"), "w").close()
        self.assertEqual(process.wait(240), 6)
        report = json.loads(self.read("r.json"))
        self.assertIsNone(report["metrics"]["exit_status"]["value"])
        self.assertTrue(report["metrics"]["exit_status"]["reason"])
        wait_until(lambda: not alive(pid))


class TestTerminal(InDirectory):
    """Job control in a real interactive shell on a pseudo-terminal."""

    def setUp(self):
        super().setUp()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["PS1"] = "ready> "
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self.addCleanup(self.end)
        self.seen = ""
        self.expect("ready> ")

    def end(self):
        os.close(self.fd)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def expect(self, text, seconds=240):
        end = time.monotonic() + seconds
        while text not in self.seen:
            left = end - time.monotonic()
            self.assertGreater(left, 0, f"“{text}” did not come: {self.seen!r}")
            if select.select([self.fd], [], [], left)[0]:
                self.seen += os.read(self.fd, 4096).decode(errors="replace")
        self.seen = self.seen[self.seen.index(text) + len(text):]

    def type(self, text):
        os.write(self.fd, text.encode())

    def test_interrupt(self):
        self.type("roast-run -- sh -c 'echo st\"\"arted; exec sleep 100'\n")
        self.expect("started")
        self.type("\x03")
        self.expect("CPU time")
        self.expect("ready> ")
        self.type("echo status=$?\n")
        self.expect("status=130")

    def test_stop_and_continue(self):
        self.type("roast-run -q -- sh -c 'echo st\"\"arted; exec sleep 100'\n")
        self.expect("started")
        self.type("\x1a")
        self.expect("Stopped")
        self.expect("ready> ")
        self.type("fg\n")
        self.expect("sleep 100")
        wait_until(lambda: os.tcgetpgrp(self.fd) != self.pid)
        self.type("\x03")
        self.expect("ready> ")
        self.type("echo status=$?\n")
        self.expect("status=130")

    def test_program_that_stops_itself(self):
        self.type("roast-run -q -- sh -c 'kill -STOP $$; echo con\"\"tinued; exit 4'\n")
        self.expect("Stopped")
        self.expect("ready> ")
        self.type("fg; echo status=$?\n")
        self.expect("continued")
        self.expect("status=4")

    def test_interrupt_stops_a_loop(self):
        self.type("for i in 1 2 3; do roast-run -q -- sh -c 'echo st\"\"arted; exec sleep 100'; done\n")
        self.expect("started")
        self.type("\x03")
        self.expect("ready> ")
        self.type("echo status=$?, i=$i\n")
        self.expect("status=130, i=1")

    def test_program_reads_the_terminal(self):
        self.type("roast-run -q -- sh -c 'read line; echo got-$line'\n")
        self.type("word\n")
        self.expect("got-word")


class TestCapabilities(InDirectory):
    """A backend is used only as its key file says."""

    def plugin(self, capabilities):
        """The local backend, with another key file; returns the environment in which it is found."""
        built = next(path for path in os.environ["ROAST_PLUGIN_PATH"].split(":") if os.path.exists(os.path.join(path, "local.roast-plugin")))
        directory = os.path.join(self.directory, "plugins-" + capabilities)
        os.mkdir(directory)
        for name in os.listdir(built):
            if name.endswith((".so", ".roast-schema")):
                os.symlink(os.path.join(built, name), os.path.join(directory, name))
        with open(os.path.join(built, "local.roast-plugin")) as file:
            text = file.read()
        changed = re.sub("(?m)^Capabilities=.*$", "Capabilities=" + capabilities, text)
        self.assertNotEqual(changed, text)
        with open(os.path.join(directory, "local.roast-plugin"), "w") as file:
            file.write(changed)
        return dict(os.environ, ROAST_PLUGIN_PATH=directory + ":" + os.environ["ROAST_PLUGIN_PATH"])

    def run_with(self, capabilities, *arguments):
        return subprocess.run(["roast-run", "-q", *arguments], env=self.plugin(capabilities), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=240)

    def test_launch(self):
        trace = os.path.join(self.directory, "trace")
        for capabilities, reason in (("attach;live", "this backend can only attach to a running executor"),
                                     ("read", "this backend can only read finished runs"),
                                     ("attach;read", "this backend can only attach to a running executor, or read finished runs"),
                                     ("live", "the key file lists none of launch, attach and read in Capabilities")):
            result = self.run_with(capabilities, "--", "touch", trace)
            self.assertEqual(result.returncode, 125)
            self.assertEqual(result.stderr, f"roast-run: backend local of plugin local cannot start a program: {reason}\n")
            self.assertFalse(os.path.exists(trace))
        self.assertEqual(self.run_with("launch", "--", "touch", trace).returncode, 0)
        self.assertTrue(os.path.exists(trace))

    def test_attach(self):
        result = self.run_with("launch", "--attach=" + str(os.getpid()))
        self.assertEqual(result.returncode, 125)
        self.assertIn("backend local of plugin local cannot attach to or read anything: this backend can only measure a program that "
                      "roast starts", result.stderr)
        for capabilities in ("attach", "read;live"):
            sleeper = subprocess.Popen(["sleep", "100"])
            run = self.path("run-" + capabilities)
            process = subprocess.Popen(["roast-run", "-q", "-e", "json:/dev/null", "--save=" + run, f"--attach={sleeper.pid}"],
                                       env=self.plugin(capabilities), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
            self.addCleanup(process.kill)
            wait_until(lambda run=run: count_rows(run, "cluster_samples") > 0)
            sleeper.kill()
            sleeper.wait()
            self.assertEqual((process.communicate(timeout=HANG)[1], process.returncode), ("", 0))


class TestAttach(InDirectory):
    def target(self, *command):
        process = subprocess.Popen(command)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_until_it_ends(self):
        target = self.target("sh", "-c", f"until [ -e {self.path('end')} ]; do sleep 0.05; done")
        process = self.start("-i", "0.05", "--save=" + self.path("run"), "-e", "json:" + self.path("r.json"), f"--attach={target.pid}")
        wait_until(lambda: count_rows(self.path("run"), "cluster_samples") > 0)
        open(self.path("end"), "w").close()
        self.assertEqual(process.wait(240), 0, process.stderr.read())
        report = json.loads(self.read("r.json"))
        self.assertIsNone(report["metrics"]["exit_status"]["value"])
        self.assertIn("attached", report["metrics"]["exit_status"]["reason"])
        self.assertGreater(report["metrics"]["workers_peak"]["value"], 0)
        for name in ("process_cpu_time_seconds", "io_read_chars_bytes", "io_write_chars_bytes", "minor_faults_total"):
            self.assertEqual(report["metrics"][name]["completeness"], "partial", name)

    def test_waiting_of_before(self):
        """Of a process that waited for a core before, only what came later counts: at most the time that passed, for each thread."""
        burn = "import time\nwhile time.process_time() < 0.2: pass\nopen('ready', 'w').close()\nwhile True: time.sleep(0.1)"
        target = self.target(sys.executable, "-c", f"import os; os.chdir({self.path('.')!r})\n{burn}")
        wait_until(lambda: os.path.exists(self.path("ready")))
        process = self.start("-i", "0.05", "--save=" + self.path("run"), "-e", "json:" + self.path("r.json"), f"--attach={target.pid}")
        wait_until(lambda: count_rows(self.path("run"), "cluster_samples") > 2)
        target.kill()
        self.assertEqual(process.wait(240), 0, process.stderr.read())
        metrics = json.loads(self.read("r.json"))["metrics"]
        self.assertLessEqual(metrics["run_queue_seconds"]["value"], metrics["elapsed_time_seconds"]["value"])

    def test_until_interrupted(self):
        target = self.target("sleep", "100")
        process = self.start("-i", "0.05", "--save=" + self.path("run"), "-e", "json:" + self.path("r.json"), f"--attach={target.pid}")
        wait_until(lambda: count_rows(self.path("run"), "cluster_samples") > 0)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(240), 0, process.stderr.read())
        self.assertIsNone(target.poll(), "the target was hurt")
        self.assertIn("memory_peak_bytes", json.loads(self.read("r.json"))["metrics"])

    def check_refused(self, address, *says, prefix=()):
        program = shutil.which("roast-run")
        result = subprocess.run([*prefix, program, f"--attach={address}"], capture_output=True, text=True, timeout=240)
        self.assertEqual(result.returncode, 125, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for word in says:
            self.assertIn(word, result.stderr)

    @unittest.skipIf(os.geteuid() != 0, "only root can become somebody else")
    def test_process_of_another_user(self):
        if subprocess.run([*NOBODY, shutil.which("roast-run"), "--version"], capture_output=True).returncode != 0:
            self.skipTest("nobody may not enter the directory that roast was built in")
        target = self.target("sleep", "100")
        self.check_refused(target.pid, str(target.pid), "another user", prefix=NOBODY)

    def test_no_such_process(self):
        gone = subprocess.Popen(["true"])
        gone.wait()
        self.check_refused(gone.pid, str(gone.pid))

    def test_not_a_process(self):
        for text in ("x", "0", "-5", "99999999999"):
            self.check_refused(text, text)


if __name__ == "__main__":
    guard(lambda: unittest.main(verbosity=2))
