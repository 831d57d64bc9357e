"""A browser for the tests: headless Chromium without a network."""

import shutil
from contextlib import contextmanager

import pytest

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
PATIENCE = 120_000  # ms; a busy machine with a software renderer


@contextmanager
def chromium():
    """Give a browser; the test is skipped where there is none."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=ARGUMENTS, timeout=PATIENCE)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser, path, device):
    """Open a file; every request but for the file itself is refused. Gives the page and what went wrong, as texts."""
    faults = []
    with browser.new_context(**device) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)

        def serve(route):
            if route.request.url == path.as_uri():
                route.continue_()
            else:
                faults.append(f"request {route.request.url}")
                route.abort()

        page.route("**/*", serve)
        page.on("console", lambda told: faults.append(told.text) if told.type in ("error", "warning") else None)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("requestfailed", lambda request: faults.append(f"failed {request.url}"))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready=yes]")
        yield page, faults
