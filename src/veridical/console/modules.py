"""Modules of the console: pages that an installation may do without."""

from fastapi import Request

from veridical.console.navigation import module_of
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import ServicesDep


async def require_module(request: Request, services: ServicesDep) -> None:
    """Lets only pages of modules pass that are on. Raises ``ProblemError``."""
    module = module_of(request.url.path)
    if module is not None and module not in services.settings.console_modules:
        raise ProblemError(ProblemCode.NOT_FOUND)
