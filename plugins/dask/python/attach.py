# SPDX-License-Identifier: BSD-3-Clause
"""roast-attach: joins a running Dask scheduler through a Dask client.

Puts roast's probe into the scheduler (nothing is installed there) and starts roast-run on it. Run it with a Python that has the
scheduler's version of Dask. With --lines, which roast-run itself uses, it writes the probe's lines to standard output.
"""

import argparse
import asyncio
import difflib
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.realpath(__file__))
PATIENCE = 1.0  # s; if the scheduler has not answered by then, roast-attach says that it is waiting
INTERRUPTED = 128 + signal.SIGINT


def fail(text):
    print("roast-attach: " + text, file=sys.stderr)
    sys.exit(125)


def load_client_module():
    module = {"__name__": "roast_dask_client"}
    path = os.path.join(HERE, "dask-client.py")
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), module)
    return module


def say_waiting(arguments):
    print("roast-attach: waiting up to %g s for the scheduler at %s" % (arguments.timeout, arguments.address), file=sys.stderr, flush=True)


async def connect(arguments):
    from distributed import Client

    try:
        return await Client(arguments.address, asynchronous=True, timeout=arguments.timeout, set_as_default=False)
    except Exception as error:
        fail("no scheduler answers at %s: %s" % (arguments.address, error))
    finally:
        arguments.notice.cancel()


def make_send():
    """Return a function that writes lines to standard output without blocking the event loop."""

    async def send(text):
        await asyncio.get_running_loop().run_in_executor(None, write, text.encode())

    def write(data):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    return send


async def hand_on(arguments):
    module = load_client_module()
    client = await connect(arguments)
    client._timeout = 2 * module["PATIENCE"]  # Dask closes a client for good if it cannot connect again within this time
    sources = module["read_sources"](HERE)
    send = make_send()
    run = secrets.token_hex(16)
    relay = module["Relay"](client, send, run, interval=arguments.interval, tasks=arguments.tasks, sources=sources)
    loop = asyncio.get_running_loop()
    over = asyncio.Event()

    def on_request():
        line = sys.stdin.buffer.readline()
        if not line:
            loop.remove_reader(sys.stdin.fileno())
            over.set()
            return
        try:
            relay.requests.append(json.loads(line)["id"])
        except Exception:
            pass

    loop.add_reader(sys.stdin.fileno(), on_request)
    try:
        await asyncio.wait_for(relay.begin(), module["START"])
    except Exception as error:
        fail("cannot put the probe into %s: %s: %s" % (arguments.address, type(error).__name__, error))
    follow = asyncio.ensure_future(relay.follow())
    ends = [asyncio.ensure_future(end) for end in (over.wait(), relay.await_silence())]
    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    for task in (follow, *ends):
        task.cancel()
    relay.closing = True
    if not over.is_set():
        await relay.warn("the scheduler at %s has not answered for %g s: the measurement ends" % (arguments.address, module["PATIENCE"]))
        os._exit(0)  # Do not close the client: without a scheduler, this would only print warnings.
    try:
        await relay.leave()
    except Exception:
        pass  # The scheduler is gone.
    await client.close()


async def remove(arguments):
    """Remove the probe that a killed reader left behind."""
    module = load_client_module()
    client = await connect(arguments)
    try:
        # Install a probe unless one exists already. Then ask the probe to leave, so that it removes itself.
        await module["inject"](client, module["read_sources"](HERE), arguments.interval, arguments.tasks)
        why = await client.scheduler.roast_leave(reader=None)
    except Exception as error:
        fail("cannot remove the probe from %s: %s: %s" % (arguments.address, type(error).__name__, error))
    await client.close()
    if why is not None:
        fail("the probe stays in %s: %s" % (arguments.address, why))
    print("roast-attach: no probe of roast is left in %s" % arguments.address)


async def inject(arguments, token):
    """Install the probe, and return the host and the address details of the scheduler's HTTP server."""
    module = load_client_module()
    client = await connect(arguments)
    try:
        await module["inject"](client, module["read_sources"](HERE), arguments.interval, arguments.tasks)
        answer = await client.scheduler.roast_poll(token=token)
        web = answer["web"]
    except KeyError:
        fail("the probe in %s is from another version of roast: restart the scheduler" % arguments.address)
    except Exception as error:
        fail("cannot put the probe into %s: %s: %s" % (arguments.address, type(error).__name__, error))
    host = client.scheduler.address.split("://")[-1].rpartition(":")[0]
    await client.close()
    return host, web


def answers(url, token):
    request = urllib.request.Request(url + "/roast/v1/poll?cursor=0", headers={"Authorization": "Bearer " + token})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status == 200
    except Exception:
        return False


