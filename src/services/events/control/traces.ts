import { Type } from 'typebox';
import { resourceKey } from '../../../kernel/arm/ids.ts';
import { errorTable } from '../../../kernel/http/errors.ts';
import { decodeSkipToken, encodeSkipToken, nextLink } from '../../../kernel/http/paging.ts';
import { ok, routeCode } from '../../../kernel/http/route.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import type { Filter, Json, Position, Stored } from '../../../kernel/store/types.ts';
import { type Trace, traces } from '../collections.ts';
import type { GridEvent } from '../event.ts';
import { explain } from '../matching/scope-indexes.ts';

const traceErrors = errorTable({
  TraceNotFound: [404, "There is no trace '{id}'; only the newest are kept."],
  BadSkipToken: [400, "The '$skiptoken' was not made here, or not for this list."],
});

const DEFAULT_TOP = 50;
/** Of subscriptions at one scope, how many are explained. */
const MOST_EXPLAINED = 500;

const TraceView = Type.Object({
  id: Type.String(),
  at: Type.String(),
  topic: Type.String(),
  eventId: Type.String(),
  eventType: Type.String(),
  subject: Type.String(),
  matched: Type.Array(Type.Object({ subscription: Type.String(), delivery: Type.String() })),
  refused: Type.Integer(),
});

const Verdict = Type.Object({
  subscription: Type.String(),
  matches: Type.Boolean(),
  reason: Type.Optional(Type.String()),
});

const Query = Type.Object(
  {
    eventId: Type.Optional(Type.String()),
    topic: Type.Optional(Type.String()),
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    $skiptoken: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

export const listTraces = routeCode([], {
  query: Query,
  responses: { 200: Type.Object({ value: Type.Array(TraceView), nextLink: Type.Optional(Type.String()) }) },
  async handle(call) {
    const { jar, query } = call;
    const { eventId, topic, $top = DEFAULT_TOP, $skiptoken } = query;
    const list = `event traces ${JSON.stringify([eventId, topic])}`;
    const after = $skiptoken === undefined ? undefined : decodeSkipToken<Position>(jar.vault, list, $skiptoken);
    if ($skiptoken !== undefined && !after) throw traceErrors.BadSkipToken({}, { target: '$skiptoken' });
    const args: Filter[] = [];
    if (eventId !== undefined) args.push({ op: 'eq', field: 'eventId', value: eventId });
    if (topic !== undefined) args.push({ op: 'eq', field: 'topic', value: resourceKey(topic, jar.config.namespace) });
    const page = await jar.store.query(traces, {
      ...(args.length > 0 && { filter: { op: 'and', args } }),
      order: [{ field: 'key', descending: true }],
      ...(after && { after }),
      limit: $top,
    });
    const next = page.next && { nextLink: nextLink(call, encodeSkipToken(jar.vault, list, page.next)) };
    return ok({ value: page.items.map(traceView), ...next });
  },
});

export const getTrace = routeCode(['id'], {
  responses: { 200: Type.Intersect([TraceView, Type.Object({ subscriptions: Type.Optional(Type.Array(Verdict)) })]) },
  async handle({ jar, params: { id } }) {
    const stored = await jar.store.get(traces, id);
    if (!stored) throw traceErrors.TraceNotFound({ id });
    const { event } = stored.value;
    const subscriptions = event === undefined ? undefined : await verdictsOn(jar, event as unknown as GridEvent);
    return ok({ ...traceView(stored), ...(event !== undefined && { event }), ...(subscriptions && { subscriptions }) });
  },
});

const ExplainBody = Type.Object(
  {
    topic: Type.String({ minLength: 1 }),
    id: Type.Optional(Type.String()),
    eventType: Type.String(),
    subject: Type.Optional(Type.String()),
    dataVersion: Type.Optional(Type.String()),
    data: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);

export const explainEvent = routeCode([], {
  body: ExplainBody,
  responses: { 200: Type.Object({ subscriptions: Type.Array(Verdict) }) },
  async handle({ jar, body }) {
    const event: GridEvent = {
      schema: 'EventGridSchema',
      id: body.id ?? '',
      type: body.eventType,
      subject: body.subject ?? '',
      time: new Date(jar.clock.now()).toISOString(),
      dataVersion: body.dataVersion ?? '',
      topic: body.topic,
      ...(body.data !== undefined && { data: body.data as Json }),
    };
    return ok({ subscriptions: await verdictsOn(jar, event) });
  },
});

/** By the filters as they are now; one that was changed since the event may have said something else then. */
function verdictsOn(jar: Jar, event: GridEvent) {
  return jar.store.transact(async (tx) => {
    const key = resourceKey(event.topic, jar.config.namespace);
    const verdicts = [];
    for (const scope of concerned(key)) verdicts.push(...(await explain(jar, tx, scope, event, MOST_EXPLAINED)));
    return verdicts;
  });
}

/** A topic of a domain concerns the domain's subscriptions too. */
function concerned(topic: string): string[] {
  const domain = /^(.*\/providers\/vendor\.eventgrid\/domains\/[^/]+)\/topics\/[^/]+$/.exec(topic)?.[1];
  return domain === undefined ? [topic] : [topic, domain];
}

function traceView({ key, value }: Stored<Trace>) {
  const { at, topic, eventId, eventType, subject, matched, refused } = value;
  return { id: key, at: new Date(at).toISOString(), topic, eventId, eventType, subject, matched, refused };
}
