#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs of TaskVine that are slow on purpose: the first finding names the cause."""

from vinerun import VineTest, main


class TestSlow(VineTest):
    def first_finding(self, scenario):
        report = self.roast_run(self.script(scenario), "-e", "table:page")
        with open(self.directory + "/page") as file:
            self.page = file.read()
        findings = report.data["report_tables"]["findings"]["data"]
        return findings["rule"][0], findings["text"][0]

    def test_manager_only_sends(self):
        rule, text = self.first_finding("sending")
        self.assertEqual(rule, "moving", self.page)

    def test_library_exits(self):
        rule, text = self.first_finding("broken")
        self.assertEqual(rule, "libraries", self.page)
        self.assertRegex(text, "(libraries|The library) failed")


if __name__ == "__main__":
    main()
