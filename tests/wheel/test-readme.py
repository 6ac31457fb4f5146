#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Types the commands with which README and docs/install.md install roast, as their reader does: see scripts/test-readme."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
README = (SOURCE / "README.md").read_text(encoding="utf-8")
INSTALL = (SOURCE / "docs" / "install.md").read_text(encoding="utf-8")
USER = "roast-reader"
EXPECTED = ("\n42\n", "Key numbers", "CPU time", "Outcome: exit status 0")
# A Python without PyGObject, such as that of a virtual environment.
WITHOUT_GI = """python3 -S -c '
import roast
try:
    import gi
except ModuleNotFoundError:
    print("no gi here")
'
"""
RUN = "roast-run -- python3 -c 'print(6 * 7)'\npython3 -c 'import roast; print(roast.run([\"true\"]).to_text())'\n"


def find_section(text, heading):
    return re.search(rf"(?ms)^{heading}$(.*?)(?=^## |\Z)", text)[1]


def list_blocks(section):
    return [re.sub(r"(?m)^    ", "", block) for block in re.findall(r"(?m)(?:^    .*\n)+", section)]


def read_commands():
    section = find_section(INSTALL, "## For all users")
    blocks = list_blocks(section)
    assert len(blocks) == 2 and blocks[0].startswith("PREFIX=/usr/local\n"), f"docs/install.md has changed: {blocks}"
    other = re.search(r"`PREFIX=(\S+)`", section)
    assert other, "docs/install.md names no prefix for a user"
    return "".join([*blocks, WITHOUT_GI]), other[1]


def read_pip_commands():
    block = next(block for block in list_blocks(find_section(README, "## Try it")) if "pip install ." in block)
    assert block in list_blocks(find_section(INSTALL, "## With pip, from source")), "README and docs/install.md differ"
    return block


def read_packages():
    return re.search(r"(?m)^\| Debian 11 and newer.*\| `([^`]*)` \|$", INSTALL)[1].split()


def type_commands(commands, directory, *prefix):
    """One shell, as a person has it; it ends at the first command that fails."""
    result = subprocess.run(
        [*prefix, "bash", "-euc", f"cd {directory}\n{commands}"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    print(result.stdout)
    if result.returncode != 0:
        sys.exit(f"README's commands failed with status {result.returncode}")
    for text in EXPECTED:
        assert text in result.stdout, f"README's commands do not print {text!r}"
    if WITHOUT_GI in commands:
        assert "no gi here" in result.stdout, "the environment makes a package gi visible"
    assert result.stdout.count("Key numbers") == 2, "not one report of roast-run and one of Python"


def install_packages(*packages):
    subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def as_user(*variables):
    if subprocess.run(["id", USER], capture_output=True).returncode != 0:
        subprocess.run(["useradd", "--create-home", USER], check=True)
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", "env", "-i", f"HOME=/home/{USER}", "LANG=C.UTF-8", *variables,
            "PATH=/usr/lib/ccache:/usr/local/bin:/usr/bin:/bin"]


class Place:
    """Copies of the source, and a cache of the compiler: what differs between the builds is little."""

    def __init__(self, place):
        self.place = place
        os.chmod(place, 0o755)
        os.mkdir(f"{place}/ccache")
        os.chmod(f"{place}/ccache", 0o1777)
        self.cache = [f"CCACHE_DIR={place}/ccache", "CCACHE_UMASK=000", f"CCACHE_BASEDIR={place}", "CCACHE_NOHASHDIR=1"]

    def copy(self, name, owner="root"):
        shutil.copytree(SOURCE, f"{self.place}/{name}", ignore=shutil.ignore_patterns("build*", ".git"), symlinks=True)
        subprocess.run(["chown", "-R", f"{owner}:", f"{self.place}/{name}"], check=True)
        return f"{self.place}/{name}"


def test_install(place):
    commands, home = read_commands()
    install_packages("ccache")
    user = as_user(*place.cache)
    root = place.copy("root")
    type_commands(commands, root, "env", *place.cache, f"PATH=/usr/lib/ccache:{os.environ['PATH']}")
    # So that the second one finds nothing of the first.
    subprocess.run(["ninja", "-C", "build", "uninstall"], cwd=root, check=True, stdout=subprocess.DEVNULL)
    type_commands(commands.replace("PREFIX=/usr/local", f"PREFIX={home}", 1), place.copy("user", USER), *user)


def check_missing(user, packages):
    """Before they are installed, the message names all packages."""
    if shutil.which("gcc"):
        return
    code = f"import sys; sys.path.insert(0, '{SOURCE}/scripts/wheel'); import backend; backend.check_machine()"
    result = subprocess.run([*user, "python3", "-c", code], capture_output=True, text=True)
    named = set(re.search(r"apt-get install (.*)", result.stderr)[1].split())
    assert named == set(packages), result.stderr
    print(result.stderr)


def test_pip(place):
    packages = read_packages()
    # How fast roast is does not matter here, and several places are not those that the compiler's cache knows.
    user = as_user(*place.cache, "CFLAGS=-O0")
    check_missing(user, packages)
    install_packages(*packages, "ccache", "git")
    venv = "python3 -m venv ~/{0} && . ~/{0}/bin/activate\n"
    commands = read_pip_commands()
    clone = place.copy("clone", USER)
    type_commands(f"{commands}{RUN}", clone, *user)
    # A second time, into the same environment.
    type_commands(f"{commands}{RUN}", clone, *user)
    subprocess.run(["chmod", "-R", "a-w", clone], check=True)
    type_commands(f"{venv.format('readonly')}pip install {clone}\n{RUN}", "/", *user)
    subprocess.run(["chmod", "-R", "u+w", clone], check=True)
    git = "git init -q; git config user.name reader; git config user.email reader@example.org; git add -A -f . ':!venv'; git commit -qm all"
    type_commands(f"{git}\n{venv.format('git')}pip install git+file://$PWD\n{RUN}", clone, *user)
    sdist = "pip install build\npython -m build --sdist --outdir ~/dist .\npip install ~/dist/*.tar.gz\n"
    type_commands(f"{venv.format('sdist')}{sdist}{RUN}", clone, *user)
    # The same tests as for the wheel, where they do not need its own libraries.
    subprocess.run([*user, f"{clone}/venv/bin/python", f"{SOURCE}/tests/wheel/test-wheel.py", f"{clone}/venv", f"{SOURCE}/tests/data", "system"],
                   check=True, cwd="/")
    left = "pip uninstall --yes roast-metrics\ntest -z \"$(find venv/libexec venv/bin venv/share venv/include -name '*roast*' -not -type d)\"\n"
    subprocess.run([*user, "sh", "-euc", f"cd {clone}\n. venv/bin/activate\n{left}"], check=True)


def main():
    chosen = sys.argv[1] if len(sys.argv) > 1 else ""
    if chosen.startswith("/"):
        type_commands(read_commands()[0].replace("PREFIX=/usr/local", f"PREFIX={chosen}", 1), SOURCE, "env", f"ROAST_RUNS={chosen}/runs")
        return
    # First pip, whose message names what is missing.
    tests = {"pip": test_pip, "install": test_install}
    if chosen and chosen not in tests:
        sys.exit("usage: scripts/test-readme [install | pip | PREFIX]")
    for name, test in tests.items():
        if chosen in ("", name):
            with tempfile.TemporaryDirectory() as place:
                test(Place(place))


if __name__ == "__main__":
    main()
