# SPDX-License-Identifier: BSD-3-Clause
# roast-run puts this text into Dask's configuration, because it measures this script. The text loads roast's code, and the preload modules
# that were configured before. If roast's files are missing, as on another machine, it only loads those preload modules.
import ast, logging, os, sys
import dask.config
from distributed.preloading import process_preloads

# Undo the log level with which roast-run kept Dask from logging the whole text of this module.
if os.environ.get("ROAST_DASK_LOGGING"):
    logging.getLogger("distributed.utils").setLevel(logging.NOTSET)

kind = "@KIND@"
ours = {}
try:
    path = os.path.join(@DIRECTORY@, "@FILE@")
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), ours)
except OSError as error:
    # Print nothing on another machine, which has neither roast's files nor the run's socket. If the socket exists, the run is on this
    # machine, and the files should be here.
    if os.path.exists(os.environ.get("ROAST_SOCKET", "")):
        print("roast: the %s cannot be measured: %s" % (kind, error), file=sys.stderr)
except Exception as error:
    print("roast: the %s cannot be measured: %s" % (kind, error), file=sys.stderr)


def configured(name, default):
    old = os.environ.get("ROAST_DASK_USER_%s_%s" % (kind.upper(), name.upper()))
    try:
        if old is not None:
            return ast.literal_eval(old)
    except (SyntaxError, ValueError):
        return old
    try:
        yaml = dask.config.merge(*dask.config.collect_yaml(dask.config.paths))
        return dask.config.get("distributed.%s.%s" % (kind, name.replace("_", "-")), default, config=yaml)
    except Exception:
        return default


# Load the user's preload modules only once, because Dask runs this text twice in the same module. A preload module that fails here would
# also fail without roast.
if "chained" not in globals():
    chained = list(process_preloads(None, configured("preload", []) or [], configured("preload_argv", []) or []))


async def dask_setup(server):
    for preload in chained:
        preload.dask_object = preload.dask_server = server
        try:
            await preload.start()
        except Exception:
            logging.getLogger("distributed.preloading").exception("Failed to start preload")
    try:
        if "setup" in ours:
            await ours["setup"](server, @DIRECTORY@, os.environ)
    except Exception as error:
        print("roast: the %s cannot be measured: %s: %s" % (kind, type(error).__name__, error), file=sys.stderr)


async def dask_teardown(server):
    try:
        if "teardown" in ours:
            await ours["teardown"](server)
    except Exception:
        pass
    for preload in reversed(chained):
        try:
            await preload.teardown()
        except Exception:
            logging.getLogger("distributed.preloading").exception("Failed to tear down preload")
