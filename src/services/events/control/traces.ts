import { Type } from 'typebox';
import { managementGroupIn, resourceKey } from '../../../kernel/arm/index.ts';
import { tenants } from '../../../kernel/auth/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { listAnswer, listOf, listQuery, listShape, walkSome } from '../../../kernel/odata/index.ts';
import { type Json, type Reader, readAll } from '../../../kernel/store/index.ts';
import { newestTraces, type PlacedTrace, traceById, traceId } from '../../../kernel/traces/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { scopeKey, type Trace, tracePages } from '../collections.ts';
import type { GridEvent } from '../event.ts';
import { type EventsJar, routeCode } from '../jar.ts';
import { explain } from '../matching/scope-indexes.ts';
import { eventControlErrors } from './errors.ts';

/** Maximum number of subscriptions explained per scope. */
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

type Placed = PlacedTrace<Trace>;

const shape = listShape<Placed>('traces', {
  id: { type: 'Edm.String', read: ({ place }: Placed) => traceId(place) },
  at: { type: 'Edm.DateTimeOffset', read: ({ trace }: Placed) => trace.at },
  topic: { type: 'Edm.String', read: ({ trace }: Placed) => trace.topic },
  eventId: { type: 'Edm.String', read: ({ trace }: Placed) => trace.eventId },
  eventType: { type: 'Edm.String', read: ({ trace }: Placed) => trace.eventType },
  subject: { type: 'Edm.String', read: ({ trace }: Placed) => trace.subject },
  matched: {
    type: { properties: { subscription: { type: 'Edm.String' }, delivery: { type: 'Edm.String' } } },
    collection: true,
    read: ({ trace }: Placed) => trace.matched,
  },
  refused: { type: 'Edm.Int64', read: ({ trace }: Placed) => trace.refused },
});

const Query = listQuery(shape, {
  eventId: Type.Optional(Type.String()),
  topic: Type.Optional(
    Type.String({ description: 'The id of a topic, in any case and with any provider prefix of the jar' }),
  ),
});

export const listTraces = routeCode([], {
  query: Query,
  responses: { 200: listOf(TraceView) },
  handle(call) {
    const { jar, query } = call;
    const { eventId, topic } = query;
    const scope = topic === undefined ? undefined : resourceKey(topic, jar.config.namespace);
    const wanted = ({ trace }: Placed): boolean =>
      (eventId === undefined || trace.eventId === eventId) &&
      (scope === undefined || resourceKey(trace.topic, jar.config.namespace) === scope);
    const walk = walkSome(newestTraces(jar.store, tracePages), wanted);
    return listAnswer(call, { shape, walk, view: ({ value }) => traceView(value) });
  },
});

export const getTrace = routeCode(['id'], {
  responses: {
    200: Type.Object({
      ...TraceView.properties,
      event: Type.Optional(Type.Unknown()),
      subscriptions: Type.Optional(Type.Array(Verdict)),
    }),
  },
  async handle({ jar, params: { id } }) {
    const placed = await traceById(jar.store, tracePages, id);
    if (!placed) throw eventControlErrors.TraceNotFound({ id });
    const { event } = placed.trace;
    const subscriptions = event === undefined ? undefined : await verdictsOn(jar, event);
    return ok({ ...traceView(placed), ...(event !== undefined && { event }), ...(subscriptions && { subscriptions }) });
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

/** Uses the current filters; a filter that has changed since the event may have matched differently then. */
function verdictsOn(jar: EventsJar, event: GridEvent) {
  return jar.store.transact(async (tx) => {
    const key = resourceKey(event.topic, jar.config.namespace);
    const verdicts = [];
    for (const scope of await concerned(tx, jar, key, event))
      verdicts.push(...(await explain(jar, tx, scope, event, MOST_EXPLAINED)));
    return verdicts;
  });
}

/**
 * For a topic of a domain, the domain's subscriptions are explained too. Names of management groups are unique only within a tenant: uses
 * the tenant of the event, or all tenants if the event names none.
 */
async function concerned(reader: Reader, jar: EventsJar, topic: string, { data }: GridEvent): Promise<string[]> {
  if (managementGroupIn(topic, jar.config.namespace) !== undefined) {
    const tenantId = isObject(data) && typeof data.tenantId === 'string' ? data.tenantId : undefined;
    const known = await readAll(reader, tenants);
    return known
      .filter(({ value }) => value.id === (tenantId ?? value.id))
      .map(({ value }) => scopeKey(topic, value.id));
  }
  const domain = /^(.*\/providers\/vendor\.eventgrid\/domains\/[^/]+)\/topics\/[^/]+$/.exec(topic)?.[1];
  return domain === undefined ? [topic] : [topic, domain];
}

function traceView({ place, trace }: PlacedTrace<Trace>) {
  const { at, topic, eventId, eventType, subject, matched, refused } = trace;
  return { id: traceId(place), at: new Date(at).toISOString(), topic, eventId, eventType, subject, matched, refused };
}
