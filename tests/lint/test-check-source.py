#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/check-source finds a planted violation of each rule, at its line, and nothing in a tree without one."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BANNED = "in " + "vain"  # in two parts, since this file is checked as well
LICENCE = "/* SPDX-License-Identifier: BSD-3-Clause */\n"

# A small tree without a finding. It has what the rules allow and a careless rule would take for a violation.
CLEAN = {
    "core/base/roast-error.c": '#include "roast/roast-error.h"\n#include "roast-suggest-private.h"\n',
    "core/base/roast-suggest-private.h": "#include <glib.h>\n",
    "core/table/roast-table-reader.c": '#include "roast/roast-table-reader.h"\n#include "base/roast-suggest-private.h"\n',
    "core/table/roast-table-private.h": '#include "roast/roast-table-reader.h"\n',
    "core/session/roast-session.c": '#include "roast/roast-session.h"\n#include "table/roast-table-private.h"\n',
    "include/roast/roast-error.h": "#include <roast/roast-version.h>\n",
    "include/roast/roast-table-reader.h": "#include <roast/roast-error.h>\n",
    "include/roast/roast-session.h": "#include <roast/roast-table-reader.h>\n",
    "include/roast/roast.h": "#include <roast/roast-session.h>\n",
    "client/roast-emit.c": '#include "roast-emit.h"\n#include <sys/socket.h>\n',
    "client/roast-emit.h": "#include <stdint.h>\n",
    "core/roast.roast-schema": "[table files]\nKind=log\n\n[columns files]\nfile=string: its name\nsize=int64 B: its size\n"
                               "first_line=string: its first line\n",
    "plugins/load/load.roast-schema": "[metric bytes_read]\nAliases=bytes_read_coffea\n",
    "plugins/shared/span-totals.h": "#include <roast/roast.h>\n",
    "plugins/dask/roast-dask-backend.c": 'static const char *const module = "distributed.worker";\n',
    "plugins/load/load.h": "#include <roast/roast.h>\n",
    "plugins/load/load.c": """#include "load.h"
#include "load-tables.h"
#include "span-totals.h"

/* A distributed computation, in the foreground of the terminal. */
static gboolean
read_all (RoastRecordingSnapshot *snapshot, Load *self, RoastTableReader **out, GError **error)
{
  g_autoptr (RoastTableReader) tasks = roast_recording_snapshot_read_table (snapshot, ROAST_TABLE_TASKS, roast_tasks_columns, error);
  g_autoptr (RoastTableReader) given = NULL;
  RoastTableReader *reader, *files;

  /* A table of core with its own columns. */
  static const char *const sizes[] = { "size", "first_line", NULL };
  files = roast_recording_snapshot_read_table (snapshot, ROAST_TABLE_FILES, roast_files_columns, NULL);
  files = roast_recording_snapshot_read_table (snapshot, ROAST_TABLE_FILES, sizes, NULL);
  use (files);
  if (tasks == NULL)
    return FALSE;
  given = roast_recording_snapshot_read_table (snapshot, ROAST_TABLE_SPANS, (const char *const[]) { "name", NULL }, error);
  *out = given;
  if ((reader = roast_recording_snapshot_read_table (snapshot, ROAST_TABLE_FILES, NULL, NULL)) != NULL)
    g_object_unref (reader);
  self->workers = roast_recording_snapshot_read_table (snapshot, ROAST_TABLE_WORKERS, roast_workers_columns, error);
  if (!self->workers)
    return FALSE;
  if (!add_table (tables, roast_recording_snapshot_read_table (snapshot, name, NULL, error)))
    return FALSE;
  return roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED) > 0 && roast_table_reader_has (tasks, slots[0]);
}

static RoastTableWriter *
write_one (RoastRecording *recording, GError **error)
{
  g_autoptr (GError) local = NULL;
  RoastTableWriter *writer = roast_recording_write_table (recording, ROAST_TABLE_WORKERS, NULL, roast_workers_columns, error);

  g_return_val_if_fail (writer, NULL);
  roast_table_writer_set_string (writer, ROAST_WORKERS_NAME, "a name is a value here");
  roast_table_writer_set_int64 (writer, ROAST_WORKERS_PID, 0);
  roast_table_writer_end (writer, NULL);
  if (!roast_table_writer_end (writer, error))
    return NULL;
  roast_table_writer_close (writer, &local);
  if (local != NULL)
    g_debug ("%s", local->message);
  return writer;
}
""",
    "tools/run/main.c": '#include <roast/roast.h>\n#include "main.h"\n',
    "tools/run/main.h": "#include <glib.h>\n",
    "tools/run/run-help.c": 'static const char *const example = "roast-run --backend=dask";\n',
    "tools/supervisor/main.c": '#include "process/roast-supervisor-wire.h"\n',
    "CONTRIBUTING.md": f"| do not write | write |\n|---|---|\n| `{BANNED}`, `it is no …` | wasted |\n",
    "README.md": "It is no longer wasted.\n",
}

