import { beforeEach, describe, expect, it } from 'vitest';
import { SEED_TENANT } from '../../../src/kernel/auth/index.ts';
import type { Route } from '../../../src/kernel/http/index.ts';
import { accountIdOf } from '../../../src/services/platform/accounts/found-account.ts';
import { RATE_BUCKETS, type RateBucket } from '../../../src/services/platform/limits/declared.ts';
import type { PlatformShape } from '../../../src/services/platform/operation.ts';
import { platformRoutes } from '../../../src/services/platform/routes.ts';
import { withJar } from '../../support/jars.ts';
import { type Ask, control, person } from './support.ts';

/** One test for each bucket of the rate table, made of the table itself: what is added there is tested here. */

const routesOf = ({ limit }: RateBucket): readonly Route<PlatformShape>[] =>
  (platformRoutes as readonly Route<PlatformShape>[]).filter(({ traits }) => traits?.rates?.includes(limit));

const ACCOUNT = /\{account_id\}/;

describe('the table of rate limits', () => {
  it('has an operation for every bucket', () => {
    const without = RATE_BUCKETS.filter((bucket) => routesOf(bucket).length === 0).map(({ limit }) => limit.name);
    expect(without).toEqual([]);
  });

  it('reaches every bucket at its bare path as well as below /api', () => {
    const onlyOnce = RATE_BUCKETS.filter((bucket) => {
      const paths = routesOf(bucket).map(({ path }) => path);
      return !paths.some((path) => path.startsWith('/api/')) || !paths.some((path) => !path.startsWith('/api/'));
    });
    expect(onlyOnce.map(({ limit }) => limit.name)).toEqual([]);
  });
});

withJar((bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    ask = await person(bench);
  });

  /** A call that reaches the throttle, whatever its handler says of it. */
  const call = ({ method, path }: Route): Promise<{ readonly status: number; readonly headers: Headers }> => {
    const full = path.replace(ACCOUNT, accountIdOf(SEED_TENANT)).replace(/\{\w+\*?\}/g, '1');
    return ask(method, full.startsWith('/api/') ? full : `/${full}`, method === 'GET' ? undefined : {});
  };

  describe.each(RATE_BUCKETS.map((bucket) => [bucket.limit.name, bucket] as const))('%s', (_name, bucket) => {
    it('lets its number pass on a clock that stands still, refuses one more, and lets go by the refill', async () => {
      const { limit, row } = bucket;
      const routes = routesOf(bucket);
      // The other scope of the same path must not refuse first.
      const others = new Set(routes.flatMap(({ traits }) => traits?.rates ?? []).filter((other) => other !== limit));
      for (const { name } of others) await control(bench, 'PATCH', 'limits', { name, mode: 'unlimited' });
      const statuses: number[] = [];
      // Every path and method of the bucket takes of it in turn.
      for (let i = 0; i < row.limit; i++) statuses.push((await call(routes[i % routes.length] as Route)).status);
      expect(statuses.filter((status) => status === 429)).toEqual([]);
      const refused = await call(routes[0] as Route);
      expect(refused.status).toBe(429);
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(Number.isInteger(wait)).toBe(true);
      const seconds = row.per === 'minute' ? 60 / row.limit : 1 / row.limit;
      expect(wait).toBe(Math.ceil(seconds));
      await bench.jar.clock.advance(`${wait}s`);
      expect((await call(routes[0] as Route)).status).not.toBe(429);
    });
  });

  it('a refused call says so as the platform does', async () => {
    await control(bench, 'PATCH', 'limits', { name: 'platform.rate.workspace-delete', size: 0 });
    const refused = await ask('POST', '/workspace/delete', { path: '/x' });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      error_code: 'REQUEST_LIMIT_EXCEEDED',
      message: expect.stringContaining('RPC token bucket limit has been exceeded'),
      details: [
        { reason: 'REQUEST_LIMIT_EXCEEDED', metadata: { limit: 'platform.rate.workspace-delete', raisable: 'false' } },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo' },
        { '@type': 'type.googleapis.com/google.rpc.RequestInfo' },
      ],
    });
  });
});
