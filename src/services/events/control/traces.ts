import { Type } from 'typebox';
import { resourceKey } from '../../../kernel/arm/ids.ts';
import { ok, routeCode } from '../../../kernel/http/route.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import type { Json, Page, Position, Store, Stored } from '../../../kernel/store/types.ts';
import { type Trace, type TracePage, tracePages } from '../collections.ts';
import type { GridEvent } from '../event.ts';
import { explain } from '../matching/scope-indexes.ts';
import { eventControlErrors } from './errors.ts';
import { DEFAULT_TOP, nextOf, PAGE, placeOf } from './paging.ts';

const PAGES_AT_ONCE = 200;
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
    ...PAGE,
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
    const after = placeOf<Place>(jar, list, $skiptoken);
    const scope = topic === undefined ? undefined : resourceKey(topic, jar.config.namespace);
    const wanted = (trace: Trace): boolean =>
      (eventId === undefined || trace.eventId === eventId) &&
      (scope === undefined || resourceKey(trace.topic, jar.config.namespace) === scope);
    // One more than asked for tells whether there is more.
    const all = await newestTraces(jar.store, wanted, after, $top + 1);
    const found = all.slice(0, $top);
    const last = all.length > $top ? found.at(-1) : undefined;
    return ok({ value: found.map(({ place, trace }) => traceView(place, trace)), ...nextOf(call, list, last?.place) });
  },
});

/** The key of the page, and the place on it. */
type Place = readonly [page: string, at: number];

/** Looks through what is kept from the newest on, behind `after`: there are never many. */
async function newestTraces(
  store: Store,
  wanted: (trace: Trace) => boolean,
  after: Place | undefined,
  most: number,
): Promise<{ readonly place: Place; readonly trace: Trace }[]> {
  const found: { place: Place; trace: Trace }[] = [];
  // The page on which the last list ended has more.
  const first = after && (await store.get(tracePages, after[0]));
  const take = ({ key, value }: Stored<TracePage>, from: number): void => {
    for (let at = from; at >= 0 && found.length < most; at--) {
      const trace = value.traces[at];
      if (trace && wanted(trace)) found.push({ place: [key, at], trace });
    }
  };
  if (first && after) take(first, after[1] - 1);
  for (let position: Position | undefined = after && [after[0]]; found.length < most; ) {
    const page: Page<TracePage> = await store.query(tracePages, {
      order: [{ field: 'key', descending: true }],
      limit: PAGES_AT_ONCE,
      ...(position && { after: position }),
    });
    for (const stored of page.items) take(stored, stored.value.traces.length - 1);
    if (!page.next) break;
    position = page.next;
  }
  return found;
}

export const getTrace = routeCode(['id'], {
  responses: { 200: Type.Intersect([TraceView, Type.Object({ subscriptions: Type.Optional(Type.Array(Verdict)) })]) },
  async handle({ jar, params: { id } }) {
    const [page = '', at = ''] = id.split('.');
    const trace = (await jar.store.get(tracePages, page))?.value.traces[Number(at)];
    if (!trace || !/^\d+$/.test(at)) throw eventControlErrors.TraceNotFound({ id });
    const { event } = trace;
    const subscriptions = event === undefined ? undefined : await verdictsOn(jar, event as unknown as GridEvent);
    const view = traceView([page, Number(at)], trace);
    return ok({ ...view, ...(event !== undefined && { event }), ...(subscriptions && { subscriptions }) });
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

function traceView([page, index]: Place, trace: Trace) {
  const { at, topic, eventId, eventType, subject, matched, refused } = trace;
  const id = `${page}.${index}`;
  return { id, at: new Date(at).toISOString(), topic, eventId, eventType, subject, matched, refused };
}
