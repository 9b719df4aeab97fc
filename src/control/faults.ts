import { Type } from 'typebox';
import { faultErrors } from '../kernel/faults/errors.ts';
import type { ListedFault } from '../kernel/faults/index.ts';
import { readRule } from '../kernel/faults/read-rule.ts';
import { isExhausted } from '../kernel/faults/rule.ts';
import { RuleSchema, RuleViewSchema } from '../kernel/faults/schema.ts';
import { created, noContent, ok, type Route, route } from '../kernel/http/route.ts';
import { apisOf } from '../kernel/service.ts';
import type { Controls } from './controls.ts';

export function faultRoutes({ host }: Pick<Controls, 'host'>): Route[] {
  const serviceNames = [...host.services.flatMap(apisOf).map(({ name }) => name), 'control'];
  return [
    route({
      method: 'POST',
      path: '/_jar/faults',
      operation: 'Jar_AddFault',
      summary: 'Orders something to go wrong: which requests, what happens to them, how often',
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
      summary: 'The fault rules in the order in which they are tried, with what they have hit',
      responses: { 200: Type.Object({ value: Type.Array(RuleViewSchema) }) },
      handle: async ({ jar }) => ok({ value: (await jar.faults.list()).map(view) }),
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
      summary: 'Removes every fault rule',
      responses: { 200: Type.Object({ removed: Type.Integer() }) },
      handle: async ({ jar }) => ok({ removed: await jar.faults.removeAll() }),
    }),
  ];
}

function view({ rule, counts }: ListedFault): object {
  const { order, createdAt, ...shown } = rule;
  return {
    ...shown,
    createdAt: iso(createdAt),
    state: isExhausted(rule, counts) ? 'exhausted' : 'armed',
    matched: counts.matched,
    hits: counts.hits,
    lastHitAt: counts.lastHitAt === null ? null : iso(counts.lastHitAt),
  };
}

const iso = (at: number): string => new Date(at).toISOString();
