import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import { apisOf, route, type ServiceHost } from '../kernel/service/index.ts';
import { isFailed, type RequestLog } from '../kernel/telemetry/index.ts';
import { isoTime, wallNow } from '../kernel/time/index.ts';
import type { Controls } from './controls.ts';
import { HealthView, healthView } from './health.ts';
import { EventLoopDelay } from './overview/event-loop.ts';
import { figuresOf, type LogFigures, OptionalMs, percentilesOf, SeriesSchema } from './overview/series.ts';
import {
  DeliveriesSchema,
  deliveryFigures,
  ParkedSchema,
  parkedWork,
  QueuesSchema,
  queuesOf,
  TopLimitsSchema,
  topLimits,
} from './overview/stored.ts';
import { idOf } from './requests/ids.ts';
import { RequestView, requestView } from './requests/view.ts';
import { workNames } from './work-names.ts';

const DEFAULT_MINUTES = 15;
const MOST_MINUTES = 60;
const MOST_FAILURES = 20;

const ServiceSchema = Type.Object({
  name: Type.String(),
  title: Type.String(),
  state: Type.Enum(['open', 'closed'], { description: 'A service is opened by its first request or item of work' }),
  requests: Type.Integer({ minimum: 0, description: 'In the time of the series' }),
  failed: Type.Integer({ minimum: 0 }),
  p50: OptionalMs,
  p95: OptionalMs,
  p99: OptionalMs,
  lastAt: Type.Union([Type.String(), Type.Null()], {
    description: 'When the last request was received, by the system clock; null if there was none in this process',
  }),
});

const Overview = Type.Object({
  now: Type.String({ description: "By the jar's clock" }),
  version: Type.String(),
  store: Type.String(),
  clock: Type.Enum(['shifted', 'virtual', 'system']),
  startedAt: Type.String({ description: 'By the system clock' }),
  node: Type.String({ description: 'The version of Node.js' }),
  pid: Type.Integer(),
  health: HealthView,
  services: Type.Array(ServiceSchema),
  announcements: Type.Array(
    Type.Object({ name: Type.String(), text: Type.String(), page: Type.Optional(Type.String()) }),
    { description: 'Information from services, such as the container engine, and the paths of their pages' },
  ),
  series: SeriesSchema,
  queues: QueuesSchema,
  limits: TopLimitsSchema,
  failures: Type.Object({
    requests: Type.Array(RequestView, {
      description: `The last ${MOST_FAILURES} failed requests and deliveries in the log, the newest first`,
    }),
    parkedWork: ParkedSchema,
  }),
  deliveries: DeliveriesSchema,
  memory: Type.Object({ rss: Type.Integer(), heap: Type.Integer() }, { description: 'Bytes' }),
  eventLoop: Type.Object({
    p99: Type.Union([Type.Number(), Type.Null()], {
      description:
        'Delay of the event loop in milliseconds since the previous call; null for the first one, which starts the measurement for a minute',
    }),
  }),
});

/** The first page of a console in one call. */
export function overviewRoute(
  controls: Pick<Controls, 'version' | 'process' | 'host' | 'requests' | 'workKinds'>,
): Route {
  const { version, host, requests } = controls;
  const delay = new EventLoopDelay();
  const names = workNames(controls);
  return route({
    method: 'GET',
    path: '/_jar/overview',
    operation: 'Jar_Overview',
    summary: 'The jar at a glance: services, requests over time, due work, fullest limits, failures, memory',
    quiet: true,
    query: Type.Object(
      {
        minutes: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MOST_MINUTES,
            description: `Length of the series; default ${DEFAULT_MINUTES}`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Overview },
    async handle({ jar, query }) {
      const { series, byService } = figuresOf(requests, query.minutes ?? DEFAULT_MINUTES, wallNow());
      const [queues, limits, parked, deliveries] = await Promise.all([
        queuesOf(jar, names),
        topLimits(jar),
        parkedWork(jar, names),
        deliveryFigures(jar),
      ]);
      const { rss, heapUsed } = process.memoryUsage();
      return ok({
        now: isoTime(jar.clock.now()),
        version,
        store: jar.config.memory ? 'memory' : jar.store.engine,
        clock: jar.clock.mode,
        startedAt: controls.process.startedAt,
        node: process.versions.node,
        pid: controls.process.pid,
        health: healthView(jar),
        services: servicesOf(host, byService),
        announcements: host.announcements.map(({ name, text, page }) => ({ name, text, ...(page && { page }) })),
        series,
        queues,
        limits,
        failures: { requests: failedRequests(requests), parkedWork: parked },
        deliveries,
        memory: { rss, heap: heapUsed },
        eventLoop: { p99: delay.p99() },
      });
    },
  });
}

function servicesOf(host: ServiceHost, byService: LogFigures['byService']): object[] {
  return host.services.flatMap((service) =>
    apisOf(service).map(({ name, title }) => {
      const { count: requests = 0, failed = 0, lastAt, durations } = byService.get(name) ?? {};
      return {
        name,
        title,
        state: host.opened(service.name) ? 'open' : 'closed',
        requests,
        failed,
        ...percentilesOf(durations),
        lastAt: lastAt === undefined ? null : isoTime(lastAt),
      };
    }),
  );
}

function failedRequests(log: RequestLog): object[] {
  const failed: object[] = [];
  for (let number = log.next - 1; number >= log.first && failed.length < MOST_FAILURES; number--) {
    const entry = log.entry(number);
    if (entry && isFailed(entry)) failed.push(requestView(entry, idOf(log, number)));
  }
  return failed;
}