def find_run(programs):
    """Find the roast-run installed beside roast-attach: it need not be on PATH."""
    beside = os.path.join(programs, "roast-run")
    return beside if programs and os.access(beside, os.X_OK) else "roast-run"


def version(programs):
    """Return the version of roast-run: both are one package, and roast-attach only starts roast-run."""
    try:
        result = subprocess.run([find_run(programs), "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        fail("cannot run roast-run: %s" % error)
    return "roast-attach " + result.stdout.decode().split()[-1]


class Version(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        print(version(namespace.programs))
        parser.exit()


class Parser(argparse.ArgumentParser):
    """Suggests the option that was probably meant when an option is unknown."""

    def parse_args(self, args=None, namespace=None):
        # Check the names of options first: for an unknown option, argparse would only complain that the address is missing.
        for word in sys.argv[1:] if args is None else args:
            option = word.partition("=")[0]
            if option == "--":
                break
            if option.startswith("--") and not any(known.startswith(option) for known in self._option_string_actions):
                near = difflib.get_close_matches(option, self._option_string_actions, n=1)
                self.error("unrecognized arguments: " + word + (". Did you mean %s?" % near[0] if near else ""))
        return super().parse_args(args, namespace)


def run(arguments, options):
    """Replace this process with roast-run."""
    try:
        os.execvp(find_run(arguments.programs), ["roast-run"] + options + arguments.options)
    except OSError as error:
        fail("cannot run roast-run: %s" % error)


def main():
    parser = Parser(prog="roast-attach", description="Measures a running Dask scheduler, process or TaskVine manager "
                                     "(through its logs), until it ends or until Ctrl-C.",
                                     epilog="Options after -- go to roast-run, for example: roast-attach tcp://HOST:8786 -- -e json:report.json")
    parser.add_argument("address", help="address of a scheduler, such as tcp://HOST:8786; or a process ID; or a directory of logs")
    parser.add_argument("options", nargs="*", default=[], help="options of roast-run")
    parser.add_argument("--interval", type=float, default=1.0, help="seconds between two samples")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds to wait for the scheduler")
    parser.add_argument("--tasks", action=argparse.BooleanOptionalAction, default=True, help="keep a row for each task")
    parser.add_argument("--print", action="store_true",
                        help="only put the probe into the scheduler and print the command that attaches to it")
    parser.add_argument("--remove", action="store_true", help="remove what a killed measurement left in the scheduler and its workers")
    parser.add_argument("--version", action=Version, nargs=0, help="show the version")
    parser.add_argument("--lines", action="store_true", help=argparse.SUPPRESS)
    # Options that the script roast-attach sets: its directory, and whether roast was built without libsoup.
    parser.add_argument("--programs", default="", help=argparse.SUPPRESS)
    parser.add_argument("--no-http", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if "://" not in arguments.address and (arguments.address.isdigit() or os.path.exists(arguments.address)):
        run(arguments, ["--interval=%g" % arguments.interval, "--attach=" + arguments.address])
    # Let a timer in a thread print the notice, because importing Dask may also take long.
    arguments.notice = threading.Timer(PATIENCE, say_waiting, (arguments,))
    arguments.notice.daemon = True
    arguments.notice.start()
    try:
        import distributed  # noqa: F401
    except ImportError:
        fail("%s has no Dask (distributed): use the Python of your analysis, for example: python %s" % (sys.executable, " ".join(sys.argv)))
    if arguments.lines:
        # Ignore Ctrl-C, because roast-run handles it: it requests the last data before it stops.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        asyncio.run(hand_on(arguments))
        return
    if arguments.remove:
        asyncio.run(remove(arguments))
        return
    token = secrets.token_hex(16)
    host, web = asyncio.run(inject(arguments, token))
    url = "http://%s:%s%s" % (host, web["port"], web["prefix"])
    # Do not use the HTTP port if it needs TLS: GLib's TLS may not know the site's certificates, and the wheel has no TLS. A Dask client
    # knows the certificates.
    reachable = not arguments.no_http and web["port"] and not web["tls"] and answers(url, token)
    options = ["--backend=dask,tasks=" + str(arguments.tasks).lower(), "--interval=%g" % arguments.interval]
    if reachable:
        os.environ["ROAST_TOKEN"] = token
        options.append("--attach=" + url)
    else:
        # Attach through a Dask client, because this machine or this build of roast cannot reach the HTTP port.
        options[0] += ",python=" + sys.executable
        options.append("--attach=" + arguments.address)
    if arguments.print:
        if reachable:
            print("export ROAST_TOKEN=" + token)
        print("roast-run " + " ".join(options))
        return
    run(arguments, options)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)  # Do not close the unfinished client, because this would only print warnings.
