import { expect, it, onTestFinished } from 'vitest';
import { LimitEngine } from '../../../../src/kernel/limits/engine.ts';
import { limitCollections } from '../../../../src/kernel/limits/index.ts';
import { openSqlite } from '../../../../src/kernel/store/sqlite/store.ts';
import { createLogger } from '../../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../../src/kernel/telemetry/metrics.ts';
import type { PlatformJar } from '../../../../src/services/platform/jar.ts';
import { quotaOf } from '../../../../src/services/platform/limits/declared.ts';
import { afterLimitChange } from '../../../../src/services/platform/limits/limit-changed.ts';
import { WAKES } from '../../../../src/services/platform/limits/wakes.ts';
import { standingClock } from '../../../kernel/limits/rows.ts';

const LIMIT = quotaOf('running-tasks');
const KIND = WAKES['running-tasks'] as string;

async function changed() {
  const store = await openSqlite({ collections: limitCollections, report: () => {} });
  const clock = standingClock();
  const log = createLogger({ level: 'warn', stream: { write: () => {} } });
  const tables = [{ service: 'platform', limits: [LIMIT] }];
  const limits = await LimitEngine.open({ store, clock, log, metrics: createMetrics(), tables });
  onTestFinished(async () => {
    await limits.close();
    await store.close();
  });
  const set = (limit: number, scope?: Record<string, string>) =>
    limits.overrides.apply([{ name: LIMIT.name, limit, ...(scope && { scope }) }]);
  const claim = async () => (await store.work.claim({ kinds: [KIND], now: clock.now(), limit: 1, leaseMs: 60_000 }))[0];
  return { jar: { store, clock, limits } as unknown as PlatformJar, set, claim };
}

it('the item of a change completes if the limit has not changed since it was read', async () => {
  const { jar, set, claim } = await changed();
  await set(2);
  await set(3, { workspace: 'one' });
  const item = await claim();
  if (!item) throw new Error('a change wakes its item');
  await afterLimitChange(item, jar, 'running-tasks', async () => {});
  expect(await claim()).toBeUndefined();
});

it('runs again if the limit, or the limit of one workspace, changes meanwhile', async () => {
  const { jar, set, claim } = await changed();
  await set(2);
  for (const scope of [undefined, { workspace: 'one' }]) {
    const item = await claim();
    if (!item) throw new Error('a change wakes its item');
    await afterLimitChange(item, jar, 'running-tasks', () => set(3, scope));
  }
  const last = await claim();
  if (!last) throw new Error('the second change was missed');
  await afterLimitChange(last, jar, 'running-tasks', async () => {});
  expect(await claim()).toBeUndefined();
});
