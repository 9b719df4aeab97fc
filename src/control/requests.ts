import { Type } from 'typebox';
import type { Route } from '../kernel/http/index.ts';
import { type Item, listAnswer, listOf, listQuery, type Walk } from '../kernel/odata/index.ts';
import { apisOf, route } from '../kernel/service/index.ts';
import type { RequestLog } from '../kernel/telemetry/index.ts';
import type { Controls } from './controls.ts';
import { FilterProperties, type RequestFilter, readFilter } from './requests/filter.ts';
import { idOf, numberAfter } from './requests/ids.ts';
import { streamRequests } from './requests/stream.ts';
import { RequestView, requestShape, requestView } from './requests/view.ts';

const MOST_LAST = 10_000;

const LiveQuery = Type.Object(
  {
    ...FilterProperties,
    from: Type.Optional(Type.Enum(['now', 'start'])),
    last: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MOST_LAST, description: 'Start with this many of the kept entries' }),
    ),
  },
  { additionalProperties: false },
);

/** The most recent inbound and outbound requests of this process, as a list and as a stream. */
export function requestRoutes({ host, requests }: Pick<Controls, 'host' | 'requests'>): Route[] {
  const services = [...host.services.flatMap(apisOf).map(({ name }) => name), 'control'];
  return [
    route({
      method: 'GET',
      path: '/_jar/requests',
      operation: 'Jar_ListRequests',
      summary: 'The most recent requests and deliveries of this node, newest first, as long as they are in memory',
      quiet: true,
      query: listQuery(requestShape, FilterProperties),
      responses: { 200: listOf(RequestView) },
      handle(call) {
        const walk = newestFirst(requests, readFilter(call.query, services));
        return listAnswer(call, { shape: requestShape, walk, view: ({ value }) => value });
      },
    }),
    route({
      method: 'GET',
      path: '/_jar/requests/live',
      operation: 'Jar_StreamRequests',
      summary: 'Requests and deliveries as server-sent events: from now on, with past ones, or after Last-Event-ID',
      quiet: true,
      query: LiveQuery,
      produces: 'text/event-stream',
      responses: { 200: 'Server-sent events' },
      handle: async (call) => streamRequests(call, requests, readFilter(call.query, services), call.query),
    }),
  ];
}

/** Stable under pagination: new entries come before the first page, and dropped entries were after the last one. */
function newestFirst(log: RequestLog, wanted: RequestFilter): Walk<object> {
  return function* walk(after): Generator<Item<object>> {
    const from = after === undefined ? log.next : numberAfter(log, after) - 1;
    for (let number = from - 1; number >= log.first; number--) {
      const entry = log.entry(number);
      if (!entry || !wanted(entry)) continue;
      const key = idOf(log, number);
      yield { key, value: requestView(entry, key) };
    }
  };
}
