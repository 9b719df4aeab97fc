import { expect, it } from 'vitest';
import { openJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { bodyOfEffect, type FaultSubject, plainAnswer } from '../../../src/kernel/faults/index.ts';
import { matches } from '../../../src/kernel/faults/subject.ts';

const hook: FaultSubject = {
  direction: 'outbound',
  service: 'events',
  method: 'POST',
  path: 'https://receiver.example:8443/hooks/a%20b',
};

it.each([
  [{}, true],
  [{ path: '*' }, true],
  [{ path: 'https://receiver.example:8443/*' }, true],
  [{ path: '*/hooks/*' }, true],
  [{ path: '/hooks/*' }, true],
  [{ path: '/hooks/a b' }, true],
  [{ path: '/hook' }, false],
  [{ path: 'https://receiver.example/*' }, false],
  [{ service: 'events', method: 'POST' }, true],
  [{ service: 'business' }, false],
  [{ headers: { 'x-a': '*' } }, false],
])('an outbound request is matched by %j: %s', (match, expected) => {
  expect(matches({ direction: 'outbound', ...match }, hook)).toBe(expected);
});

it('counts outbound requests by the same rules, and returns the effect to simulate', async () => {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, memory: true, clock: 'virtual' }, env: {}, cwd: '/' });
  const running = await openJar({ config, inProcess: true });
  const { faults } = running.jar;
  try {
    expect(faults.armed).toBe(false);
    const once = await faults.add({ match: { direction: 'outbound' }, effect: { duplicate: true }, count: 1 });
    const hidden = await faults.add({ match: { direction: 'outbound' }, effect: { throttledAs500: true }, nth: 2 });
    expect(faults.armed).toBe(true);
    expect(await faults.strike(hook)).toEqual({ duplicate: true, rule: once.rule.id });
    expect(await faults.strike({ ...hook, direction: 'inbound' })).toBeUndefined();
    expect(await faults.strike(hook)).toEqual({
      status: 500,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: '429 Too Many Requests',
      rule: hidden.rule.id,
    });
    // Both are exhausted, so requests no longer check them.
    expect(faults.armed).toBe(false);
    expect((await faults.list()).map(({ counts }) => [counts.matched, counts.hits])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  } finally {
    await running.close();
  }
});

it('renders bodies as they go over the wire', () => {
  expect(bodyOfEffect({})).toBeUndefined();
  expect(bodyOfEffect({ body: 'text' })).toEqual({ contentType: 'text/plain; charset=utf-8', payload: 'text' });
  expect(bodyOfEffect({ body: null })).toEqual({ contentType: 'application/json; charset=utf-8', payload: 'null' });
  expect(plainAnswer({ drop: true })).toBeUndefined();
  expect(plainAnswer({ status: 429 })).toEqual({ status: 429, headers: { 'retry-after': '1' }, body: '' });
  expect(plainAnswer({ status: 503, headers: { 'retry-after': '9' }, body: [1] })).toEqual({
    status: 503,
    headers: { 'retry-after': '9', 'content-type': 'application/json; charset=utf-8' },
    body: '[1]',
  });
});
