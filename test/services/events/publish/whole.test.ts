import { beforeAll, expect, it, vi } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { Grid } from '../topics/grid.ts';
import { taken } from './published.ts';

vi.mock('../../../../src/services/events/accept.ts', async (original) => {
  const { recording } = await import('./published.ts');
  return recording(original as never);
});

const event = (further: object = {}) => ({
  id: '1',
  eventType: 'Shop.Sold',
  subject: '/1',
  eventTime: '2030-01-01T00:00:00Z',
  ...further,
});

const MEGABYTE = 1024 * 1024;

/** All or nothing per request: sizes, rates, mistakes, topics of domains. */
withJar((bench) => {
  const grid = () => new Grid(bench, 'whole');
  let topicKey: string;
  let domainKey: string;
  let domain: string;

  beforeAll(async () => {
    await grid().create('topics/orders');
    ({ id: domain } = await grid().create('domains/shops'));
    await grid().create('domains/closed', { autoCreateTopicWithFirstSubscription: false });
    ({ key1: topicKey } = await grid().keys('topics/orders'));
    ({ key1: domainKey } = await grid().keys('domains/shops'));
  });

  const post = (body: unknown, name = 'orders', key = name === 'orders' ? topicKey : domainKey) =>
    bench.call('POST', `/events/westeurope/${name}/api/events`, { token: null, headers: { 'aeg-sas-key': key }, body });

  it('publishes all events of a request, in their order', async () => {
    expect((await post([event({ id: 'a' }), event({ id: 'b' }), event({ id: 'a' })])).status).toBe(200);
    const all = taken();
    expect(all.map(({ event: { id } }) => id)).toEqual(['a', 'b', 'a']);
    expect(all[0]?.scopes).toEqual([expect.stringMatching(/^\/subscriptions\/.*\/topics\/orders$/)]);
  });

  it('publishes nothing if one event is invalid, and reports every mistake', async () => {
    const { status, body } = await post([event(), event({ id: '' }), event({ eventTime: 'noon' })]);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'BadRequest',
      details: [
        { code: 'InputJsonInvalid', message: "'[1].id' must not be empty", target: '[1].id' },
        { code: 'InputJsonInvalid', target: '[2].eventTime' },
      ],
    });
    expect(taken()).toEqual([]);
  });

  it('accepts a request of a megabyte, and not one byte more', async () => {
    const frame = JSON.stringify([event({ data: '' })]).length;
    const of = (bytes: number) => JSON.stringify([event({ data: 'x'.repeat(bytes - frame) })]);
    expect((await post(of(MEGABYTE))).status).toBe(200);
    expect(taken()).toHaveLength(1);
    const { status, body } = await post(of(MEGABYTE + 1));
    expect([status, body.error.code]).toEqual([413, 'RequestEntityTooLarge']);
    expect(body.error.details).toEqual([{ code: body.error.code, message: body.error.message }]);
    expect(taken()).toEqual([]);
  });

  it('says so if a body is far too large, or too large without an announced length', async () => {
    const url = `${bench.jar.url}/events/westeurope/orders/api/events`;
    const chunk = new Uint8Array(MEGABYTE).fill(0x20);
    const chunks = new ReadableStream({
      pull(controller) {
        controller.enqueue(chunk);
      },
    });
    for (const body of [new Uint8Array(8 * MEGABYTE), chunks]) {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        duplex: 'half',
        headers: { 'aeg-sas-key': topicKey },
      } as object);
      expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
        413,
        'RequestEntityTooLarge',
      ]);
    }
    expect(taken()).toEqual([]);
  });

  it('accepts unpaired surrogates and unsafe names', async () => {
    const text = `[${JSON.stringify(event()).slice(0, -1)},"data":{"__proto__":{"x":"\\ud800"},"a":"\\u0000"}}]`;
    expect((await post(text)).status).toBe(200);
    expect((await post([event({ id: '\u0000', subject: '\u0000', eventType: 'a\u0000b' })])).status).toBe(200);
    expect(taken()).toHaveLength(2);
  });

  it('delivers an event of a domain to its topic, which is created, and to the domain', async () => {
    expect((await post([event({ topic: 'Berlin' }), event({ topic: `${domain}/topics/paris` })], 'shops')).status).toBe(
      200,
    );
    expect(taken().map(({ event: { topic }, scopes }) => [topic, scopes])).toEqual([
      [`${domain}/topics/Berlin`, [`${domain}/topics/berlin`.toLowerCase(), domain.toLowerCase()]],
      [`${domain}/topics/paris`, [`${domain}/topics/paris`.toLowerCase(), domain.toLowerCase()]],
    ]);
    const names = (await grid().get('domains/shops/topics')).body.value.map((each: { name: string }) => each.name);
    expect(names.sort()).toEqual(['Berlin', 'paris']);
  });

  it('knows a topic of a domain in any casing', async () => {
    await post([event({ topic: 'BERLIN' })], 'shops');
    expect(taken()[0]?.event.topic).toBe(`${domain}/topics/Berlin`);
  });

  it('creates no topic for events that are refused', async () => {
    expect((await post([event({ topic: 'london' }), event({ topic: '' })], 'shops')).status).toBe(400);
    expect((await grid().get('domains/shops/topics/london')).status).toBe(404);
    expect(taken()).toEqual([]);
  });

  it('refuses an event for a topic that does not exist if the domain does not create topics', async () => {
    const { key1 } = await grid().keys('domains/closed');
    const made = await grid().put('domains/closed/topics/rome', {});
    expect(made.status).toBe(201);
    await bench.jar.settled();
    expect((await post([event({ topic: 'rome' })], 'closed', key1)).status).toBe(200);
    expect(taken()).toHaveLength(1);
    const { status, body } = await post([event({ topic: 'rome' }), event({ topic: 'oslo' })], 'closed', key1);
    expect([status, body.error.details[0].message]).toEqual([
      400,
      "'[1]' is for the topic 'oslo', which does not exist, and which the domain does not create automatically",
    ]);
    expect(taken()).toEqual([]);
  });

  it('accepts many concurrent requests, each all or nothing', async () => {
    const requests = Array.from({ length: 50 }, (_, i) => post([event({ id: `${i}` }), event({ id: `${i}` })]));
    expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set([200]));
    const ids = taken().map(({ event: { id } }) => id);
    expect(ids).toHaveLength(100);
    expect(ids.filter((id, i) => i % 2 === 0 && ids[i + 1] !== id)).toEqual([]);
  });

  const limit = (change: object) => bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body: change });

  it('only records rate violations while the clock stands still', async () => {
    expect((await post(Array(5000).fill(event()))).status).toBe(200);
    expect((await post(Array(5000).fill(event()))).status).toBe(200);
    taken();
  });

  it('refuses requests beyond the rate, with Retry-After', async () => {
    const few = { name: 'events.published-events', size: 3, refillPerSecond: 1, mode: 'enforced' };
    expect((await limit(few)).status).toBe(200);
    await bench.jar.clock.advance('1h');
    expect((await post([event(), event(), event()])).status).toBe(200);
    const { status, headers, body } = await post([event(), event()]);
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'TooManyRequests', '2']);
    expect(taken()).toHaveLength(3);
    const never = await post(Array(4).fill(event()));
    expect([never.status, never.headers.get('retry-after')]).toEqual([429, null]);
    expect(never.body.error.message).toMatch(/: 3\); send less in one request\.$/);
    await bench.jar.clock.advance('2s');
    expect((await post([event(), event()])).status).toBe(200);
    taken();
  });

  it('counts bytes beside events', async () => {
    const changes = [
      { name: 'events.published-events', mode: 'shadow' },
      { name: 'events.published-bytes', size: 1000, refillPerSecond: 1000, mode: 'enforced' },
    ];
    expect((await limit(changes)).status).toBe(200);
    await bench.jar.clock.advance('1h');
    expect((await post([event({ data: 'x'.repeat(700) })])).status).toBe(200);
    expect(await post([event({ data: 'x'.repeat(700) })])).toMatchObject({
      status: 429,
      body: { error: { message: expect.stringMatching(/Bytes published .*: 1000\); try again after 1 seconds/) } },
    });
    expect(taken()).toHaveLength(1);
  });
});
