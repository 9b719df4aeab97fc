import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import { type Item, listAnswer, listOf, listQuery, type Walk } from '../kernel/odata/index.ts';
import { apisOf, route } from '../kernel/service/index.ts';
import type { RequestLog } from '../kernel/telemetry/index.ts';
import type { Controls } from './controls.ts';
import { requestDetail } from './requests/detail.ts';
import { FilterProperties, type RequestFilter, readFilter } from './requests/filter.ts';
import { entryOf, idOf, numberAfter } from './requests/ids.ts';
import { sendAgain } from './requests/send-again.ts';
import { streamRequests } from './requests/stream.ts';
import { RequestDetailView, RequestView, requestShape, requestView } from './requests/view.ts';

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

const SendBody = Type.Object(
  {
    token: Type.Optional(
      Type.Enum(['original', 'fresh'], {
        description:
          "'fresh' replaces the bearer token by a new one of the same caller, because the old one may have expired",
      }),
    ),
  },
  { additionalProperties: false },
);

const SendView = Type.Object({
  id: Type.Optional(Type.String({ description: 'The repetition in the list; absent if it is not listed' })),
  status: Type.Optional(Type.Integer({ description: 'Absent if the connection was closed without an answer' })),
  ms: Type.Number(),
  requestId: Type.Optional(Type.String()),
});

/** The most recent inbound and outbound requests of this process, as a list and as a stream. */
export function requestRoutes({
  host,
  requests,
  caCertificate,
}: Pick<Controls, 'host' | 'requests' | 'caCertificate'>): Route[] {
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
    route({
      method: 'GET',
      path: '/_jar/requests/{id}',
      operation: 'Jar_GetRequest',
      summary: 'One request with its headers and bodies, without secrets',
      quiet: true,
      responses: { 200: RequestDetailView },
      handle: async ({ params: { id } }) => ok(requestDetail(requests, entryOf(requests, id), id)),
    }),
    route({
      method: 'POST',
      path: '/_jar/requests/{id}/send',
      operation: 'Jar_SendRequest',
      summary: 'Sends a request to the jar again, with its original headers and body',
      body: SendBody,
      bodyOptional: true,
      responses: { 200: SendView },
      async handle({ jar, params: { id }, body, signal }) {
        const entry = entryOf(requests, id);
        const isFresh = body?.token === 'fresh';
        return ok(await sendAgain({ jar, log: requests, entry, isFresh, ca: await caCertificate(), signal }));
      },
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