# Rule, file, and what is added to the end of it. The line that has HERE is found.
PLANTS = [
    ("rooms", "core/table/roast-table-reader.c", '#include "session/roast-session-private.h" /* HERE */\n'),
    ("rooms", "core/table/roast-table-private.h", '#include "roast/roast-session.h" /* HERE */\n'),
    ("rooms", "core/session/roast-session.c", "#include <roast/roast.h> /* HERE */\n"),
    ("rooms", "core/attic/roast-attic.c", ""),
    ("rooms", "include/roast/roast-table-reader.h", "#include <roast/roast-session.h> /* HERE */\n"),
    ("rooms", "include/roast/roast-orphan.h", ""),
    ("rooms", "plugins/load/load.c", '#include "core/base/roast-suggest-private.h" /* HERE */\n'),
    ("rooms", "plugins/load/load.c", '#include "table/roast-table-private.h" /* HERE */\n'),
    ("rooms", "plugins/load/load.c", '#include "../table/text-renderer.h" /* HERE */\n'),
    ("rooms", "tools/run/main.c", '#include "base/roast-suggest-private.h" /* HERE */\n'),
    ("rooms", "client/roast-emit.c", "#include <roast/roast-error.h> /* HERE */\n"),
    ("rooms", "client/roast-emit.c", "#include <glib-object.h> /* HERE */\n"),
    ("slots", "plugins/load/load.c", 'void f (void) { roast_table_writer_set_string (writer, "name", "x"); /* HERE */ }\n'),
    ("slots", "plugins/load/load.c", "void f (void) { roast_table_reader_get_double (self->reader, 7); /* HERE */ }\n"),
    ("slots", "plugins/load/load.c", "void f (void) { roast_row_set_int64 (row, 7, 1); /* HERE */ }\n"),
    ("slots", "plugins/load/load.c", 'int f (void) { return roast_table_snapshot_find_column (table, "name"); /* HERE */ }\n'),
    ("slots", "plugins/load/load.c", 'void *f (void) { return roast_recording_write_table (r, "workers", NULL, c, NULL); /* HERE */ }\n'),
    ("slots", "plugins/load/load.c", 'gboolean f (const char *column) { return g_str_equal (column, "first_line"); /* HERE */ }\n'),
    ("slots", "plugins/load/load.c", """
static const char *const planted[] = {
  "file",
  "seize", /* HERE */
  NULL,
};

gboolean
f (void)
{
  return roast_report_read_table (report, ROAST_TABLE_FILES, planted, NULL) != NULL;
}
"""),
    ("unchecked", "plugins/load/load.c", """
static double
sum (RoastRecordingSnapshot *snapshot, GError **error)
{
  g_autoptr (RoastTableReader) tasks = roast_recording_snapshot_read_table (snapshot, /* HERE */
                                                                            ROAST_TABLE_TASKS, roast_tasks_columns, error);

  while (roast_table_reader_next (tasks))
    if (self->tasks != NULL)
      g_debug ("row");
  return 0;
}
"""),
    ("unchecked", "plugins/load/load.c", "void f (void) { use (roast_report_read_table (report, ROAST_TABLE_PER_WORKER, c, NULL)); /* HERE */ }\n"),
    ("unchecked", "plugins/load/load.c", "void f (void) { r = roast_report_read_table (report, ROAST_TABLE_FILES, mine, NULL); /* HERE */ }\n"),
    ("unchecked", "plugins/load/load.c", "void f (void) { self->w = roast_report_write_table (report, T, c, NULL); /* HERE */ }\n"),
    ("unchecked", "plugins/load/load.c", "void f (GError **error) { roast_table_writer_end (writer, error); /* HERE */ }\n"),
    ("unchecked", "plugins/load/load.c", "void f (void) { GError *e = NULL; roast_table_writer_close (writer, &e); /* HERE */ }\n"),
    ("unchecked", "plugins/load/load.c", "void f (void) { roast_table_append (table, row, NULL); /* HERE */ }\n"),
    ("executors", "core/session/roast-session.c", "/* Dask's own spans. HERE */\n"),
    ("executors", "plugins/shared/span-totals.h", "#define VINE_NAME 1 /* HERE */\n"),
    ("executors", "plugins/load/load.c", 'gboolean f (const char *context) { return g_str_equal (context, "p2p"); /* HERE */ }\n'),
    ("executors", "plugins/load/load.roast-schema", "Formula=sum of gather-dep, HERE\n"),
    ("executors", "tools/run/main.c", 'const char *module = "distributed.worker"; /* HERE */\n'),
    ("words", "docs/page.md", f"All of it was {BANNED}. HERE\n"),
    ("words", "plugins/load/load.c",
     f"/* HERE is a sentence: that it was {BANNED.split()[0]}\n * {BANNED.split()[1]} shows only on the next line. */\n"),
    ("words", "plugins/load/load.c", 'const char *text = "HERE: it is ' 'no "\n                   "file";\n'),
    ("licence", "plugins/load/loader.py", "import sys\n"),
    ("licence", "scripts/tool", "#!/bin/sh\n"),
]


