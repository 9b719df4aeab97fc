import { describe, expect, test } from 'vitest';
import { SERVICES } from '../../src/services.ts';
import { onBothStores, withJar } from '../support/jars.ts';
import { DUE } from './due-services.ts';

const START = '2026-01-31T09:00:00.000Z';
const HOUR = 3_600_000;
const after = (ms: number): string => new Date(Date.parse(START) + ms).toISOString();

onBothStores(
  'an advance',
  (bench) => {
    const control = (method: string, path: string, body?: unknown) =>
      bench.call(method, `/_jar${path}`, { token: bench.jar.adminKey, body });
    const due = async (kind: string, about: string, delay: number, count?: number) =>
      expect((await bench.call('POST', '/due', { body: { kind, about, in: delay, count } })).status).toBe(200);

    test('is previewed: what would run, by kind and in order, while nothing changes', async () => {
      await bench.jar.reset();
      await due('remind', 'the dentist', 2 * HOUR);
      await due('plain', 'a', HOUR, 2);
      await due('repeat', 'b', HOUR + 1);
      await due('remind', 'later', 48 * HOUR);
      const before = (await control('GET', '/work')).body;

      const previewed = await control('GET', '/clock/preview?by=36h');
      expect(previewed.status).toBe(200);
      const { value, byKind, ...rest } = previewed.body;
      expect(rest).toEqual({
        from: START,
        to: after(36 * HOUR),
        total: 4,
        more: false,
        recurring: [{ kind: 'due.repeat', title: 'Repeats itself every hour' }],
        note: expect.stringContaining('retries'),
      });
      expect(byKind).toEqual([
        { kind: 'due.plain', count: 2, firstAt: after(HOUR), lastAt: after(HOUR + 1) },
        {
          kind: 'due.repeat',
          title: 'Repeats itself every hour',
          count: 1,
          firstAt: after(HOUR + 1),
          lastAt: after(HOUR + 1),
        },
        { kind: 'due.remind', title: 'Reminds somebody', count: 1, firstAt: after(2 * HOUR), lastAt: after(2 * HOUR) },
      ]);
      expect(value).toEqual([
        { id: 'plain/a/0', kind: 'due.plain', dueAt: after(HOUR) },
        { id: 'plain/a/1', kind: 'due.plain', dueAt: after(HOUR + 1) },
        { id: 'repeat/b/0', kind: 'due.repeat', dueAt: after(HOUR + 1) },
        { id: 'remind/the dentist/0', kind: 'due.remind', subject: 'the dentist', dueAt: after(2 * HOUR) },
      ]);
      expect((await control('GET', `/clock/preview?to=${after(36 * HOUR)}`)).body).toEqual(previewed.body);
      expect((await control('GET', `/clock/preview?by=${36 * HOUR}`)).body).toEqual(previewed.body);
      expect((await control('GET', '/work')).body).toEqual(before);
      expect((await control('GET', '/clock')).body.now).toBe(START);
      expect((await control('GET', `/clock/preview?to=${START}`)).body).toMatchObject({
        total: 0,
        value: [],
        byKind: [],
      });
    });

    test('leaves parked work out of its preview, and lists no more than 100 items of many', async () => {
      await bench.jar.reset();
      await due('fail', 'twice', 0);
      await control('POST', '/clock/advance', { by: '1h' });
      expect((await control('GET', '/work')).body.value).toMatchObject([{ state: 'parked' }]);
      await due('remind', 'many', HOUR, 150);
      const { body } = await control('GET', '/clock/preview?by=2h');
      expect(body).toMatchObject({ total: 150, more: true, byKind: [{ kind: 'due.remind', count: 150 }] });
      expect(body.value).toHaveLength(100);
      expect(body.value[99].id).toBe('remind/many/99');
    });

    test('tells what ran and what failed', async () => {
      await bench.jar.reset();
      await due('fail', 'twice', HOUR);
      await due('remind', 'the dentist', 2 * HOUR);
      const { status, body } = await control('POST', '/clock/advance', { by: '3h' });
      expect(status).toBe(200);
      expect(body).toMatchObject({ now: after(3 * HOUR), fired: 3, more: false });
      expect(body.work).toEqual([
        { kind: 'due.fail', title: 'Fails', count: 2, failed: 2 },
        { kind: 'due.remind', title: 'Reminds somebody', count: 1, failed: 0 },
      ]);
      expect(body.items).toMatchObject([
        { id: 'fail/twice/0', subject: 'twice', at: after(HOUR), outcome: 'retried' },
        { id: 'fail/twice/0', outcome: 'parked' },
        { id: 'remind/the dentist/0', subject: 'the dentist', at: after(2 * HOUR), outcome: 'completed' },
      ]);
    });

    test('runs more than the preview counts if work repeats itself, and counts all of it', async () => {
      await bench.jar.reset();
      await due('repeat', 'b', HOUR);
      expect((await control('GET', '/clock/preview?by=3d')).body.total).toBe(1);
      expect((await control('POST', '/clock/advance', { by: '3d' })).body).toMatchObject({
        fired: 72,
        work: [{ kind: 'due.repeat', count: 72, failed: 0 }],
        more: false,
      });
      const { body } = await control('POST', '/clock/advance', { by: '5d' });
      expect(body).toMatchObject({ fired: 120, more: true });
      expect(body.items).toHaveLength(100);
    });

    test('goes to a time, and to no time that has passed', async () => {
      await bench.jar.reset();
      const to = after(HOUR);
      expect((await control('POST', '/clock/advance', { to })).body).toMatchObject({ now: to, fired: 0, work: [] });
      expect((await control('POST', '/clock/advance', { to })).body).toMatchObject({ now: to });
      const offset = '2026-01-31T13:30:00+02:30';
      expect((await control('POST', '/clock/advance', { to: offset })).body).toMatchObject({ now: after(2 * HOUR) });
      for (const reply of [
        await control('POST', '/clock/advance', { to }),
        await control('GET', `/clock/preview?to=${to}`),
      ]) {
        expect(reply).toMatchObject({ status: 400, body: { error: { code: 'BadTime', target: 'to' } } });
        expect(reply.body.error.message).toContain('in the past');
      }
      expect((await control('GET', '/clock')).body.now).toBe(after(2 * HOUR));
    });

    test.each([
      [{}, 'AdvanceTarget', 'by'],
      [{ by: '1h', to: '2099-01-01T00:00:00Z' }, 'AdvanceTarget', 'to'],
      [{ by: 'soon' }, 'BadDuration', 'by'],
      [{ by: '-1h' }, 'BadDuration', 'by'],
      [{ by: '200y' }, 'BadDuration', 'by'],
      [{ by: '' }, 'BadDuration', 'by'],
      [{ to: 'tomorrow' }, 'BadTime', 'to'],
      [{ to: '2099-02-30T00:00:00Z' }, 'BadTime', 'to'],
      [{ to: '2099-01-01T00:00:00' }, 'BadTime', 'to'],
      [{ to: '9999-12-31T23:59:59-05:00' }, 'BadTime', 'to'],
      [{ by: '1h', from: 'now' }, undefined, undefined],
    ])('and its preview refuse %j', async (asked, code, target) => {
      const before = (await control('GET', '/clock')).body.now;
      const refused = { status: 400, body: { error: { ...(code && { code }), ...(target && { target }) } } };
      expect(await control('GET', `/clock/preview?${new URLSearchParams({ ...asked })}`)).toMatchObject(refused);
      expect(await control('POST', '/clock/advance', asked)).toMatchObject(refused);
      expect((await control('GET', '/clock')).body.now).toBe(before);
    });

    test('shows titles and subjects in the list of due work', async () => {
      await bench.jar.reset();
      await due('remind', 'https://vendor.example/hook?code=s3cret', HOUR);
      await due('plain', 'a', 2 * HOUR);
      const { value } = (await control('GET', '/work')).body;
      expect(value).toMatchObject([{ title: 'Reminds somebody', kind: 'due.remind' }, { kind: 'due.plain' }]);
      expect(value[0].subject).toBe('https://vendor.example/hook?code=[redacted]');
      expect(value[1]).not.toHaveProperty('title');
      expect((await control('GET', '/work/plain%2Fa%2F0')).body).toEqual(value[1]);
    });
  },
  { services: [...SERVICES, DUE], clockStart: START },
);

describe('a system clock', () => {
  withJar(
    (bench) => {
      test('has no preview, as it has no advance', async () => {
        const reply = await bench.call('GET', '/_jar/clock/preview?by=1h', { token: bench.jar.adminKey });
        expect(reply).toMatchObject({ status: 409, body: { error: { code: 'ClockFixed' } } });
      });
    },
    { clock: 'system' },
  );
});

test('every kind of due work of every service has a title', () => {
  const kinds = SERVICES.flatMap(({ work = [] }) => work);
  expect(kinds.length).toBeGreaterThan(100);
  expect(kinds.filter(({ title }) => title === undefined).map(({ kind }) => kind)).toEqual([]);
});
