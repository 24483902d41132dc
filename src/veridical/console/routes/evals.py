"""``/console/quality/evals``: stored eval reports with intervals, costs, the matrix and trends."""

import asyncio
import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from veridical.console import plot
from veridical.console.eval_shelf import shelf_of
from veridical.console.eval_view import (
    PAGE,
    Which,
    cost_points,
    matrix_of,
    mode_rows,
    trend_points,
    verdict_of,
)
from veridical.console.maintenance import MaintainerAccess
from veridical.console.page import language_of, page
from veridical.messages import message
from veridical.server.services import ServicesDep

router = APIRouter(prefix="/console/quality/evals")


@router.get("")
async def show(
    request: Request,
    identity: MaintainerAccess,
    services: ServicesDep,
    report: str = "",
    which: str = "",
    start: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> Response:
    """One report, the newest unless another is chosen."""
    folder = services.settings.evals
    shelf = await asyncio.to_thread(shelf_of, folder)
    chosen = shelf.named(report)
    values: dict[str, Any] = {"shelf": shelf, "chosen": chosen, "folder": str(folder)}
    if chosen is None:
        return page(request, "evals.html", **values)
    language = language_of(request)
    unit, costs = cost_points(chosen, language)
    trend = trend_points(shelf.trend_of(chosen), language)
    titles = {
        name: message(f"quality.{key}", language)
        for name, key in (
            ("cost", unit.name),
            ("report", "release"),
            ("share", "correct"),
            ("mode", "mode"),
            ("low", "low"),
            ("high", "high"),
        )
    }
    shown = Which(which) if which in set(Which) else Which.ALL
    rows = matrix_of(chosen, shown)
    return page(
        request,
        "evals.html",
        **values,
        modes=mode_rows(chosen),
        verdict=verdict_of(chosen),
        unit=unit,
        costs=plot.cost_plot(costs),
        cost_chart=json.dumps(plot.cost_chart(costs, titles)),
        trend=plot.trend_plot(trend),
        trend_chart=json.dumps(plot.trend_chart(trend, titles)),
        releases=len(shelf.trend_of(chosen)),
        which=shown,
        choices=tuple(Which),
        rows=rows[start : start + PAGE],
        total=len(rows),
        start=start,
        further=start + PAGE if start + PAGE < len(rows) else 0,
        drawing=plot,
    )
