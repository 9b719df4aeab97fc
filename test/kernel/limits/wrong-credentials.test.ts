import { expect, it, onTestFinished } from 'vitest';
import { LimitEngine } from '../../../src/kernel/limits/engine.ts';
import { limitCollections } from '../../../src/kernel/limits/index.ts';
import type { WindowLimit } from '../../../src/kernel/limits/table.ts';
import { countWrongCredential } from '../../../src/kernel/limits/wrong-credentials.ts';
import { openSqlite } from '../../../src/kernel/store/sqlite/store.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { standingClock } from './rows.ts';

const ALLOWED = 3;
const WINDOW_MS = 60_000;
const OF_A_SOURCE: WindowLimit = {
  kind: 'window',
  window: 'fixed',
  name: 'test.wrong-secrets',
  title: 'Wrong secrets from an address',
  limit: ALLOWED,
  windowMs: WINDOW_MS,
  scope: ['source'],
};
const OF_A_USER: WindowLimit = { ...OF_A_SOURCE, name: 'test.wrong-of-user', limit: 1, scope: ['user', 'source'] };

async function counting() {
  const store = await openSqlite({ collections: limitCollections, report: () => {} });
  const clock = standingClock();
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', stream: { write: (line) => lines.push(line) } });
  const tables = [{ service: 'test', limits: [OF_A_SOURCE, OF_A_USER] }];
  const limits = await LimitEngine.open({ store, clock, log, metrics: createMetrics(), tables });
  onTestFinished(async () => {
    await limits.close();
    await store.close();
  });
  const wrong = (remoteAddress: string, user?: string) =>
    countWrongCredential({
      jar: { limits, log },
      remoteAddress,
      limits: user === undefined ? [OF_A_SOURCE] : [OF_A_USER, OF_A_SOURCE],
      ...(user !== undefined && { scopes: { user } }),
    });
  return { wrong, clock, log, lines };
}

it('too many wrong credentials from an address are refused until its time is over by the clock of the jar', async () => {
  const { wrong, clock } = await counting();
  for (let guess = 0; guess < ALLOWED; guess++) expect(await wrong('192.0.2.1')).toBeUndefined();
  const refused = await wrong('192.0.2.1');
  expect(refused).toMatchObject({ source: '192.0.2.1', maximum: ALLOWED, windowMs: WINDOW_MS });
  expect(refused?.retryAfterSeconds).toBeGreaterThan(0);
  expect(await wrong('192.0.2.2')).toBeUndefined();
  clock.time += WINDOW_MS;
  expect(await wrong('192.0.2.1')).toBeUndefined();
});

it('refused attempts are not counted, so further guesses do not extend the wait', async () => {
  const { wrong, clock } = await counting();
  for (let guess = 0; guess < 50; guess++) await wrong('192.0.2.1');
  clock.time += WINDOW_MS;
  expect(await wrong('192.0.2.1')).toBeUndefined();
});

it('all rows count, or none', async () => {
  const { wrong } = await counting();
  expect(await wrong('192.0.2.1', 'ann')).toBeUndefined();
  for (let guess = 0; guess < 9; guess++) expect(await wrong('192.0.2.1', 'ann')).toMatchObject({ maximum: 1 });
  expect(await wrong('192.0.2.1', 'bob')).toBeUndefined();
  expect(await wrong('192.0.2.1', 'cid')).toBeUndefined();
  expect(await wrong('192.0.2.1', 'dan')).toMatchObject({ maximum: ALLOWED });
});

it('all addresses of a /64 network are one source, and no other network is', async () => {
  const { wrong } = await counting();
  for (let guess = 1; guess <= ALLOWED; guess++) expect(await wrong(`2001:db8::${guess}`)).toBeUndefined();
  expect(await wrong('2001:db8::ffff:1')).toMatchObject({ source: '2001:db8:0:0::/64' });
  expect(await wrong('2001:db8:0:1::9')).toBeUndefined();
});

it('a source is logged when it reaches the limit, not with each guess', async () => {
  const { wrong, log, lines } = await counting();
  for (let guess = 0; guess < 100; guess++) await wrong('192.0.2.1');
  await log.flush();
  expect(lines.filter((line) => line.includes('wrong credentials'))).toHaveLength(1);
});

it('more addresses than the cache holds do not clear the count of an active guesser', async () => {
  const { wrong } = await counting();
  for (let guess = 0; guess < ALLOWED; guess++) await wrong('192.0.2.1');
  for (let other = 0; other < 120_000; other++) {
    await wrong(`crowd ${other}`);
    if (other % 20_000 === 0) expect(await wrong('192.0.2.1')).toBeDefined();
  }
  expect(await wrong('192.0.2.1')).toBeDefined();
});
