import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { ApiError } from '../../../src/kernel/http/errors.ts';
import type { ApiFamily } from '../../../src/kernel/http/family.ts';
import { ok } from '../../../src/kernel/http/route.ts';
import {
  type BucketLimit,
  bucketOf,
  type ConcurrencyLimit,
  limitStep,
  type RateLimit,
} from '../../../src/kernel/limits/index.ts';
import { route } from '../../../src/kernel/service/routes.ts';
import type { Service } from '../../../src/kernel/service/service.ts';
import { SERVICES } from '../../../src/services.ts';
import { withJar } from '../../support/jars.ts';
import { stopRedisAfterwards, useRedis } from '../../support/use-redis.ts';
import { wholeService } from '../../support/whole-service.ts';

/** A small model of the data platform: a service that declares its limits as rows and assigns them to routes. */
const LIST: BucketLimit = {
  kind: 'bucket',
  name: 'things.list',
  title: 'Lists in a workspace',
  scope: ['workspace'],
  ...bucketOf(2, 1),
};
const PER_ADDRESS: BucketLimit = {
  kind: 'bucket',
  name: 'things.per-address',
  title: 'Requests from an address',
  scope: ['address'],
  ...bucketOf(100, 1),
};
const CHARACTERS: RateLimit = {
  kind: 'window',
  window: 'sliding',
  name: 'things.characters',
  title: 'Characters an hour',
  scope: ['workspace'],
  unit: 'characters',
  limit: 10,
  windowMs: 3_600_000,
};
const RUNNING: ConcurrencyLimit = {
  kind: 'concurrency',
  name: 'things.running',
  title: 'Requests that run in a workspace',
  scope: ['workspace'],
  limit: 2,
};

const FAMILY: ApiFamily = {
  ...(SERVICES[0] as Service).family,
  name: 'things',
  // It ignores headers; Retry-After is added nevertheless.
  renderError: ({ status, code, message }) => ({ status, body: { error: { code, message } } }),
  finished: undefined,
  unmatched: undefined,
  steps: [
    limitStep({
      limits: ({ route: { traits = {} } }) => ('limits' in traits ? (traits.limits as readonly RateLimit[]) : []),
      scopes: {
        workspace: (call) => String(call.headers['x-workspace'] ?? 'w'),
        address: (call) => call.remoteAddress,
      },
      cost: (call, limit) => (limit === CHARACTERS ? Number(call.headers['x-characters'] ?? 0) : 1),
      remaining: new Map([[LIST, 'x-left']]),
      refuse: ({ refusedBy, exceedsMaximum }) =>
        new ApiError(
          exceedsMaximum ? 400 : 429,
          'REQUEST_LIMIT_EXCEEDED',
          `The limit '${refusedBy?.title}' is exceeded.`,
        ),
    }),
  ],
};

let running = 0;
let finish: () => void = () => {};
let gate = new Promise<void>((resolve) => {
  finish = resolve;
});

const thing = (name: string, limits: readonly RateLimit[], handle = () => Promise.resolve()) =>
  route({
    method: 'GET',
    path: `/things/${name}`,
    operation: `Things_${name}`,
    summary: name,
    open: true,
    traits: { limits },
    responses: { 200: Type.Object({}) },
    async handle() {
      await handle();
      return ok({});
    },
  });

const THINGS = wholeService({
  name: 'things',
  title: 'Things',
  family: FAMILY,
  mounts: ['/things'],
  routes: [
    thing('list', [LIST, PER_ADDRESS]),
    thing('shared', [LIST]),
    thing('text', [CHARACTERS]),
    thing('slow', [RUNNING], async () => {
      running++;
      await gate;
      running--;
    }),
    thing('free', []),
  ],
  limits: [LIST, PER_ADDRESS, CHARACTERS, RUNNING],
});

const PATIENT = { timeout: 120_000 };

stopRedisAfterwards();

