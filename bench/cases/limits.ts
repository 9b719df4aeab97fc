import { fileURLToPath } from 'node:url';
import { MANAGEMENT_LIMITS } from '../../src/kernel/arm/limits.ts';
import { throttle } from '../../src/kernel/arm/throttle.ts';
import { LimitEngine } from '../../src/kernel/limits/engine.ts';
import { type BucketLimit, limitCollections, type Use, type WindowLimit } from '../../src/kernel/limits/index.ts';
import type { RuleSource } from '../../src/kernel/limits/memory-rates.ts';
import { openRedisRates } from '../../src/kernel/limits/redis-rates.ts';
import { baseRule } from '../../src/kernel/limits/rules.ts';
import type { Call } from '../../src/kernel/service/routes.ts';
import { openSqlite } from '../../src/kernel/store/index.ts';
import { Health } from '../../src/kernel/telemetry/health.ts';
import { createLogger } from '../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../src/kernel/telemetry/metrics.ts';
import { startRedis } from '../../test/support/redis.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { startJarProcess } from '../lib/contenders.ts';
import { GROUP_BODY, groupAddresses } from '../lib/documents.ts';
import { putLoadOn } from '../lib/load.ts';
import { takeTurns, timed } from '../lib/rounds.ts';

const SCOPES = 1000;
const ENOUGH = 1_000_000_000;
/** Number of concurrent decisions in Redis. */
const CLIENTS = 64;

/** The same rule as in the other limiter: a number per window. */
const WINDOW: WindowLimit = {
  kind: 'window',
  window: 'fixed',
  name: 'bench.window',
  title: 'Bench',
  scope: ['who'],
  limit: ENOUGH,
  windowMs: 3_600_000,
};
/** The limits of the management gateway: the caller's bucket and the global one. */
const OWN: BucketLimit = {
  kind: 'bucket',
  name: 'bench.own',
  title: 'Bench',
  scope: ['where', 'who'],
  size: ENOUGH,
  refillPerSecond: 25,
};
const EVERYBODY: BucketLimit = { ...OWN, name: 'bench.everybody', scope: ['where'] };

interface Limiter {
  consume(key: string): Promise<unknown>;
}

const who = Array.from({ length: SCOPES }, (_, n) => `10000000-0000-4000-8000-00000000${String(n).padStart(4, '0')}`);
const nameOf = (n: number): string => who[n % SCOPES] as string;

export const limits: Case = {
  name: 'limits',
  summary: `Rate decisions over ${SCOPES} scopes against npm rate-limiter-flexible: in memory one after another, in Redis ${CLIENTS} at a time over one connection of the same client; and what the gateway's check adds to a request.`,
  async run(context) {
    const baseline = fileURLToPath(new URL('../baseline/rate-limiter-flexible.mjs', import.meta.url));
    const other = (await import(baseline)) as {
      openMemoryLimiter(): Limiter;
      openRedisLimiter(client: unknown): Limiter;
    };
    return [
      ...(await inMemory(context, other.openMemoryLimiter())),
      ...(await inRedis(context, other.openRedisLimiter)),
      await inRequests(context),
    ];
  },
};

const MANAGEMENT = { service: 'resources', limits: MANAGEMENT_LIMITS };
const TABLES = [{ service: 'bench', limits: [WINDOW, OWN, EVERYBODY] }];

/** A limit engine without a jar, with the parts that it needs. */
async function openEngine(): Promise<LimitEngine> {
  const store = await openSqlite({ collections: limitCollections, report: () => {} });
  const clock = { mode: 'shifted', epoch: 0, now: Date.now, onMove: () => () => {} } as const;
  const log = createLogger({ level: 'silent' });
  return LimitEngine.open({ store, clock, log, metrics: createMetrics(), tables: [...TABLES, MANAGEMENT] });
}

async function inMemory({ quick }: CaseContext, limiter: Limiter): Promise<Comparison[]> {
  const decisions = quick ? 20_000 : 200_000;
  const engine = await openEngine();
  const figures = await takeTurns(
    quick ? 3 : 15,
    {
      other: () => each(decisions, (n) => limiter.consume(nameOf(n))),
      window: () => each(decisions, (n) => engine.take([{ limit: WINDOW, scope: [nameOf(n)] }])),
      two: () => each(decisions, (n) => engine.take(twoBuckets(nameOf(n)))),
    },
    { warmUps: 3 },
  );
  await engine.close();
  const baseline = { name: 'rate-limiter-flexible', values: figures.other };
  return [
    {
      title: 'decision in memory',
      unit: 'µs',
      baseline,
      subject: { name: 'jar', values: figures.window },
      // At least 1.5 times as fast.
      target: { atMost: 0.667 },
    },
    {
      title: 'over two buckets at once, against one limit of the other',
      unit: 'µs',
      baseline,
      subject: { name: 'jar', values: figures.two },
    },
  ];
}

