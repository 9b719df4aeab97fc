import { expect, test } from 'vitest';
import type { DeliveryPolicy } from '../../src/kernel/delivery/index.ts';
import { answering } from '../kernel/delivery/receivers.ts';
import { HOUR, MINUTE, START_MS, sending } from '../kernel/delivery/sender.ts';

const base = { service: 'sender', plainHttp: true, schedule: [MINUTE], maxAttempts: 2 } as const;
const policies: DeliveryPolicy[] = [
  { ...base, name: 'test.one' },
  { ...base, name: 'test.two', circuit: { afterFailures: 1, probationMs: [HOUR] } },
];

const AFTER_PROBATION = new Date(START_MS + HOUR).toISOString();

sending('the deliveries of the control API', policies, (sender) => {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  async function call(method: string, path: string): Promise<{ status: number; body: any; text: string }> {
    const { url, adminKey } = sender.running;
    const response = await fetch(path.startsWith('http') ? path : `${url}/_jar/deliveries${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}` },
    });
    const text = await response.text();
    return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
  }

  test('are listed newest first, filtered and paged', async () => {
    const good = await sender.receiver();
    const bad = await sender.receiver(answering(404));
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) {
      const [id = ''] = await sender.enqueue({
        policy: 'test.one',
        destination: i % 2 ? 'good' : 'bad',
        owner: `owner-${i % 3}`,
        subject: `subject-${i}`,
        url: `${i % 2 ? good.url : bad.url}/hook?code=secret`,
        body: '1',
      });
      ids.push(id);
      await sender.settled();
      await sender.running.advance('1s');
    }
    const all = await call('GET', '');
    expect(all.body.value.map((each: { id: string }) => each.id)).toEqual(ids.toReversed());
    expect(all.text).not.toContain('secret');
    expect(all.body.value[0]).toMatchObject({
      state: 'delivered',
      address: `${good.url}/hook`,
      cause: 'delivered',
      rule: '200: delivered by policy test.one',
      lastAttempt: { number: 1, status: 200, outcome: 'Succeeded' },
    });
    const idsOf = async (query: string) =>
      (await call('GET', query)).body.value.map((each: { id: string }) => ids.indexOf(each.id));
    expect(await idsOf('?$orderby=id')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await idsOf('?state=dropped')).toEqual([4, 2, 0]);
    expect(await idsOf('?state=delivered&owner=owner-1')).toEqual([1]);
    expect(await idsOf('?outcome=NotFound&status=404&destination=bad&policy=test.one&service=sender')).toEqual([
      4, 2, 0,
    ]);
    expect(await idsOf('?subject=subject-3')).toEqual([3]);
    const at = (seconds: number) => encodeURIComponent(new Date(START_MS + seconds * 1000).toISOString());
    expect(await idsOf(`?from=${at(2)}&to=${at(4)}`)).toEqual([4, 3, 2]);
    expect(await idsOf(`?from=${at(2)}&to=${at(4)}&$orderby=id`)).toEqual([2, 3, 4]);
    expect(await idsOf('?state=queued&policy=test.one&destination=good')).toEqual([]);

    const first = await call('GET', '?$top=2&state=dropped');
    expect(first.body.value).toHaveLength(2);
    const second = await call('GET', first.body.nextLink);
    expect(second.body.value.map((each: { id: string }) => each.id)).toEqual([ids[0]]);
    expect(second.body.nextLink).toBeUndefined();
    const token = new URL(first.body.nextLink).searchParams.get('$skiptoken');
    expect(await call('GET', `?$skiptoken=${token}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'BadSkipToken', target: '$skiptoken' } },
    });
  });

  test('are found, sent again and removed by what an OData filter says', async () => {
    const receiver = await sender.receiver(answering(404, 410, 200));
    const to = { policy: 'test.one', url: receiver.url };
    const ids: string[] = [];
    for (const subject of ['orders/1', 'orders/2', 'items/1']) {
      ids.push(...(await sender.enqueue({ ...to, destination: subject, subject, body: subject })));
      await sender.settled();
    }
    const query = (filter: string) => `?$filter=${encodeURIComponent(filter)}`;
    const found = async (filter: string): Promise<string[]> =>
      (await call('GET', query(filter))).body.value.map(({ subject }: { subject: string }) => subject);
    expect(await found("status ge 400 and startswith(subject, 'orders/')")).toEqual(['orders/2', 'orders/1']);
    expect(await found("state eq 'delivered' or outcome eq 'Gone'")).toEqual(['items/1', 'orders/2']);
    expect(await found(`createdAt lt ${new Date(START_MS).toISOString()}`)).toEqual([]);
    expect(await call('POST', `/replay${query('status eq 410')}`)).toMatchObject({ body: { replayed: 1 } });
    await sender.settled();
    expect(await sender.record(ids[1]!)).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(await call('DELETE', query("endswith(subject, '/1')"))).toMatchObject({ body: { removed: 2 } });
    expect(await call('GET', query('status eq'))).toMatchObject({
      status: 400,
      body: { error: { code: 'InvalidQuery', target: '$filter', message: expect.stringContaining('position 9') } },
    });
  });

  test('are not all removed because a filter is misspelt', async () => {
    const receiver = await sender.receiver();
    await sender.enqueue({ policy: 'test.one', destination: 'one', url: receiver.url, body: '1' });
    await sender.settled();
    expect(await call('DELETE', '?stat=dropped')).toMatchObject({
      status: 400,
      body: { error: { code: 'InvalidQuery', target: 'stat', message: expect.stringContaining('state') } },
    });
    expect(await call('DELETE', '?$filter=%20')).toMatchObject({ status: 400, body: { error: { target: '$filter' } } });
    expect(await sender.records()).toHaveLength(1);
  });

  test('refuse filters that make no sense, with the name of the filter', async () => {
    expect(await call('GET', '?state=lost')).toMatchObject({ status: 400, body: { error: { target: 'state' } } });
    expect(await call('GET', '?from=yesterday')).toMatchObject({
      status: 400,
      body: { error: { code: 'BadTime', target: 'from' } },
    });
    expect(await call('GET', '/nothing')).toMatchObject({ status: 404, body: { error: { code: 'NoSuchDelivery' } } });
    expect(await call('POST', '/nothing/replay')).toMatchObject({ status: 404 });
    expect(await call('DELETE', '/nothing')).toMatchObject({ status: 404 });
    expect(await call('POST', '/replay')).toMatchObject({ status: 400, body: { error: { code: 'FilterNeeded' } } });
  });

  test('show every attempt and the body, but no secret', async () => {
    const receiver = await sender.receiver(answering(503));
    const [id = ''] = await sender.enqueue({
      policy: 'test.one',
      destination: 'one',
      url: `${receiver.url}/hook?code=hidden-1`,
      headers: { authorization: 'Bearer hidden-2', 'x-plain': 'shown' },
      body: '{"large":"'.concat('x'.repeat(20_000), '"}'),
    });
    await sender.settled();
    const { body, text } = await call('GET', `/${id}`);
    expect(text).not.toContain('hidden');
    expect(body).toMatchObject({
      state: 'queued',
      dueAt: new Date(START_MS + MINUTE).toISOString(),
      headers: { authorization: '[redacted]', 'x-plain': 'shown' },
      bodyBytes: 20_012,
      history: [{ number: 1, status: 503, outcome: 'Busy', rule: '503: retried by policy test.one' }],
    });
    expect(body.body).toHaveLength(20_012);
    expect(receiver.received[0]).toMatchObject({ path: '/hook?code=hidden-1' });
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer hidden-2');
    const stored = JSON.stringify(await sender.records());
    expect(stored).not.toContain('hidden');
  });

  test('are sent once more, one or all that match', async () => {
    const receiver = await sender.receiver(answering(404, 404, 404, 200));
    const to = { policy: 'test.one', destination: 'one', url: receiver.url };
    const ids = await sender.enqueue({ ...to, body: '1' }, { ...to, body: '2' }, { ...to, body: '3' });
    await sender.settled();
    expect(await call('POST', `/${ids[0]}/replay`)).toMatchObject({
      status: 200,
      body: { state: 'queued', replays: 1 },
    });
    await sender.settled();
    expect(await sender.record(ids[0]!)).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(await call('POST', '/replay?state=dropped')).toMatchObject({ status: 200, body: { replayed: 2 } });
    await sender.settled();
    expect((await sender.records()).map(({ value }) => value.state)).toEqual(Array(3).fill('delivered'));
    expect(await call('POST', '/replay?state=dropped')).toMatchObject({ body: { replayed: 0 } });
  });

  test('are removed, one or all that match', async () => {
    const receiver = await sender.receiver();
    const to = { policy: 'test.one', destination: 'one', url: receiver.url };
    const [first, second, third] = await sender.enqueue(
      { ...to, body: '1', dueAt: START_MS + MINUTE },
      { ...to, body: '2', owner: 'x', dueAt: START_MS + MINUTE },
      { ...to, body: '3', dueAt: START_MS + MINUTE },
    );
    expect(await call('DELETE', `/${first}`)).toMatchObject({ status: 204 });
    expect(await call('DELETE', '?owner=x')).toMatchObject({ body: { removed: 1 } });
    await sender.running.advance('2m');
    expect(receiver.bodies()).toEqual(['3']);
    expect((await sender.records()).map(({ key }) => key)).toEqual([third]);
    expect(second).toBeDefined();
    expect(await call('DELETE', '')).toMatchObject({ body: { removed: 1 } });
    expect(await sender.records()).toEqual([]);
  });

  test('show failing destinations, and a replay ends the probation of one', async () => {
    const receiver = await sender.receiver(answering(500, 200));
    const [id] = await sender.enqueue({
      policy: 'test.two',
      destination: 'one',
      url: `${receiver.url}/a?k=1`,
      body: '1',
    });
    await sender.settled();
    expect((await call('GET', '/destinations')).body.value).toMatchObject([
      {
        policy: 'test.two',
        destination: 'one',
        address: `${receiver.url}/a`,
        state: 'probation',
        failures: 1,
        outcome: 'ServerError',
        status: 500,
        until: AFTER_PROBATION,
        queued: 1,
      },
    ]);
    // A delivery that has not been sent itself says what it waits for.
    const [next] = await sender.enqueue({ policy: 'test.two', destination: 'one', url: receiver.url, body: '2' });
    await sender.settled();
    expect((await call('GET', `/${next}`)).body).toMatchObject({
      attempts: 0,
      nextAttemptAt: AFTER_PROBATION,
      destinationFailures: {
        state: 'probation',
        failures: 1,
        outcome: 'ServerError',
        status: 500,
        until: AFTER_PROBATION,
      },
    });
    await call('DELETE', `/${next}`);
    await call('POST', `/${id}/replay`);
    await sender.settled();
    expect((await call('GET', `/${id}`)).body).not.toHaveProperty('destinationFailures');
    expect((await call('GET', '/destinations')).body).toEqual({ value: [] });
    expect(receiver.received).toHaveLength(2);
  });
});
