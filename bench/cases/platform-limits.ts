import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LimitEngine } from '../../src/kernel/limits/engine.ts';
import { limitCollections } from '../../src/kernel/limits/index.ts';
import { collection, openSqlite } from '../../src/kernel/store/index.ts';
import { createLogger } from '../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../src/kernel/telemetry/metrics.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time/index.ts';
import { throttle } from '../../src/services/platform/access/throttle.ts';
import type { PlatformCall } from '../../src/services/platform/jar.ts';
import { PLATFORM_LIMITS, ratesOf } from '../../src/services/platform/limits/declared.ts';
import { takeCounts } from '../../src/services/platform/limits/take.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { startJarProcess } from '../lib/contenders.ts';
import { putLoadOn } from '../lib/load.ts';
import { takeTurns } from '../lib/rounds.ts';
import { median } from '../lib/statistics.ts';

/** Concurrent clients: the store commits concurrent transactions together. */
const CLIENTS = 32;
/** Transactions per turn. */
const TURN = 1000;
const WORKSPACE = '1000000000000001';
const JOB = { name: 'bench', tasks: [{ task_key: 'only', spark_jar_task: { main_class_name: 'Main' } }] };
const RAISED = PLATFORM_LIMITS.map(({ name }) => ({ name, mode: 'unlimited' as const }));
const things = collection<object>('bench.things');

export const platformLimits: Case = {
  name: 'platform-limits',
  summary:
    'What the limits of the data platform add to a request: the buckets of a read, and the buckets and counts of a creation.',
  async run(context) {
    const { quick, folder } = context;
    const jar = await startJarProcess(join(folder, 'jar'), ['--clock', 'virtual']);
    const parts = await openParts(join(folder, 'parts'));
    try {
      await jar.changeLimits(RAISED);
      const headers = { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' };
      const body = JSON.stringify(JOB);
      const made = await fetch(`${jar.url}/api/2.2/jobs/create`, { method: 'POST', headers, body });
      const { job_id: id } = (await made.json()) as { job_id: number };
      const load = { headers, connections: CLIENTS, seconds: quick ? 1 : 3 } as const;
      const cost = async (request: { url: string; method: 'GET' | 'POST'; body?: string }): Promise<number> => {
        const { serverBusy, perSecond } = await putLoadOn(jar, { ...load, ...request });
        return (serverBusy / perSecond) * 1e6;
      };
      const figures = await takeTurns(
        quick ? 2 : 7,
        {
          read: () => cost({ url: `${jar.url}/api/2.2/jobs/get?job_id=${id}`, method: 'GET' }),
          create: () => cost({ url: `${jar.url}/api/2.2/jobs/create`, method: 'POST', body }),
          readLimits: async () => parts.buckets('GET', '/jobs/get'),
          createLimits: async () => parts.buckets('POST', '/jobs/create') + (await parts.counts(context)),
        },
        { warmUps: 2 },
      );
      return [
        share('the buckets in a read of a job', figures.read, figures.readLimits),
        {
          ...share('the buckets and both counts in a creation of a job', figures.create, figures.createLimits),
          note: 'Both counts are one document of the store that is read and written in the transaction of the job. The workspace has made jobs in each minute of the hour.',
        },
      ];
    } finally {
      await jar.stop();
      await parts.close();
    }
  },
};

const share = (title: string, request: readonly number[], limits: readonly number[]): Comparison => ({
  title,
  unit: 'µs',
  baseline: { name: 'processor time of the request', values: request },
  subject: { name: 'its limits alone', values: limits },
  target: { atMost: 0.05 },
});

/** The steps of a request that check limits, called as by the server. */
async function openParts(folder: string) {
  mkdirSync(folder);
  const store = await openSqlite({
    file: join(folder, 'jar.db'),
    collections: [...limitCollections, things],
    report: () => {},
  });
  let agoMs = 0;
  const now = (): number => Date.now() - agoMs;
  const clock = { mode: 'shifted', epoch: 0, now, onMove: () => () => {} } as const;
  const log = createLogger({ level: 'silent' });
  const tables = [{ service: 'platform', limits: PLATFORM_LIMITS }];
  const engine = await LimitEngine.open({ store, clock, log, metrics: createMetrics(), tables });
  await engine.overrides.apply(RAISED);
  const caller = { principal: { id: '1', kind: 'user', userName: 'bench' } };

  const one = (n: number, isCounted: boolean): Promise<unknown> =>
    store.transact(async (tx) => {
      if (isCounted) {
        const scope = [WORKSPACE];
        await takeCounts(tx, { limits: engine }, [
          { row: 'jobs-created', scope },
          { row: 'saved-jobs', scope },
        ]);
      }
      return tx.put(things, String(n % 100), { n });
    });

  // One job in each minute of the last hour, so that the count of jobs created within an hour has all its slices.
  for (agoMs = HOUR_MS; agoMs > 0; agoMs -= MINUTE_MS) await one(0, true);

  const inTransactions = async (count: number, isCounted: boolean): Promise<number> => {
    const before = process.cpuUsage();
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < count) await one(next++, isCounted);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };

  return {
    /** Microseconds of the step that takes tokens from an operation's buckets. */
    buckets(method: string, path: string): number {
      const call = {
        jar: { limits: engine },
        route: { traits: { rates: ratesOf(method, path) } },
        facts: { workspace: { id: WORKSPACE }, account: { id: 'account' }, standing: caller },
        remoteAddress: '127.0.0.1',
      };
      const calls = 100_000;
      const began = performance.now();
      for (let n = 0; n < calls; n++) throttle({ ...call, responseHeaders: {} } as unknown as PlatformCall);
      return ((performance.now() - began) / calls) * 1000;
    },
    /**
     * Microseconds that the counts add to a transaction. The median of turns, because the machine's speed varies by more than they cost,
     * and the load generator's garbage collection sometimes runs in between.
     */
    async counts({ quick }: CaseContext): Promise<number> {
      const added: number[] = [];
      for (let turn = 0; turn < (quick ? 3 : 25); turn++)
        added.push((await inTransactions(TURN, true)) - (await inTransactions(TURN, false)));
      return Math.max(0, median(added));
    },
    async close(): Promise<void> {
      await engine.close();
      await store.close();
    },
  };
}
