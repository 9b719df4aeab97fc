import { Type } from 'typebox';
import { DEFAULT_TOP, nextOf, PAGE, placeOf } from '../../../kernel/http/control-paging.ts';
import { ok, routeCode } from '../../../kernel/http/route.ts';
import { newestTraces, traceById, traceId } from '../../../kernel/traces/read.ts';
import type { PlacedTrace, TracePlace } from '../../../kernel/traces/types.ts';
import { modelFor } from '../model/custom.ts';
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

const Query = Type.Object(
  {
    company: Optional(Type.String({ description: 'Its id or its name' })),
    entity: Optional(Type.String({ description: 'An entity set of any API (`customers`), or a table (`customer`)' })),
    id: Optional(Type.String({ description: 'Of the record' })),
    ...PAGE,
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
    const after = placeOf<TracePlace>(jar, list, $skiptoken);
    const tables = entity === undefined ? undefined : tablesOf(modelFor(jar.config), entity);
    const wanted = (trace: ChangeTrace): boolean =>
      (company === undefined || isOne(company, trace.company, trace.companyName)) &&
      (tables === undefined || tables.has(trace.table)) &&
      (id === undefined || isOne(id, trace.id));
    const { found, next } = await newestTraces(jar.store, changeTraces, wanted, after, $top);
    const explainer = new Explainer(jar);
    const value = [];
    for (const placed of found) value.push(await changeView(explainer, placed));
    return ok({ value, ...nextOf(call, list, next) });
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

/** The tables that an entity set shows, in whichever API; or the one of that name. */
function tablesOf({ apis }: Model, entity: string): Set<string> {
  const tables = new Set([entity]);
  for (const { pages } of apis) for (const { set, table } of pages) if (isOne(entity, set)) tables.add(table);
  return tables;
}

async function changeView(explainer: Explainer, { place, trace }: PlacedTrace<ChangeTrace>) {
  const { at, type, tenantId, company, companyName, table, id, user, userName } = trace;
  const subscriptions = await explainer.explain(trace);
  return {
    id: traceId(place),
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
