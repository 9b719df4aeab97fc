import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { listAnswer, listOf, listQuery, listShape, walkSome } from '../../../kernel/odata/index.ts';
import { newestTraces, type PlacedTrace, traceById, traceId } from '../../../kernel/traces/index.ts';
import { routeCode } from '../jar.ts';
import type { Model } from '../model/types.ts';
import { type ChangeTrace, changeTraces } from '../notify/collections.ts';
import { changeControlErrors } from './changes-errors.ts';
import { Explainer, Explanation } from './changes-explain.ts';

const Optional = Type.Optional;

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

type Placed = PlacedTrace<ChangeTrace>;

const Text = { type: 'Edm.String' } as const;

const shape = listShape<Placed>('changes', {
  id: { ...Text, read: ({ place }: Placed) => traceId(place) },
  at: { type: 'Edm.DateTimeOffset', read: ({ trace }: Placed) => trace.at },
  changeType: { ...Text, read: ({ trace }: Placed) => trace.type },
  tenantId: { ...Text, ignoreCase: true, read: ({ trace }: Placed) => trace.tenantId },
  company: {
    type: { properties: { id: { ...Text, ignoreCase: true }, name: Text } },
    read: ({ trace }: Placed) => companyOf(trace),
  },
  table: { ...Text, read: ({ trace }: Placed) => trace.table },
  recordId: { ...Text, ignoreCase: true, read: ({ trace }: Placed) => trace.id },
  user: {
    type: { properties: { id: { ...Text, ignoreCase: true }, name: Text } },
    read: ({ trace }: Placed) => userOf(trace),
  },
});

const Query = listQuery(shape, {
  company: Optional(Type.String({ description: 'Its id or its name' })),
  entity: Optional(Type.String({ description: 'An entity set of any API (`customers`), or a table (`customer`)' })),
  id: Optional(Type.String({ description: 'Of the record' })),
});

export const listChanges = routeCode([], {
  query: Query,
  responses: { 200: listOf(ChangeView) },
  handle(call) {
    const { jar, query } = call;
    const { company, entity, id } = query;
    const tables = entity === undefined ? undefined : tablesOf(jar.model, entity);
    const wanted = ({ trace }: Placed): boolean =>
      (company === undefined || isOne(company, trace.company, trace.companyName)) &&
      (tables === undefined || tables.has(trace.table)) &&
      (id === undefined || isOne(id, trace.id));
    const walk = walkSome(newestTraces(jar.store, changeTraces), wanted);
    const explainer = new Explainer(jar);
    return listAnswer(call, { shape, walk, view: ({ value }) => changeView(explainer, value) });
  },
});

export const getChange = routeCode(['id'], {
  responses: { 200: ChangeView },
  async handle({ jar, params: { id } }) {
    const placed = await traceById(jar.store, changeTraces, id);
    if (!placed) throw changeControlErrors.NoSuchChange({ id: id.slice(0, 100) });
    return ok(await changeView(new Explainer(jar), placed));
  },
});

const isOne = (word: string, ...names: readonly string[]): boolean =>
  names.some((name) => name.toLowerCase() === word.toLowerCase());

/** The tables that an entity set shows, in any API, and the table of that name. */
function tablesOf({ apis }: Model, entity: string): Set<string> {
  const tables = new Set([entity]);
  for (const { pages } of apis) for (const { set, table } of pages) if (isOne(entity, set)) tables.add(table);
  return tables;
}

const companyOf = ({ company, companyName }: ChangeTrace) => ({ id: company, name: companyName });
const userOf = ({ user, userName }: ChangeTrace) => ({ id: user, name: userName });

async function changeView(explainer: Explainer, { place, trace }: Placed) {
  const { at, type, tenantId, table, id } = trace;
  const subscriptions = await explainer.explain(trace);
  return {
    id: traceId(place),
    at: new Date(at).toISOString(),
    changeType: type,
    tenantId,
    company: companyOf(trace),
    table,
    recordId: id,
    user: userOf(trace),
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