const twoBuckets = (id: string): Use[] => [
  { limit: OWN, scope: ['subscription', id] },
  { limit: EVERYBODY, scope: ['subscription'] },
];

async function inRedis({ quick }: CaseContext, openLimiter: (client: unknown) => Limiter): Promise<Comparison[]> {
  const decisions = quick ? 2000 : 20_000;
  const server = await startRedis();
  const { default: redis } = await import('@redis/client');
  const client = await redis.createClient({ url: server.url }).connect();
  const limiter = openLimiter(client);
  const rules: RuleSource = { version: 1, of: (limit) => baseRule(limit, false) };
  const surroundings = {
    clock: { mode: 'shifted' },
    log: createLogger({ level: 'silent' }),
    health: new Health(),
  } as const;
  const rates = await openRedisRates({
    ...surroundings,
    url: server.url,
    jarId: 'bench',
    rules,
    metrics: createMetrics(),
  });
  const figures = await takeTurns(
    quick ? 3 : 15,
    {
      other: () => atOnce(decisions, (n) => limiter.consume(nameOf(n))),
      window: () => atOnce(decisions, (n) => rates.take([{ limit: WINDOW, scope: [nameOf(n)] }], Date.now())),
      two: () => atOnce(decisions, (n) => rates.take(twoBuckets(nameOf(n)), Date.now())),
    },
    { warmUps: 2 },
  );
  await rates.close();
  client.destroy();
  await server.stop();
  const baseline = { name: 'rate-limiter-flexible', values: figures.other };
  return [
    {
      title: 'decision in Redis',
      unit: 'µs',
      baseline,
      subject: { name: 'jar', values: figures.window },
      target: { atMost: 1 },
    },
    {
      title: 'over two buckets in Redis, against one limit of the other',
      unit: 'µs',
      baseline,
      subject: { name: 'jar', values: figures.two },
    },
  ];
}

/** The gateway's own step, called as by the server, compared with the processor time of a whole request. */
async function inRequests({ quick, folder }: CaseContext): Promise<Comparison> {
  const engine = await openEngine();
  const raised = ['management.reads', 'management.global-reads'].map((name) => ({ name, size: ENOUGH }));
  await engine.overrides.apply(raised);
  const jar = await startJarProcess(folder, ['--clock', 'virtual']);
  const groups = await groupAddresses(jar);
  const headers = { authorization: `Bearer ${groups.token}` };
  const url = jar.url + groups.of('bench');
  const json = { ...headers, 'content-type': 'application/json' };
  await fetch(url, { method: 'PUT', headers: json, body: JSON.stringify(GROUP_BODY) });
  const load = { url, method: 'GET', headers, connections: 32, seconds: quick ? 1 : 3 } as const;
  const call = {
    jar: { limits: engine },
    route: { traits: { arm: { effect: 'read' } } },
    facts: { arm: { subscription: { subscriptionId: groups.subscriptionId } } },
    caller: { objectId: nameOf(1), name: 'bench', tenantId: nameOf(2) },
  };
  const figures = await takeTurns(quick ? 2 : 7, {
    async request() {
      const { serverBusy, perSecond } = await putLoadOn(jar, load);
      return (serverBusy / perSecond) * 1e6;
    },
    check: () => each(100_000, () => throttle({ ...call, responseHeaders: {} } as unknown as Call)),
  });
  await jar.stop();
  await engine.close();
  return {
    title: 'the throttle in a GET of a resource group',
    unit: 'µs',
    baseline: { name: 'processor time of the request', values: figures.request },
    subject: { name: 'the check alone', values: figures.check },
    target: { atMost: 0.05 },
  };
}

/** Microseconds per call, sequentially. Promises are awaited, other results are not. */
async function each(calls: number, call: (n: number) => unknown): Promise<number> {
  const took = await timed(async () => {
    for (let n = 0; n < calls; n++) {
      const pending = call(n);
      if (pending instanceof Promise) await pending;
    }
  });
  return (took / calls) * 1000;
}

/** Microseconds per call, with one concurrent call per client. */
async function atOnce(calls: number, call: (n: number) => unknown): Promise<number> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < calls) await call(next++);
  };
  const took = await timed(() => Promise.all(Array.from({ length: CLIENTS }, client)));
  return (took / calls) * 1000;
}
