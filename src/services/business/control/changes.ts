import { Type } from 'typebox';
import { decodeSkipToken, encodeSkipToken, nextLink } from '../../../kernel/http/paging.ts';
import { type Call, ok, routeCode } from '../../../kernel/http/route.ts';
import type { Page, Position, Store, Stored } from '../../../kernel/store/types.ts';
import { modelFor } from '../model/custom.ts';
import type { Model } from '../model/types.ts';
import { type ChangeTrace, type ChangeTracePage, changeTraces } from '../notify/collections.ts';
import { changeControlErrors } from './changes-errors.ts';
import { Explainer, Explanation } from './changes-explain.ts';

const Optional = Type.Optional;
const DEFAULT_TOP = 50;
const MOST_AT_ONCE = 500;
const PAGES_AT_ONCE = 200;

const ChangeView = Type.Object({
  id: Type.String(),
  at: Type.String(),
  changeType: Type.Enum(['created', 'updated', 'deleted']),
  tenantId: Type.String(),
  company: Type.Object({ id: Type.String(), name: Type.String() }),
  table: Type.String(),
  recordId: Type.String(),
  user: Type.Object({ id: Type.String(), name: Type.String() }),
  summary: Type.String(),
  subscriptions: Type.Array(Explanation),
});

const Query = Type.Object(
  {
    company: Optional(Type.String({ description: 'Its id or its name' })),
    entity: Optional(Type.String({ description: 'An entity set of any API (`customers`), or a table (`customer`)' })),
    id: Optional(Type.String({ description: 'Of the record' })),
    $top: Optional(Type.Integer({ minimum: 1, maximum: MOST_AT_ONCE })),
    $skiptoken: Optional(Type.String()),
  },
  { additionalProperties: false },
);

export const listChanges = routeCode([], {
  query: Query,
  responses: { 200: Type.Object({ value: Type.Array(ChangeView), nextLink: Optional(Type.String()) }) },
  async handle(call) {
    const { jar, query } = call;
    const { company, entity, id, $top = DEFAULT_TOP, $skiptoken } = query;
    const list = `business changes ${JSON.stringify([company, entity, id])}`;
    const after = $skiptoken === undefined ? undefined : decodeSkipToken<Place>(jar.vault, list, $skiptoken);
    if ($skiptoken !== undefined && !after) throw changeControlErrors.BadSkipToken({}, { target: '$skiptoken' });
    const tables = entity === undefined ? undefined : tablesOf(modelFor(jar.config), entity);
    const wanted = (trace: ChangeTrace): boolean =>
      (company === undefined || isOne(company, trace.company, trace.companyName)) &&
      (tables === undefined || tables.has(trace.table)) &&
      (id === undefined || isOne(id, trace.id));
    // One more than asked for tells whether there is more.
    const all = await newest(jar.store, wanted, after, $top + 1);
    const found = all.slice(0, $top);
    const last = all.length > $top ? found.at(-1) : undefined;
    const explainer = new Explainer(jar);
    const value = [];
    for (const { place, trace } of found) value.push(await changeView(explainer, place, trace));
    return ok({ value, ...nextOf(call, list, last?.place) });
  },
});

export const getChange = routeCode(['id'], {
  responses: { 200: ChangeView },
  async handle({ jar, params: { id } }) {
    const [page = '', at = ''] = id.split('.');
    const trace = /^\d+$/.test(at) ? (await jar.store.get(changeTraces, page))?.value.traces[Number(at)] : undefined;
    if (!trace) throw changeControlErrors.NoSuchChange({ id: id.slice(0, 100) });
    return ok(await changeView(new Explainer(jar), [page, Number(at)], trace));
  },
});

const isOne = (word: string, ...names: readonly string[]): boolean =>
  names.some((name) => name.toLowerCase() === word.toLowerCase());

/** The tables that an entity set shows, in whichever API; or the one of that name. */
function tablesOf({ apis }: Model, entity: string): Set<string> {
  const tables = new Set([entity]);
  for (const { pages } of apis) for (const { set, table } of pages) if (isOne(entity, set)) tables.add(table);
  return tables;
}

/** The key of the page, and the place on it. */
type Place = readonly [page: string, at: number];

interface Found {
  readonly place: Place;
  readonly trace: ChangeTrace;
}

/** Looks through what is kept from the newest on, behind `after`: there are never many. */
async function newest(
  store: Store,
  wanted: (trace: ChangeTrace) => boolean,
  after: Place | undefined,
  most: number,
): Promise<Found[]> {
  const found: Found[] = [];
  const take = ({ key, value }: Stored<ChangeTracePage>, from: number): void => {
    for (let at = from; at >= 0 && found.length < most; at--) {
      const trace = value.traces[at];
      if (trace && wanted(trace)) found.push({ place: [key, at], trace });
    }
  };
  // The page on which the last list ended has more.
  const first = after && (await store.get(changeTraces, after[0]));
  if (first && after) take(first, after[1] - 1);
  for (let position: Position | undefined = after && [after[0]]; found.length < most; ) {
    const page: Page<ChangeTracePage> = await store.query(changeTraces, {
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

async function changeView(explainer: Explainer, [page, index]: Place, trace: ChangeTrace) {
  const { at, type, tenantId, company, companyName, table, id, user, userName } = trace;
  const subscriptions = await explainer.explain(trace);
  return {
    id: `${page}.${index}`,
    at: new Date(at).toISOString(),
    changeType: type,
    tenantId,
    company: { id: company, name: companyName },
    table,
    recordId: id,
    user: { id: user, name: userName },
    summary: summaryOf(table, subscriptions),
    subscriptions,
  };
}

function summaryOf(table: string, explained: readonly { readonly state: string }[]): string {
  if (explained.length === 0) return `Not notified: no live subscription watched '${table}' of the company.`;
  const states = new Map<string, number>();
  for (const { state } of explained) states.set(state, (states.get(state) ?? 0) + 1);
  return [...states].map(([state, count]) => `${state}: ${count}`).join(', ');
}

function nextOf(call: Pick<Call, 'jar' | 'origin' | 'url'>, list: string, next: Place | undefined) {
  return next && { nextLink: nextLink(call, encodeSkipToken(call.jar.vault, list, next)) };
}
