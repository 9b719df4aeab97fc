import { expect, it } from 'vitest';
import { admitSource, type CountingJar, noteWrongToken } from '../../../../src/services/lifecycle/access/sources.ts';
import { Suspects } from '../../../../src/services/lifecycle/access/suspects.ts';

const MOST_SUSPECTS = 10_000;
const ALLOWED = 3;

/** Enough of a jar to count wrong tokens in. */
function counting(): CountingJar {
  const used = new Map<string, number>();
  const take = async ([{ scope, cost = 1 }]: [{ scope: [string]; cost?: number }]) => {
    const [source] = scope;
    const before = used.get(source) ?? 0;
    const allowed = before + cost <= ALLOWED;
    if (allowed) used.set(source, before + cost);
    return { allowed, readings: [{ remaining: Math.max(0, ALLOWED - before - cost) }], retryAfterSeconds: 1 };
  };
  const rule = ({ mode = 'enforced' }) => ({ mode, maximum: ALLOWED, windowMs: 60_000 });
  const limits = { take, overrides: { of: rule } };
  const suspects = new Suspects();
  return { limits, clock: { now: () => 0 }, log: { warn: () => {} }, suspects } as unknown as CountingJar;
}

it('who goes on guessing is not forgotten for a crowd of others who guess', async () => {
  const jar = counting();
  const guesser = { jar, remoteAddress: '192.0.2.1' };
  for (let guess = 0; guess < ALLOWED; guess++) await noteWrongToken(guesser);
  for (let other = 0; other < 2 * MOST_SUSPECTS; ) {
    for (const end = other + 3000; other < end; other++) await noteWrongToken({ jar, remoteAddress: `crowd ${other}` });
    await expect(admitSource(guesser)).rejects.toMatchObject({ status: 429 });
  }
  await expect(admitSource(guesser)).rejects.toMatchObject({ status: 429 });
  expect(admitSource({ jar, remoteAddress: '192.0.2.2' })).toBe(undefined);
});

it('who has a network of addresses is one and the same from each of them, and nobody else', async () => {
  const jar = counting();
  const from = (remoteAddress: string) => ({ jar, remoteAddress });
  for (let guess = 1; guess <= ALLOWED; guess++) await noteWrongToken(from(`2001:db8::${guess}`));
  await expect(noteWrongToken(from('2001:db8::ffff:1'))).rejects.toMatchObject({ status: 429 });
  await expect(admitSource(from('2001:db8::9'))).rejects.toThrow('Too many wrong API tokens from 2001:db8:0:0::/64');
  expect(admitSource(from('2001:db8:0:1::9'))).toBe(undefined);
});
