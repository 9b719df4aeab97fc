import { Type } from 'typebox';
import { ok, type Route, route } from '../kernel/http/route.ts';
import type { Jar } from '../kernel/jar-context.ts';
import { checkChanges, checkScope, findLimit, LimitChangeSchema, MODES } from '../kernel/limits/changes.ts';
import { limitErrors } from '../kernel/limits/errors.ts';
import { namedScope, scopeValue } from '../kernel/limits/scope.ts';
import { type DeclaredLimit, type Limit, numbersOf } from '../kernel/limits/table.ts';

const ScopeSchema = Type.Record(Type.String(), Type.String());

const Numbers = {
  limit: Type.Optional(Type.Number()),
  size: Type.Optional(Type.Number()),
  refillPerSecond: Type.Optional(Type.Number()),
  windowMs: Type.Optional(Type.Number()),
};
const Mode = Type.Enum([...MODES]);

const LimitView = Type.Object({
  name: Type.String(),
  service: Type.String(),
  title: Type.String(),
  kind: Type.Enum(['quota', 'bucket', 'window', 'concurrency']),
  window: Type.Optional(Type.Enum(['fixed', 'sliding'])),
  scope: Type.Array(Type.String()),
  unit: Type.String(),
  fixed: Type.Boolean(),
  incidental: Type.Boolean(),
  table: Type.Object(Numbers),
  inForce: Type.Object({ ...Numbers, mode: Mode }),
  overrides: Type.Array(Type.Object({ ...Numbers, scope: Type.Optional(ScopeSchema), mode: Type.Optional(Mode) })),
  refusals: Type.Integer(),
  shadowRefusals: Type.Integer(),
  use: Type.Array(
    Type.Object({
      scope: ScopeSchema,
      used: Type.Number(),
      remaining: Type.Number(),
      maximum: Type.Number(),
      mode: Mode,
    }),
  ),
  earlyRetries: Type.Array(
    Type.Object({
      client: Type.String(),
      name: Type.Optional(Type.String()),
      times: Type.Integer(),
      lastAt: Type.String(),
      earliestBySeconds: Type.Number(),
    }),
  ),
});

const Query = Type.Object({
  name: Type.Optional(Type.String()),
  service: Type.Optional(Type.String()),
  scope: Type.Optional(Type.Array(Type.String())),
  top: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  use: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  after: Type.Optional(Type.String()),
});

const DEFAULT_TOP = 100;
const DEFAULT_USE = 20;

export const limitRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/_jar/limits',
    operation: 'Jar_ListLimits',
    summary: 'Every limit: what its table says, what is changed, what is used, who comes back too early',
    query: Query,
    responses: { 200: Type.Object({ value: Type.Array(LimitView), nextLink: Type.Optional(Type.String()) }) },
    async handle({ jar, query, origin }) {
      const { top = DEFAULT_TOP, use = DEFAULT_USE } = query;
      const where = readScopeFilter(query.scope ?? []);
      const found = [...jar.limits.table.values()].filter(
        ({ service, limit }) =>
          nameMatches(limit.name, query.name) &&
          (query.service === undefined || service === query.service) &&
          [...where.keys()].every((part) => limit.scope.includes(part)) &&
          (query.after === undefined || limit.name > query.after),
      );
      if (query.name !== undefined && !query.name.endsWith('*')) {
        const limit = findLimit(jar.limits, query.name, 'name');
        checkScope(limit, [...where.keys()], 'scope');
      }
      const page = found.slice(0, top);
      const value = await Promise.all(page.map((declared) => view(jar, declared, where, use)));
      const last = page.at(-1)?.limit.name;
      if (found.length <= top || last === undefined) return ok({ value });
      const next = new URLSearchParams({ top: String(top), use: String(use), after: last });
      for (const part of query.scope ?? []) next.append('scope', part);
      if (query.name !== undefined) next.set('name', query.name);
      if (query.service !== undefined) next.set('service', query.service);
      return ok({ value, nextLink: `${origin}/_jar/limits?${next}` });
    },
  }),
  route({
    method: 'PATCH',
    path: '/_jar/limits',
    operation: 'Jar_ChangeLimits',
    summary: 'Lowers, raises or suspends limits, for all or for one scope: one change or a list of them, all or none',
    // The changes of a list are checked one by one, so that a mistake is named with its place in the list.
    body: Type.Union([LimitChangeSchema, Type.Array(Type.Unknown(), { description: 'Changes like a single one' })]),
    responses: { 200: Type.Object({ value: Type.Array(LimitView) }) },
    async handle({ jar, body }) {
      const many = Array.isArray(body);
      const changes = await checkChanges(jar.limits, many ? body : [body], many);
      await jar.limits.overrides.apply(changes);
      const names = new Set(changes.map(({ name }) => name));
      const changed = [...jar.limits.table.values()].filter(({ limit }) => names.has(limit.name));
      return ok({ value: await Promise.all(changed.map((declared) => view(jar, declared, new Map(), DEFAULT_USE))) });
    },
  }),
];

async function view(
  { limits }: Jar,
  { service, limit }: DeclaredLimit,
  where: ReadonlyMap<string, string>,
  most: number,
): Promise<object> {
  const { refusals, shadowRefusals, earlyRetries } = limits.recordOf(limit);
  const positions = new Map([...where].map(([part, value]) => [limit.scope.indexOf(part), scopeValue(value)]));
  const use = most === 0 ? [] : await limits.usage(limit, { where: positions, most });
  const general = limits.overrides.rulesOf(limit).general;
  return {
    name: limit.name,
    service,
    title: limit.title,
    kind: limit.kind,
    ...(limit.kind === 'window' && { window: limit.window }),
    scope: limit.scope,
    unit: limit.unit ?? 'requests',
    fixed: limit.fixed ?? false,
    incidental: limit.incidental ?? false,
    table: numbersOf(limit),
    inForce: { ...numbersOf(inForce(limit, general)), mode: general.mode },
    overrides: limits.overrides.list(limit.name).map(({ name: _name, ...override }) => override),
    refusals,
    shadowRefusals,
    use: use.map(({ scope, used, remaining, maximum }) => ({
      scope: namedScope(limit.scope, scope),
      used,
      remaining,
      maximum,
      mode: limits.overrides.of(limit, scope).mode,
    })),
    earlyRetries: earlyRetries.map(({ lastAt, ...retry }) => ({ ...retry, lastAt: new Date(lastAt).toISOString() })),
  };
}

/** The row with the numbers that hold for whom nothing else is said. */
function inForce(limit: Limit, rule: { maximum: number; refillPerSecond: number; windowMs: number }): Limit {
  if (limit.kind === 'bucket') return { ...limit, size: rule.maximum, refillPerSecond: rule.refillPerSecond };
  if (limit.kind === 'window') return { ...limit, limit: rule.maximum, windowMs: rule.windowMs };
  return { ...limit, limit: rule.maximum };
}

/** A name, or the beginning of one and a star. */
function nameMatches(name: string, asked: string | undefined): boolean {
  if (asked === undefined) return true;
  return asked.endsWith('*') ? name.startsWith(asked.slice(0, -1)) : name === asked;
}

function readScopeFilter(given: readonly string[]): Map<string, string> {
  return new Map(
    given.map((each) => {
      const [, part, value] = /^([A-Za-z0-9]+)=([\s\S]*)$/.exec(each) ?? [];
      if (part === undefined || value === undefined) {
        throw limitErrors.InvalidScopeFilter({ given: each.slice(0, 200) }, { target: 'scope' });
      }
      return [part, value] as const;
    }),
  );
}
