import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectJar, JarError } from '../../src/client/index.ts';
import type { ConnectedJar } from '../../src/client/types/connect.d.ts';
import type { Jar } from '../../src/client/types/jar.d.ts';
import { onBothStores, SUBSCRIPTION, withJar } from '../support/jars.ts';

const SHORT = { timeoutMs: 10 };
const carol = { from: 'Carol <carol@fabrikam.example>', subject: 'Lunch', text: 'At noon?' };

onBothStores('a jar that runs elsewhere', (bench) => {
  const connected = (): ConnectedJar => connectJar({ url: bench.jar.url, adminKey: bench.jar.adminKey });

  it('is prepared, moved in time, made to fail and looked into over HTTP', async () => {
    const jar: Jar = connected();
    expect(await jar.health()).toMatchObject({ status: 'ready', clock: 'virtual' });
    const inbox = jar.inbox('Orders');
    await inbox.failTimes(1);
    await inbox.respond({ status: 202, body: { ok: true } });
    await inbox.failTimes(1, 500);
    const waiting = inbox.next(({ path }) => path.endsWith('/late'), { timeoutMs: 60_000 });
    const answers = [];
    for (const path of ['', '/second', '/late']) {
      answers.push((await fetch(inbox.url + path, { method: 'POST', body: '{"order":7}' })).status);
    }
    expect(answers).toEqual([500, 202, 202]);
    expect((await waiting).json()).toEqual({ order: 7 });
    expect((await inbox.next()).answered.status).toBe(500);
    await jar.snapshot('one-given');
    expect((await inbox.next()).path).toBe('/_jar/inbox/orders/second');
    await expect(inbox.next(undefined, SHORT)).rejects.toMatchObject({
      code: 'WaitTimedOut',
      message: expect.stringContaining('it has 3, the last ones are POST /_jar/inbox/orders (answered 500)'),
    });
    const before = await jar.clock.now();
    expect((await jar.clock.advance('36h')).now).toBe(before.getTime() + 36 * 3_600_000);
    await jar.settled();
    await jar.restore('one-given');
    expect(await jar.clock.now()).toEqual(before);
    expect((await inbox.next()).path).toBe('/_jar/inbox/orders/second');
    expect((await jar.snapshots()).map(({ name }) => name)).toEqual(['one-given']);
    await jar.deleteSnapshot('one-given');
    expect(await jar.snapshots()).toEqual([]);
    await jar.reset();
    expect(await inbox.requests()).toEqual([]);
    await fetch(inbox.url, { method: 'POST' });
    expect((await inbox.next()).id).toBe('1');
    await inbox.clear();
    expect(await inbox.requests()).toEqual([]);
  });

  it('has mailboxes to send to and to wait for', async () => {
    const mailbox = connected().mailbox('admin');
    const waiting = mailbox.waitFor({ subject: /lunch/i }, { timeoutMs: 60_000 });
    await mailbox.send(carol);
    expect(await waiting).toMatchObject({ subject: 'Lunch', from: 'carol@fabrikam.example', text: 'At noon?' });
    await expect(mailbox.waitFor({}, SHORT)).rejects.toThrow('it has 1');
    await mailbox.clear();
  });

  it('has faults, limits and deliveries', async () => {
    const jar = connected();
    const fault = await jar.faults.add({ match: { path: '/subscriptions*' }, effect: { status: 429 }, count: 1 });
    expect((await bench.call('GET', '/subscriptions?api-version=2022-12-01')).status).toBe(429);
    expect(await jar.faults.list()).toMatchObject([{ id: fault.id, hits: 1, state: 'exhausted' }]);
    await jar.faults.remove(fault.id);
    await jar.faults.clear();
    const [changed] = await jar.limits.change({ name: 'management.resource-groups', limit: 5 });
    expect(changed?.inForce.limit).toBe(5);
    expect((await jar.limits.list('management.*')).length).toBeGreaterThan(5);
    expect((await jar.limits.list()).length).toBeGreaterThan(100);
    await jar.reset();
  });

  it('shows what it delivered, and delivers it again', async () => {
    const jar = connected();
    const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/demo`;
    const topic = `${group}/providers/Vendor.EventGrid/topics/orders`;
    const subscription = `${topic}/providers/Vendor.EventGrid/eventSubscriptions/all`;
    const endpointUrl = bench.jar.inbox('orders').httpsUrl;
    await bench.call('PUT', `${group}?api-version=2025-04-01`, { body: { location: 'westeurope' } });
    await bench.call('PUT', `${topic}?api-version=2025-02-15`, { body: { location: 'westeurope' } });
    await bench.call('PUT', `${subscription}?api-version=2025-02-15`, {
      body: { properties: { destination: { endpointType: 'WebHook', properties: { endpointUrl } } } },
    });
    await jar.settled();
    await jar.clock.advance('10s');
    await jar.inbox('orders').failTimes(1, 400);
    const event = { id: '1', eventType: 'Placed', subject: '/orders/1', eventTime: '2030-01-01T00:00:00Z', data: {} };
    const published = await bench.call('POST', '/events/westeurope/orders/api/events?api-version=2018-01-01', {
      body: [{ ...event, dataVersion: '1' }],
    });
    expect(published.status).toBe(200);
    await jar.clock.advance('1s');
    const [dropped, ...others] = await jar.deliveries.list({ service: 'events', state: 'dropped' });
    const id = dropped?.id ?? '';
    expect(others).toEqual([]);
    expect(await jar.deliveries.get(id)).toMatchObject({ cause: 'refused', lastAttempt: { status: 400 } });
    await jar.deliveries.replay(id);
    await jar.settled();
    expect(await jar.deliveries.get(id)).toMatchObject({ state: 'delivered', replays: 1 });
    expect(await jar.deliveries.clear({ state: 'delivered' })).toBe(2);
    expect(await jar.deliveries.list()).toEqual([]);
    expect(await jar.deliveries.clear()).toBe(0);
    await jar.reset();
  });
});

withJar((bench) => {
  it('says what was refused, with status, code and target', async () => {
    const jar = connectJar({ url: bench.jar.url, adminKey: bench.jar.adminKey });
    const cases: [() => Promise<unknown>, object][] = [
      [() => jar.token({ user: 'nobody' }), { status: 404, code: 'UnknownUser' }],
      [() => jar.clock.advance('soon'), { status: 400, code: 'BadDuration', target: 'by' }],
      [() => bench.jar.clock.advance('soon'), { status: 400, code: 'BadDuration', target: 'by' }],
      [() => jar.restore('nothing'), { status: 404, code: 'SnapshotNotFound' }],
      [() => bench.jar.restore('nothing'), { status: 404, code: 'SnapshotNotFound' }],
      [() => jar.inbox('orders').respond({ status: 99 }), { status: 400, target: 'status' }],
      [() => jar.deliveries.get('none'), { status: 404 }],
      [() => jar.deliveries.get(''), { code: 'IdMissing' }],
      [() => jar.faults.remove(''), { code: 'IdMissing' }],
      [() => jar.limits.change({ name: 'no.such', limit: 1 }), { status: 404 }],
      [() => connectJar({ url: bench.jar.url }).token(), { status: 401, code: 'AdminKeyMissing' }],
      [
        () => connectJar({ url: bench.jar.url, adminKey: 'another-key' }).token(),
        { status: 403, code: 'AdminKeyWrong' },
      ],
    ];
    for (const [refused, expected] of cases) {
      const error = await refused().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(JarError);
      expect(error).toMatchObject(expected);
    }
    expect(() => jar.inbox('../clock')).toThrow("'../clock' is not a valid name of an inbox");
    expect(() => jar.mailbox('')).toThrow('the name of the mailbox is empty');
  });

  it('uses HTTPS if a CA is given', async () => {
    const { httpsUrl: url, adminKey, ca } = bench.jar;
    expect(await connectJar({ url, adminKey, ca }).ca()).toBe(ca);
    const env = { CLOUDJAR_URL: bench.jar.url, CLOUDJAR_ADMIN_KEY: adminKey, CLOUDJAR_CA: '' };
    expect((await connectJar.fromEnv(env).keys()).translator).toBeTypeOf('string');
  });

  it('is waited for until it is ready', async () => {
    await connectJar({ url: bench.jar.url }).ready();
    await expect(connectJar({ url: 'http://127.0.0.1:1' }).ready(SHORT)).rejects.toMatchObject({
      code: 'WaitTimedOut',
      message: expect.stringMatching(/^the jar at http:\/\/127\.0\.0\.1:1 is not ready after 10 ms: no jar answers at/),
    });
  });
});

describe('an address', () => {
  it('at which nothing or something else listens is called so', async () => {
    await expect(connectJar({ url: 'http://127.0.0.1:1' }).health()).rejects.toMatchObject({
      code: 'JarUnreachable',
      status: undefined,
      message: expect.stringContaining('no jar answers at http://127.0.0.1:1: connect ECONNREFUSED'),
    });
    const server = createServer((_request, response) => response.end('<html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const ask of [connectJar({ url }).health, connectJar({ url }).keys]) {
      await expect(ask()).rejects.toMatchObject({ code: 'NotAJar', status: 200 });
    }
  });

  it('or an invalid option is refused immediately', () => {
    expect(() => connectJar({ url: 'localhost:7400' })).toThrow(
      "must begin with http:// or https://, but it is 'localhost:7400'",
    );
    expect(() => connectJar({ key: 'x' } as object)).toThrow(
      "connectJar has no option 'key'; it has url, adminKey, ca",
    );
  });
});
