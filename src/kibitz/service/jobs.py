"""Jobs: rollouts, reviews and tables that take long, with events, priorities, cancelling and costs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from kibitz.bearoff.tables import LARGEST_FILE, TableName, table_infos
from kibitz.engine.engine import Cancellation
from kibitz.library.jobs import Jobs, JobState
from kibitz.rollout.files import to_data
from kibitz.rollout.run import prepare
from kibitz.rollout.settings import Preset, RolloutSettings, StopRule
from kibitz.service import requests
from kibitz.service.context import Context, JsonRoute, caller_of, context_of, dump, json_bytes
from kibitz.service.kinds import (
    JobPlan,
    ReviewJob,
    RolloutGathering,
    RolloutJob,
    TableJob,
    finished_rollout,
    table_facts,
)
from kibitz.service.problems import Problem
from kibitz.service.schemas import answers, told_by_events
from kibitz.service.watching import END, owned, told

MOST_LISTED = 500
SHOWN = 50
"""Jobs that the stream of all of them tells about."""
router = APIRouter(prefix="/v1", tags=["jobs"], route_class=JsonRoute)
Number = Annotated[int, Path(ge=1, lt=1 << 62)]
Estimate = Annotated[bool, Query(description="Only tell what it would cost.")]
_OPEN = (JobState.QUEUED, JobState.RUNNING)
_MADE = answers("Job", status=202) | {200: answers("Estimate")[200]}


async def made(request: Request, plan: JobPlan, priority: int, *, estimate: bool) -> Response:
    """Make a job of a plan if it is not too much, and say where it is."""
    context = context_of(request)
    if plan.cost > context.limits.job_seconds:
        words = (
            f"the job would take about {plan.cost:.0f} s of one core, more than the {context.limits.job_seconds:g} s"
        )
        raise Problem(
            "budget-exceeded", words + " that are allowed", estimate=plan.cost, limit=context.limits.job_seconds
        )
    chunks = plan.cut()
    if estimate:
        return json_bytes(dump({"cost": plan.cost, "chunks": len(chunks)}))
    jobs = context.jobs(caller_of(request))

    def make() -> tuple[int, bytes]:
        check_queue(jobs, context, plan.kind)
        number = jobs.create(plan.kind, plan.request, chunks, priority=priority, cost=plan.cost)
        snapshot = {"chunks": {"done": 0, "total": len(chunks)}, "result": None}
        return number, dump(told(jobs.get(number)) | snapshot)

    number, data = await context.reading(make)
    context.workers.notify()
    return json_bytes(data, 202, {"location": f"/v1/jobs/{number}"})


def check_queue(jobs: Jobs, context: Context, kind: str) -> None:
    """Refuse one more job of a kind, if as many as may be are waiting or were made today."""
    limits = context.limits
    if len(jobs.find(states=_OPEN, limit=limits.queued_jobs)) >= limits.queued_jobs:
        words = f"{limits.queued_jobs} of your jobs are waiting or running: wait for one, or cancel one"
        raise Problem("queue-full", words, headers={"retry-after": "30"}, limit=limits.queued_jobs)
    if kind == ReviewJob.name and limits.daily_reviews:
        since = datetime.now(UTC) - timedelta(days=1)
        newest = jobs.find(kind=kind, limit=limits.daily_reviews)
        if sum(_utc(one.created_at) > since for one in newest) >= limits.daily_reviews:
            raise Problem(
                "rate-limited", f"{limits.daily_reviews} reviews a day are allowed", headers={"retry-after": "3600"}
            )


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


# --- what can be asked for --------------------------------------------------------------------------------------------


@router.post("/rollouts", status_code=202, responses=_MADE, response_class=Response)
async def rollouts(request: Request, body: requests.RolloutBody, estimate: Estimate = False) -> Response:
    """Roll out the plays of a roll, or the cube decision."""
    context = context_of(request)
    state = body.state()
    preset = Preset.of(body.preset)
    settings: RolloutSettings = preset.settings.changed(**body.settings.changes())
    rule = preset.stop
    if body.stop is not None:
        rule = StopRule(body.stop.error, body.stop.separation, body.stop.least)

    def plan(stop: Cancellation) -> JobPlan:
        context.engine.evaluator_for(state.match.variant)  # a table that is missing is told before there is a job
        play = body.play if isinstance(body.play, list) else [body.play]
        rollout = prepare(context.engine.stopped_by(stop), state, settings, top=body.top, play=play, cube=body.cube)
        asked = body.model_dump(mode="json", exclude_none=True)
        return RolloutJob.plan(rollout, body.trials or preset.trials, rule, asked)

    planned = await context.desk.answer(request, plan, plies=2)
    return await made(request, planned, body.priority, estimate=estimate)


@router.post("/tables", status_code=202, responses=_MADE, response_class=Response)
async def build_table(request: Request, body: requests.TableBody, estimate: Estimate = False) -> Response:
    """Build an exact table."""
    context = context_of(request)
    name = TableName.of(body.name)
    most = min(context.limits.table_bytes, LARGEST_FILE)
    if name.expected_bytes > most:
        words = f"the table would need {name.expected_bytes} bytes, more than the {most} that are allowed"
        raise Problem("budget-exceeded", words, estimate=name.expected_bytes, limit=most)
    plan = TableJob.plan(name, body.model_dump(mode="json"))
    return await made(request, plan, body.priority, estimate=estimate)


@router.get("/tables", responses=answers("Tables"), response_class=Response)
async def list_tables(request: Request) -> Response:
    """The tables that are usual or there."""
    context = context_of(request)

    def work() -> bytes:
        return dump({"tables": [table_facts(info.name) for info in table_infos()]})

    return json_bytes(await context.reading(work))


# --- jobs as they stand -----------------------------------------------------------------------------------------------


@router.get("/jobs", responses=answers("Jobs"), response_class=Response)
async def list_jobs(
    request: Request,
    state: Annotated[list[JobState] | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 100,
) -> Response:
    """Jobs, the newest first."""
    jobs = context_of(request).jobs(caller_of(request))

    def work() -> bytes:
        return dump({"jobs": [told(job) for job in jobs.find(states=state or (), limit=limit)]})

    return json_bytes(await context_of(request).reading(work))


_LISTS = told_by_events("Events `jobs`, at once and whenever something changes.", "Jobs", "jobs")


@router.get("/jobs/events", responses=_LISTS, response_class=Response)
async def all_events(request: Request) -> Response:
    """Events `jobs`, each a list as `/v1/jobs` gives it: at once, and whenever something about them changes."""
    context = context_of(request)
    jobs = context.jobs(caller_of(request))
    return context.stream(context.watching.all_events(jobs, context.reading, SHOWN))


@router.get("/jobs/{number}", responses=answers("Job"), response_class=Response)
async def job(request: Request, number: Number) -> Response:
    """A job as it stands, with what is done of it."""
    context = context_of(request)
    jobs = context.jobs(caller_of(request))
    snapshot = await context.reading(lambda: context.watching.snapshot(jobs, owned(jobs, number).id))
    return json_bytes(dump(snapshot.data))


@router.delete("/jobs/{number}", responses=answers("Job"), response_class=Response)
async def cancel(request: Request, number: Number) -> Response:
    """Cancel a job. What is done of it is told, and stays."""
    context = context_of(request)
    jobs = context.jobs(caller_of(request))

    def work() -> dict[str, Any]:
        owned(jobs, number)
        jobs.cancel(number)
        context.workers.cancelled(number)
        return context.watching.snapshot(jobs, number).data

    return json_bytes(dump(await context.reading(work)))


_EVENTS = told_by_events("Events `progress`, then exactly one `final`.", "Job", "progress", "final") | {
    204: {"description": "All events have been read."}
}


@router.get("/jobs/{number}/events", responses=_EVENTS, response_class=Response)
async def events(request: Request, number: Number) -> Response:
    """Events `progress`, then one `final`. `Last-Event-ID` goes on where a reader left off."""
    context = context_of(request)
    jobs = context.jobs(caller_of(request))
    await context.reading(lambda: owned(jobs, number))
    last = request.headers.get("last-event-id", "")
    if last == END:
        return Response(status_code=204)  # what tells a browser not to come again
    return context.stream(context.watching.events(jobs, number, last))


@router.get("/jobs/{number}/rollout", responses=answers("RolloutFile"), response_class=Response)
async def rollout_file(request: Request, number: Number) -> Response:
    """The rollout of a job as its file: it can be read, extended and merged elsewhere."""
    context = context_of(request)
    jobs = context.jobs(caller_of(request))

    def work() -> bytes:
        found = owned(jobs, number)
        if found.kind != RolloutJob.name:
            raise Problem("conflict", f"job {number} is a {found.kind}, not a rollout")
        if found.result is not None:
            return json_text(to_data(finished_rollout(found.result)))
        gathered = context.workers.gathering(found)
        assert isinstance(gathered, RolloutGathering)
        return json_text(to_data(gathered.counted()))

    return json_bytes(await context.reading(work))


def json_text(data: Any) -> bytes:
    """JSON whose whole numbers may be larger than 64 bits, which orjson does not write."""
    import json

    return json.dumps(data, separators=(",", ":")).encode()
