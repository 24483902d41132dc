"""The colours that a reader chose: light, dark, or those of their system."""

from enum import StrEnum

from starlette.requests import Request
from starlette.responses import Response

THEME_COOKIE = "veridical_theme"
_YEAR = 365 * 24 * 3600


class Theme(StrEnum):
    """Colours of the pages."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"

    @property
    def media(self) -> str:
        """Media query under which the dark colours apply."""
        return _MEDIA[self]


_MEDIA = {
    Theme.SYSTEM: "screen and (prefers-color-scheme: dark)",
    Theme.LIGHT: "not all",
    Theme.DARK: "screen",
}


def theme_of(request: Request) -> Theme:
    """The chosen colours; those of the system where nobody chose."""
    chosen = request.cookies.get(THEME_COOKIE, "")
    return Theme(chosen) if chosen in set(Theme) else Theme.SYSTEM


def keep_theme(response: Response, theme: Theme) -> None:
    """Remembers the choice in this browser."""
    response.set_cookie(
        THEME_COOKIE, theme.value, max_age=_YEAR, path="/console", samesite="strict", httponly=True
    )
