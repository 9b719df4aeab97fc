import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import {
  checkChanges,
  checkScope,
  type DeclaredLimit,
  findLimit,
  type Limit,
  LimitChangeSchema,
  limitErrors,
  MODES,
  namedScope,
  numbersOf,
  scopeValue,
  shareOf,
} from '../kernel/limits/index.ts';
import { listAnswer, listOf, listQuery, listShape, walkOf } from '../kernel/odata/index.ts';
import { type Jar, route } from '../kernel/service/index.ts';

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
  kind: Type.Enum(['quota', 'bound', 'bucket', 'window', 'concurrency']),
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
  pressure: Type.Number({
    minimum: 0,
    description: 'The share that the fullest scope has used of its limit; 0 for bounds and without a maximum',
  }),
  changed: Type.Boolean({ description: 'Whether there are overrides' }),
  earlyClients: Type.Integer({ minimum: 0, description: 'Number of clients in earlyRetries' }),
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

/** Fields of a limit for filtering and ordering. */
const shape = listShape<ReturnType<typeof listed>>('limits', {
  name: { type: 'Edm.String' },
  service: { type: 'Edm.String' },
  title: { type: 'Edm.String' },
  kind: { type: 'Edm.String' },
  scope: { type: 'Edm.String', collection: true },
  unit: { type: 'Edm.String' },
  fixed: { type: 'Edm.Boolean' },
  incidental: { type: 'Edm.Boolean' },
  inForce: {
    type: {
      properties: {
        mode: { type: 'Edm.String' },
        limit: { type: 'Edm.Double' },
        size: { type: 'Edm.Double' },
        refillPerSecond: { type: 'Edm.Double' },
        windowMs: { type: 'Edm.Double' },
      },
    },
  },
  refusals: { type: 'Edm.Int64' },
  shadowRefusals: { type: 'Edm.Int64' },
  pressure: { type: 'Edm.Double' },
  changed: { type: 'Edm.Boolean' },
  earlyClients: { type: 'Edm.Int64' },
});

const Query = listQuery(shape, {
  name: Type.Optional(Type.String({ description: 'A name, or a prefix followed by a star' })),
  service: Type.Optional(Type.String()),
  scope: Type.Optional(
    Type.Array(Type.String({ description: 'part=value: only limits with this scope, and their use by it' })),
  ),
  use: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, description: 'Maximum number of scopes whose use is shown; default 20' }),
  ),
});

const DEFAULT_USE = 20;

export const limitRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/_jar/limits',
    operation: 'Jar_ListLimits',
    summary: 'All limits: declared values, overrides, use, and clients that retry too early',
    query: Query,
    responses: { 200: listOf(LimitView) },
    async handle(call) {
      const { jar, query } = call;
      const { use = DEFAULT_USE } = query;
      const where = readScopeFilter(query.scope ?? []);
      const found = [...jar.limits.table.values()].filter(
        ({ service, limit }) =>
          nameMatches(limit.name, query.name) &&
          (query.service === undefined || service === query.service) &&
          [...where.keys()].every((part) => limit.scope.includes(part)),
      );
      if (query.name !== undefined && !query.name.endsWith('*')) {
        const limit = findLimit(jar.limits, query.name, 'name');
        checkScope(limit, [...where.keys()], 'scope');
      }
      const pressures = await pressuresOf(jar, found);
      const walk = walkOf(
        found.map((declared) => ({ key: declared.limit.name, value: listed(jar, declared, pressures) })),
      );
      return listAnswer(call, {
        shape,
        walk,
        view: ({ value: { declared, ...seen } }) => view(jar, declared, seen, where, use),
      });
    },
  }),
  route({
    method: 'PATCH',
    path: '/_jar/limits',
    operation: 'Jar_ChangeLimits',
    summary: 'Lowers, raises or suspends limits, for all or for one scope: one change or a list of them, all or none',
    // The changes in a list are validated one by one, so that an error names the position in the list.
    body: Type.Union([
      LimitChangeSchema,
      Type.Array(Type.Unknown(), { description: 'Several changes, each like a single one' }),
    ]),
    responses: { 200: Type.Object({ value: Type.Array(LimitView) }) },
    async handle({ jar, body }) {
      const many = Array.isArray(body);
      const changes = await checkChanges(jar.limits, many ? body : [body], many);
      await jar.limits.overrides.apply(changes);
      const names = new Set(changes.map(({ name }) => name));
      const changed = [...jar.limits.table.values()].filter(({ limit }) => names.has(limit.name));
      const pressures = await pressuresOf(jar, changed);
      const views = changed.map((declared) => {
        const { declared: _declared, ...seen } = listed(jar, declared, pressures);
        return view(jar, declared, seen, new Map(), DEFAULT_USE);
      });
      return ok({ value: await Promise.all(views) });
    },
  }),
];

/** More scopes than these are not looked at, so every limit that is used at all is among them. */
const MOST_SCOPES = 10_000;

/** The share of the fullest scope, by limit; limits that are not used are left out. */
async function pressuresOf({ limits }: Jar, among: readonly DeclaredLimit[]): Promise<ReadonlyMap<Limit, number>> {
  const fullest = await limits.fullest(
    MOST_SCOPES,
    among.map(({ limit }) => limit),
  );
  // The fullest first, so the last entry of a limit must not replace its first.
  return new Map(fullest.toReversed().map((each) => [each.limit, shareOf(each)]));
}

function listed({ limits }: Jar, declared: DeclaredLimit, pressures: ReadonlyMap<Limit, number>) {
  const { service, limit } = declared;
  const { refusals, shadowRefusals, earlyRetries } = limits.recordOf(limit);
  const { general } = limits.overrides.rulesOf(limit);
  return {
    declared,
    name: limit.name,
    service,
    title: limit.title,
    kind: limit.kind,
    scope: limit.scope,
    unit: limit.unit ?? 'requests',
    fixed: limit.fixed ?? false,
    incidental: limit.incidental ?? false,
    inForce: { ...numbersOf(inForce(limit, general)), mode: general.mode },
    refusals,
    shadowRefusals,
    pressure: pressures.get(limit) ?? 0,
    changed: limits.overrides.list(limit.name).length > 0,
    earlyClients: earlyRetries.length,
  };
}

async function view(
  { limits }: Jar,
  { limit }: DeclaredLimit,
  seen: object,
  where: ReadonlyMap<string, string>,
  most: number,
): Promise<object> {
  const { earlyRetries } = limits.recordOf(limit);
  const positions = new Map([...where].map(([part, value]) => [limit.scope.indexOf(part), scopeValue(value)]));
  const use = most === 0 ? [] : await limits.usage(limit, { where: positions, most });
  return {
    ...seen,
    ...(limit.kind === 'window' && { window: limit.window }),
    table: numbersOf(limit),
    overrides: limits.overrides.list(limit.name).map(({ name: _name, ...override }) => override),
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

/** The limit with its effective default values. */
function inForce(limit: Limit, rule: { maximum: number; refillPerSecond: number; windowMs: number }): Limit {
  if (limit.kind === 'bucket') return { ...limit, size: rule.maximum, refillPerSecond: rule.refillPerSecond };
  if ('windowMs' in limit) return { ...limit, limit: rule.maximum, windowMs: rule.windowMs };
  return { ...limit, limit: rule.maximum };
}

/** The pattern is a name, or a prefix followed by a star. */
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
