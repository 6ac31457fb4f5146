# SPDX-License-Identifier: BSD-3-Clause
"""A real browser, for tests of pages."""

import importlib.util
import os
import shutil

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
IS_THERE = bool(CHROMIUM and DRIVER and importlib.util.find_spec("selenium") is not None)
NEEDS = "needs the packages chromium, chromium-driver and python3-selenium"
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,1600")


def browse(test, path, directory):
    """A driver that has opened a file, until the test ends; the browser keeps what it writes in this directory."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (*ARGUMENTS, "--user-data-dir=" + os.path.join(directory, "profile")):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    environment = os.environ | {"HOME": directory, "XDG_RUNTIME_DIR": directory}
    for name in ("MALLOC_PERTURB_", "MALLOC_CHECK_", "LD_LIBRARY_PATH"):
        environment.pop(name, None)
    driver = webdriver.Chrome(service=Service(DRIVER, env=environment), options=options)
    test.addCleanup(driver.quit)
    driver.set_page_load_timeout(240)
    driver.get("file://" + path)
    return driver