class TestCheckSource(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        for name, text in CLEAN.items():
            self.write(name, (LICENCE if name.endswith((".c", ".h")) else "") + text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def check(self, *arguments):
        result = subprocess.run([sys.executable, SOURCE / "scripts" / "check-source", f"--root={self.root}", *arguments],
                                capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.returncode, 1 if result.stdout else 0)
        return result.stdout.splitlines()

    def test_clean(self):
        self.assertEqual(self.check(), [])

    def test_planted(self):
        for rule, name, text in PLANTS:
            with self.subTest(rule=rule, text=text):
                path = self.root / name
                before = path.read_text() if path.exists() else None
                after = (before if before else LICENCE if name.endswith((".c", ".h")) else "") + text
                self.write(name, after)
                found = self.check()
                if before is None:
                    path.unlink()
                else:
                    path.write_text(before)
                line = next((number for number, line in enumerate(after.splitlines(), 1) if "HERE" in line), 1)
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(f"{name}:{line}: [{rule}] "), found)

    def test_exempt(self):
        self.write("core/session/roast-session.c", LICENCE + "/* As in Dask. check-source: allow executors (an example) */\n")
        self.assertEqual(self.check(), [])

    def test_generated(self):
        self.root = self.root / "real"
        for name in ("scripts/update-tables", "tools/schema/roast-schema", "core/roast.roast-schema", "docs/report.schema.json"):
            self.write(name, (SOURCE / name).read_text())
        subprocess.run([sys.executable, self.root / "scripts" / "update-tables"], check=True)
        self.assertEqual(self.check("--only=generated"), [])
        schema = self.root / "core" / "roast.roast-schema"
        schema.write_text(schema.read_text().replace("\npid=int64", "\nplanted=int64: a new column\npid=int64"))
        found = self.check("--only=generated")
        self.assertEqual([line.partition(":")[0] for line in found], ["docs/report.schema.json", "docs/tables.md"])
        self.assertIn("run scripts/update-tables", found[0])
        schema.write_text("[columns nowhere]\n" + schema.read_text())
        self.assertIn("scripts/update-tables:1: [generated]", self.check("--only=generated")[0])

    def test_only(self):
        self.write("docs/page.md", f"{BANNED}\n")
        self.assertEqual(self.check("--only=rooms,slots"), [])
        self.assertEqual(len(self.check("--only=words")), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