const options = { services: [...SERVICES, THINGS], clock: 'shifted' as const };

withJar((bench) => {
  const get = (name: string, headers: Record<string, string> = {}) =>
    bench.call('GET', `/things/${name}`, { token: null, headers });

  it('two routes share a row, workspaces do not, and the refusal says when to come back', async () => {
    await bench.jar.reset();
    expect((await get('list')).headers.get('x-left')).toBe('1');
    expect((await get('shared')).headers.get('x-left')).toBe('0');
    const refused = await get('list');
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { message: "The limit 'Lists in a workspace' is exceeded." } },
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await get('list', { 'x-workspace': 'other' })).status).toBe(200);
    expect((await get('free')).status).toBe(200);
  });

  it('reads of the console take nothing', async () => {
    await bench.jar.reset();
    for (let n = 0; n < 3; n++) expect((await get('list', { 'x-cloudjar-console': '1' })).status).toBe(200);
    expect((await get('list')).headers.get('x-left')).toBe('1');
  });

  it('a call without a caller is known by its address when it comes back too early', async () => {
    await bench.jar.reset();
    for (let n = 0; n < 4; n++) await get('shared');
    const { body } = await bench.call('GET', '/_jar/limits?name=things.list', { token: bench.jar.adminKey });
    expect(body.value[0].earlyRetries).toMatchObject([{ client: expect.stringMatching(/127\.0\.0\.1|::1/), times: 1 }]);
  });

  it('a request can cost more than one, and more than there ever is', async () => {
    await bench.jar.reset();
    expect((await get('text', { 'x-characters': '7' })).status).toBe(200);
    const refused = await get('text', { 'x-characters': '4' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await get('text', { 'x-characters': '11' })).status).toBe(400);
    expect((await get('text', { 'x-characters': '3' })).status).toBe(200);
  });

  it('slots are free again when the request ends, also when its client goes away', async () => {
    const slow = (signal?: AbortSignal) => fetch(`${bench.jar.url}/things/slow`, { ...(signal && { signal }) });
    const left = new AbortController();
    const first = slow();
    const second = slow(left.signal).catch(() => 'gone');
    await expect.poll(() => running, PATIENT).toBe(2);
    expect((await get('slow')).status).toBe(429);
    left.abort();
    expect(await second).toBe('gone');
    const used = async () => {
      const { body } = await bench.call('GET', '/_jar/limits?name=things.running', { token: bench.jar.adminKey });
      return body.value[0].use.map((each: { used: number }) => each.used);
    };
    await expect.poll(used, PATIENT).toEqual([1]);
    const third = slow();
    // The handler of the disconnected call still runs, but only calls with a waiting client count.
    await expect.poll(() => running, PATIENT).toBe(3);
    finish();
    expect((await first).status).toBe(200);
    expect((await third).status).toBe(200);
    await expect.poll(used, PATIENT).toEqual([]);
  });
}, options);

it('the same rows count in Redis', async ({ skip }) => {
  const redis = await useRedis({ skip });
  const { startJar } = await import('../../../src/testing/index.ts');
  const jar = await startJar({ ...options, redisUrl: redis.url });
  gate = Promise.resolve();
  const statuses: number[] = [];
  for (let n = 0; n < 3; n++) statuses.push((await fetch(`${jar.url}/things/list`)).status);
  expect(statuses).toEqual([200, 200, 429]);
  for (let n = 0; n < 5; n++) expect((await fetch(`${jar.url}/things/slow`)).status).toBe(200);
  const answer = await fetch(`${jar.url}/_jar/limits?name=things.list`, {
    headers: { authorization: `Bearer ${jar.adminKey}` },
  });
  const { value } = (await answer.json()) as { value: { use: unknown[]; refusals: number }[] };
  expect(value[0]).toMatchObject({ use: [{ scope: { workspace: 'w' }, maximum: 2 }], refusals: 1 });
  await jar.close();
});
