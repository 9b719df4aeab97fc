import { JarError, startJar } from 'cloudjar/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

let jar;
beforeAll(async () => {
  jar = await startJar({ clockStart: new Date('2026-01-31T09:00:00Z') });
});
beforeEach(() => jar.reset());
afterAll(() => jar.close());

test('time moves when the test moves it', async () => {
  await jar.clock.advance('36h');
  expect(jar.clock.now()).toEqual(new Date('2026-02-01T21:00:00Z'));
});

test('a refusal is an error of the package', async () => {
  const error = await jar.token({ user: 'nobody' }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(JarError);
  expect(error).toMatchObject({ status: 404, code: 'UnknownUser' });
  await expect(jar.restore('nothing')).rejects.toThrow(JarError);
});

test('the jar answers while the timers of the test are faked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] });
  try {
    await jar.inbox('orders').failTimes(1);
    expect((await fetch(jar.inbox('orders').url, { method: 'POST' })).status).toBe(503);
    expect((await jar.inbox('orders').next()).answered.status).toBe(503);
    await jar.clock.advance('1h');
    await jar.settled();
  } finally {
    vi.useRealTimers();
  }
});
