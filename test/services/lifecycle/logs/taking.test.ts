import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { customProperties, device, event, page, post, postBody, type SentLog, startSession } from '../sdk.ts';
import { administrator, makeApp, person } from '../support.ts';

const START = '2026-03-10T12:00:00.000Z';
const PHONE = '0a0a0a0a-0000-4000-8000-00000000000a';

withJar(
  (bench) => {
    const anApp = async () => {
      const owner = await administrator(bench);
      const name = `app-${randomUUID()}`;
      const app = await makeApp(owner, name);
      const ask = async (path: string) => (await owner.call('GET', `/apps/admin/${name}/analytics${path}`)).body;
      const events = async (period = 'start=2026-03-10') => {
        const { events } = await ask(`/events?${period}&$top=0`);
        return Object.fromEntries(events.map((each: { name: string; count: number }) => [each.name, each.count]));
      };
      return { app, name, owner, ask, events };
    };

    const container = (...logs: unknown[]) => JSON.stringify({ logs });
    const aLog = { type: 'event', name: 'x', device: device() };

    it.each([
      ['no secret of an app', { 'app-secret': '' }, container(aLog), 401, 'AppSecretDenied'],
      ['a secret in braces', { 'app-secret': `{${randomUUID()}}` }, container(aLog), 401, 'AppSecretDenied'],
      ['a secret of no app', { 'app-secret': randomUUID() }, container(aLog), 401, 'AppSecretDenied'],
      ['no device', { 'install-id': '' }, container(aLog), 400, 'InvalidInstallId'],
      ['a device without a GUID', { 'install-id': 'phone' }, container(aLog), 400, 'InvalidInstallId'],
      ['something else than JSON', {}, '{"logs":', 400, 'InvalidLogContainer'],
      ['an array', {}, '[]', 400, 'InvalidLogContainer'],
      ['logs that are no array', {}, '{"logs":{}}', 400, 'InvalidLogContainer'],
      ['no logs', {}, container(), 400, 'NoValidLogsFoundInLogContainer'],
      ['a log that is a text', {}, container('event'), 400, 'NoValidLogsFoundInLogContainer'],
      ['a log without a type', {}, container({ device: {} }), 400, 'NoValidLogsFoundInLogContainer'],
      ['a log without a device', {}, container({ type: 'event', name: 'x' }), 400, 'NoValidLogsFoundInLogContainer'],
      ['an event without a name', {}, container({ ...aLog, name: '' }), 400, 'NoValidLogsFoundInLogContainer'],
      [
        'a session without an id',
        {},
        container({ ...aLog, type: 'startSession' }),
        400,
        'NoValidLogsFoundInLogContainer',
      ],
      ['more logs than are taken', {}, container(...new Array(5001).fill({})), 400, 'InvalidLogContainer'],
      ['an unknown packing', { 'content-encoding': 'br' }, container(aLog), 415, 'UnsupportedContentEncoding'],
      ['something that is not packed', { 'content-encoding': 'gzip' }, container(aLog), 400, 'InvalidLogContainer'],
      [
        'logs that unpack to far more than may be sent',
        { 'content-encoding': 'gzip' },
        gzipSync(Buffer.alloc(21 * 1024 * 1024, 32)),
        413,
        'LogContainerTooLarge',
      ],
    ] as const)('are refused with %s', async (_, headers, body, status, code) => {
      const { app, events } = await anApp();
      const reply = await postBody(bench, body, { 'app-secret': app.app_secret, 'install-id': PHONE, ...headers });
      expect(reply.status, reply.text).toBe(status);
      expect(reply.body).toEqual({
        status: code,
        message: expect.any(String),
        validDiagnosticsIds: [],
        throttledDiagnosticsIds: [],
        correlationId: expect.any(String),
      });
      expect(await events()).toEqual({});
    });

    it('are accepted without invalid logs and unknown types', async () => {
      const { app, events } = await anApp();
      const logs = [event('Read'), { type: 'event' }, { type: 'fromTheFuture' }, page('A page')];
      expect((await post(bench, app, PHONE, logs)).status).toBe(200);
      expect(await events()).toEqual({ Read: 1 });
      expect((await post(bench, app, PHONE, [{ type: 'fromTheFuture' }])).status).toBe(200);
      const { text } = await bench.call('GET', '/_jar/metrics', {
        token: null,
        headers: { authorization: `Bearer ${bench.jar.adminKey}` },
      });
      expect(text).toMatch(/cloudjar_lifecycle_ignored_logs_total \d+/);
    });

    it('count once, however often a device that got no answer sends them', async () => {
      const { app, ask, events } = await anApp();
      const session = startSession({ sid: randomUUID() });
      const bought = event('Bought', { what: 'pen' }, { sid: session.sid });
      const batch = [session, bought, bought];
      const replies = await Promise.all([1, 2, 3, 4].map(() => post(bench, app, PHONE, batch)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      // The same identifier in other casing, together with a new log.
      await post(bench, app, PHONE.toUpperCase(), [
        { ...session, sid: (session.sid as string).toUpperCase() },
        { ...bought, id: (bought.id as string).toUpperCase() },
        event('Looked'),
      ]);
      expect(await events()).toEqual({ Bought: 1, Looked: 1 });
      expect(await ask('/session_counts?start=2026-03-10&interval=P1D')).toMatchObject([{ count: 1 }]);
      const { values } = await ask('/events/Bought/properties/what/counts?start=2026-03-10');
      expect(values).toEqual([{ name: 'pen', count: 1, previous_count: 0 }]);
    });

    it.each([
      ['a minute ago', '2026-03-10T11:59:00.000Z', '2026-03-10'],
      ['eighty-nine days ago', '2025-12-11T13:00:00.000Z', '2025-12-11'],
      ['in the future', '2026-03-12T00:00:00.000Z', '2026-03-10'],
      ['longer ago than is kept', '2025-12-01T00:00:00.000Z', '2026-03-10'],
      ['at no time', 'yesterday', '2026-03-10'],
      ['at a time that is no text', 7, '2026-03-10'],
    ])('that tell of something %s count on the right day', async (_, timestamp, day) => {
      const { app, ask } = await anApp();
      await post(bench, app, PHONE, [event('Then', {}, { timestamp })]);
      const { count } = await ask('/events/Then/event_count?start=2025-12-01');
      expect(count.filter((each: { count: number }) => each.count > 0)).toEqual([
        { datetime: `${day}T00:00:00.000Z`, count: 1 },
      ]);
    });

    it('are cut to what SDKs would send', async () => {
      const { app, ask, events } = await anApp();
      const many = Object.fromEntries(Array.from({ length: 25 }, (__, i) => [`p${i}`, String(i)]));
      await post(bench, app, PHONE, [
        event('n'.repeat(300)),
        event('Many', many),
        event('Long', { ['k'.repeat(130)]: 'v'.repeat(130) }),
        event(
          'Odd',
          {},
          {
            typedProperties: [
              null,
              { name: 'ok', value: 1.5 },
              { name: '', value: 'x' },
              { name: '__proto__', value: 'p' },
              { name: 'o', value: {} },
            ],
          },
        ),
        event('Old', {}, { typedProperties: undefined, properties: { way: 'to say it' } }),
      ]);
      expect(Object.keys(await events()).map((name) => name.length)).toContain(256);
      expect((await ask('/events/Many/properties')).event_properties).toHaveLength(20);
      const [key] = (await ask('/events/Long/properties')).event_properties;
      expect(key).toBe('k'.repeat(125));
      expect((await ask(`/events/Long/properties/${key}/counts?start=2026-03-10`)).values[0].name).toBe(
        'v'.repeat(125),
      );
      expect((await ask('/events/Odd/properties')).event_properties).toEqual(['ok', '__proto__']);
      expect((await ask('/events/Odd/properties/__proto__/counts?start=2026-03-10')).values).toMatchObject([
        { name: 'p' },
      ]);
      expect((await ask('/events/Old/properties/way/counts?start=2026-03-10')).total).toBe(1);
    });

    it('count events of two hundred names, and no others', async () => {
      const { app, events, owner, name } = await anApp();
      const named = (from: number, to: number): SentLog[] =>
        Array.from({ length: to - from }, (__, i) => event(`e${from + i}`));
      await post(bench, app, PHONE, named(0, 150));
      await post(bench, app, PHONE, [...named(100, 210), event('e1')]);
      const counted = await events();
      expect(Object.keys(counted)).toHaveLength(200);
      expect(counted.e1).toBe(2);
      await owner.call('DELETE', `/apps/admin/${name}/analytics/events/e1`);
      await post(bench, app, PHONE, [event('another')]);
      expect(await events()).toMatchObject({ another: 1 });
    });

    it('of the time before midnight and after it belong to one session', async () => {
      const { app, ask } = await anApp();
      const sid = randomUUID();
      const at = (timestamp: string) => ({ sid, timestamp });
      await post(bench, app, PHONE, [
        startSession(at('2026-03-08T23:50:00Z')),
        page('Home', at('2026-03-08T23:59:00Z')),
      ]);
      await post(bench, app, PHONE, [page('Home', at('2026-03-09T00:10:00Z'))]);
      // Logs of a session may arrive before its start.
      const other = randomUUID();
      await post(bench, app, PHONE, [page('Home', { sid: other, timestamp: '2026-03-09T10:00:10Z' })]);
      expect(
        (await ask('/session_counts?start=2026-03-08&interval=P1D')).map((each: { count: number }) => each.count),
      ).toEqual([1, 0, 0]);
      await post(bench, app, PHONE, [startSession({ sid: other, timestamp: '2026-03-09T10:00:00Z' })]);
      expect(
        (await ask('/session_counts?start=2026-03-08&interval=P1D')).map((each: { count: number }) => each.count),
      ).toEqual([1, 1, 0]);
      const { distribution } = await ask('/session_durations_distribution?start=2026-03-08');
      expect(distribution.filter((each: { count: number }) => each.count > 0)).toEqual([
        { bucket: '0-30s', count: 1 },
        { bucket: '1-30min', count: 1 },
      ]);
    });

    it('of a blocked device are taken and thrown away, and then those of the whole app', async () => {
      const { app, name, owner, events } = await anApp();
      const block = (path = '') => owner.call('PUT', `/apps/admin/${name}/devices/block_logs${path}`, {});
      await post(bench, app, PHONE, [event('Before')]);
      expect((await block(`/${PHONE.toUpperCase()}`)).status).toBe(200);
      expect((await block(`/${PHONE}`)).status).toBe(200);
      expect((await block('/phone')).body).toEqual({
        error: { code: 400, message: "The 'install_id' must be a GUID." },
      });
      expect((await post(bench, app, PHONE, [event('After')])).body.status).toBe('Success');
      await post(bench, app, randomUUID(), [event('Other')]);
      expect(await events()).toEqual({ Before: 1, Other: 1 });
      const developer = await person(bench, 'dev');
      await owner.call('POST', `/apps/admin/${name}/invitations`, { user_email: developer.email, role: 'developer' });
      expect((await developer.call('PUT', `/apps/admin/${name}/devices/block_logs`, {})).status).not.toBe(200);
      expect((await block()).status).toBe(200);
      expect((await post(bench, app, randomUUID(), [event('Late'), customProperties({ a: 1 })])).status).toBe(200);
      expect(await events()).toEqual({ Before: 1, Other: 1 });
    });

    it('are denied to an app that is gone', async () => {
      const { app, name, owner } = await anApp();
      await post(bench, app, PHONE, [event('Here')]);
      expect((await owner.call('DELETE', `/apps/admin/${name}`)).status).toBe(204);
      expect((await post(bench, app, PHONE, [event('Gone')])).status).toBe(401);
      await bench.jar.settled();
    });
  },
  { clockStart: START },
);
