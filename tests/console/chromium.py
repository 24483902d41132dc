"""A real Chromium: Debian's, installed where it is missing and this may be done."""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.server.standing import ACME, Standing
from veridical.server.identity import Role

_PACKAGES = ("chromium", "fonts-noto-cjk")
_INSTALLING_S = 600
_PATIENCE_MS = 120_000
"""Beside all other tests: a server's first review loads the words of all languages."""
expect.set_options(timeout=_PATIENCE_MS)


@contextmanager
def chromium() -> Generator[Browser]:
    """A browser until the block ends."""
    path = shutil.which("chromium") or _installed()
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield opened
        finally:
            opened.close()


def window(browser: Browser, **given: Any) -> BrowserContext:
    """A window of its own, whose pages are waited for patiently."""
    context = browser.new_context(**given)
    context.set_default_timeout(_PATIENCE_MS)
    return context


def _installed() -> str:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        pytest.skip("Debian's package chromium is not installed, and only root may install it")
    command = ("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *_PACKAGES)
    subprocess.run(command, check=True, timeout=_INSTALLING_S, stdout=subprocess.DEVNULL)
    return shutil.which("chromium") or ""


def sign_in(
    page: Page, server: Standing, role: Role = Role.ADMIN, tenant: str = ACME, where: str = "ask"
) -> None:
    """As somebody does: with a key, on the page where one is sent."""
    page.goto(f"{server.address}/console/{where}")
    page.fill("#key", server.keys[tenant, role])
    page.click("main button")
    page.wait_for_url(f"**/console/{where}*")
