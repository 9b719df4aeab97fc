import { Type } from 'typebox';
import {
  changeRule,
  faultErrors,
  isExhausted,
  type ListedFault,
  RulePatchSchema,
  RuleSchema,
  RuleViewSchema,
  readRule,
} from '../kernel/faults/index.ts';
import { created, noContent, ok, type Route } from '../kernel/http/index.ts';
import { listAnswer, listOf, listQuery, listShape, walkOf } from '../kernel/odata/index.ts';
import { apisOf, route } from '../kernel/service/index.ts';
import type { Controls } from './controls.ts';

const ORDER_DIGITS = 16;
const Text = { type: 'Edm.String' } as const;
const Count = { type: 'Edm.Int64' } as const;
const Switch = { type: 'Edm.Boolean' } as const;

const shape = listShape<object>('faults', {
  id: Text,
  createdAt: { type: 'Edm.DateTimeOffset' },
  state: Text,
  matched: Count,
  hits: Count,
  lastHitAt: { type: 'Edm.DateTimeOffset' },
  match: { type: { properties: { direction: Text, service: Text, method: Text, path: Text } } },
  effect: {
    type: {
      properties: {
        status: Count,
        latencyMs: Count,
        throttledAs500: Switch,
        drop: Switch,
        dropAnswer: Switch,
        duplicate: Switch,
        outOfOrder: Switch,
        afterDelete: Switch,
      },
    },
  },
  count: Count,
  nth: Count,
  every: Count,
  share: { type: 'Edm.Double' },
  enabled: Switch,
});

/** In the order in which rules are evaluated. */
const placeOf = ({ rule }: ListedFault): string => String(rule.order).padStart(ORDER_DIGITS, '0');

export function faultRoutes({ host }: Pick<Controls, 'host'>): Route[] {
  const serviceNames = [...host.services.flatMap(apisOf).map(({ name }) => name), 'control'];
  return [
    route({
      method: 'POST',
      path: '/_jar/faults',
      operation: 'Jar_AddFault',
      summary: 'Adds a fault rule: which requests, which effect, how often',
      body: RuleSchema,
      responses: { 201: RuleViewSchema },
      async handle({ jar, body }) {
        const listed = await jar.faults.add(readRule(body, serviceNames));
        return created(view(listed), { location: `/_jar/faults/${listed.rule.id}` });
      },
    }),
    route({
      method: 'GET',
      path: '/_jar/faults',
      operation: 'Jar_ListFaults',
      summary: 'The fault rules in the order in which they are evaluated, with their hits',
      query: listQuery(shape),
      responses: { 200: listOf(RuleViewSchema) },
      async handle(call) {
        const faults = await call.jar.faults.list();
        const walk = walkOf(faults.map((listed) => ({ key: placeOf(listed), value: view(listed) })));
        return listAnswer(call, { shape, walk, view: ({ value }) => value });
      },
    }),
    route({
      method: 'GET',
      path: '/_jar/faults/{id}',
      operation: 'Jar_GetFault',
      summary: 'One fault rule',
      responses: { 200: RuleViewSchema },
      async handle({ jar, params: { id } }) {
        const listed = await jar.faults.find(id);
        if (!listed) throw faultErrors.NoSuchFault({ id: id.slice(0, 60) });
        return ok(view(listed));
      },
    }),
    route({
      method: 'PATCH',
      path: '/_jar/faults/{id}',
      operation: 'Jar_ChangeFault',
      summary: 'Enables, disables or changes a fault rule; null removes a member',
      body: RulePatchSchema,
      responses: { 200: RuleViewSchema },
      async handle({ jar, params: { id }, body }) {
        const restart = Object.keys(body).some((name) => name !== 'enabled');
        const changed = await jar.faults.change(id, (rule) => changeRule(rule, body, serviceNames), { restart });
        if (!changed) throw faultErrors.NoSuchFault({ id: id.slice(0, 60) });
        return ok(view(changed));
      },
    }),
    route({
      method: 'DELETE',
      path: '/_jar/faults/{id}',
      operation: 'Jar_RemoveFault',
      summary: 'Removes one fault rule',
      responses: { 204: 'Removed' },
      async handle({ jar, params: { id } }) {
        if (!(await jar.faults.remove(id))) throw faultErrors.NoSuchFault({ id: id.slice(0, 60) });
        return noContent();
      },
    }),
    route({
      method: 'DELETE',
      path: '/_jar/faults',
      operation: 'Jar_RemoveFaults',
      summary: 'Removes all fault rules',
      responses: { 200: Type.Object({ removed: Type.Integer() }) },
      handle: async ({ jar }) => ok({ removed: await jar.faults.removeAll() }),
    }),
  ];
}

function view({ rule, counts }: ListedFault): object {
  const { order, createdAt, enabled = true, ...shown } = rule;
  return {
    ...shown,
    createdAt: iso(createdAt),
    enabled,
    state: !enabled ? 'disabled' : isExhausted(rule, counts) ? 'exhausted' : 'armed',
    matched: counts.matched,
    hits: counts.hits,
    lastHitAt: counts.lastHitAt === null ? null : iso(counts.lastHitAt),
  };
}

const iso = (at: number): string => new Date(at).toISOString();
