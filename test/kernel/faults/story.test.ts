import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { ResourceManagementClient } from '@azure/arm-resources';
import { afterEach, describe, expect, it } from 'vitest';
import { onBothStores, type Reply, SUBSCRIPTION } from '../../support/jars.ts';

const VERSION = '?api-version=2025-04-01';
const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
const group = (name: string): string => `${GROUPS}/${name}${VERSION}`;

onBothStores('a client meets faults that were ordered', (bench) => {
  const control = (method: string, path: string, body?: unknown): Promise<Reply> =>
    bench.call(method, `/_jar${path}`, { token: bench.jar.adminKey, body });
  const order = async (rule: object): Promise<string> => {
    const reply = await control('POST', '/faults', rule);
    expect(reply).toMatchObject({ status: 201 });
    return reply.body.id;
  };
  const rule = async (id: string) => (await control('GET', `/faults/${id}`)).body;
  const statuses = async (times: number, path = GROUPS + VERSION): Promise<number[]> => {
    const seen: number[] = [];
    for (let i = 0; i < times; i++) seen.push((await bench.call('GET', path)).status);
    return seen;
  };

  afterEach(async () => {
    await control('DELETE', '/faults');
  });

  describe('when a rule fires', () => {
    it('is refused twice with 429 in the shape of the API, then served', async () => {
      const id = await order({ match: { path: '/subscriptions/*' }, effect: { status: 429 }, count: 2 });
      const refused = await bench.call('GET', GROUPS + VERSION);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('x-cloudjar-fault')).toBe(id);
      expect(refused.headers.get('x-ms-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(refused.body.error).toMatchObject({ code: 'TooManyRequests' });
      expect(await statuses(3)).toEqual([429, 200, 200]);
      expect(await rule(id)).toMatchObject({ state: 'exhausted', matched: 2, hits: 2 });
      expect((await control('GET', '/metrics')).text).toContain(
        `cloudjar_faults_total{rule="${id}",direction="inbound"} 2`,
      );
    });

    it('is refused every third time, and of those as often as the count says', async () => {
      const id = await order({ match: { path: `${GROUPS}*` }, effect: { status: 503 }, every: 3, count: 2 });
      expect(await statuses(10)).toEqual([200, 200, 503, 200, 200, 503, 200, 200, 200, 200]);
      expect(await rule(id)).toMatchObject({ matched: 6, hits: 2, state: 'exhausted' });
    });

    it('is refused the fourth time alone', async () => {
      const id = await order({ match: { path: `${GROUPS}*` }, effect: { status: 500 }, nth: 4 });
      expect(await statuses(6)).toEqual([200, 200, 200, 500, 200, 200]);
      expect(await rule(id)).toMatchObject({ matched: 4, hits: 1, state: 'exhausted' });
    });

    it('is refused at a share of requests that the seed repeats', async () => {
      const run = async (seed: number | string): Promise<number[]> => {
        const id = await order({ match: { path: `${GROUPS}*` }, effect: { status: 500 }, share: 0.5, seed });
        const seen = await statuses(24);
        await control('DELETE', `/faults/${id}`);
        return seen;
      };
      const first = await run(7);
      expect(await run(7)).toEqual(first);
      expect(await run('another')).not.toEqual(first);
      expect(new Set(first)).toEqual(new Set([200, 500]));
    });

    it('is counted exactly when many ask at once, and struck by the first rule that fires', async () => {
      const first = await order({ match: { path: `${GROUPS}*` }, effect: { status: 429 }, count: 5 });
      const second = await order({ match: { method: 'get' }, effect: { status: 503 }, every: 2 });
      const seen = await Promise.all(Array.from({ length: 40 }, () => bench.call('GET', GROUPS + VERSION)));
      const times = (status: number): number => seen.filter((reply) => reply.status === status).length;
      expect(times(429)).toBe(5);
      expect(await rule(first)).toMatchObject({ matched: 5, hits: 5, state: 'exhausted' });
      const { matched, hits } = await rule(second);
      expect(matched).toBe(40);
      expect(hits).toBe(times(503));
      // Of its 20 turns, the second rule lost up to 5 to the first one.
      expect(hits).toBeGreaterThanOrEqual(15);
      expect(times(200)).toBe(40 - 5 - hits);
    });

    it('is not struck by rules about other requests', async () => {
      await order({ match: { service: 'identity' }, effect: { status: 500 } });
      await order({ match: { method: 'DELETE' }, effect: { status: 500 } });
      await order({ match: { query: { 'api-version': '1999*' } }, effect: { status: 500 } });
      await order({ match: { headers: { 'X-Case': 'red' } }, effect: { status: 500 } });
      await order({ match: { direction: 'outbound' }, effect: { status: 500 } });
      expect(await statuses(2)).toEqual([200, 200]);
      const red = await bench.call('GET', GROUPS + VERSION, { headers: { 'x-case': 'RED' } });
      expect(red.status).toBe(500);
      expect((await control('GET', '/faults')).body.value.map(({ hits }: { hits: number }) => hits)).toEqual([
        0, 0, 0, 1, 0,
      ]);
    });

    it('stays when no rule is named for removal', async () => {
      await order({ effect: { status: 500 } });
      await expect(bench.jar.faults.remove('')).rejects.toThrow('the id of the rule is empty');
      expect(await statuses(1)).toEqual([500]);
    });

    it('stays gone after a reset', async () => {
      await order({ effect: { status: 500 } });
      await bench.jar.reset();
      expect((await control('GET', '/faults')).body.value).toEqual([]);
      expect(await statuses(1)).toEqual([200]);
    });
  });

  describe('what a rule does', () => {
    it('gives the status, headers and body that were asked for', async () => {
      const effect = { status: 418, headers: { 'Retry-After': 7, 'X-Own': 'yes' }, body: { short: 'and stout' } };
      await order({ match: { path: `${GROUPS}*` }, effect });
      const reply = await bench.call('GET', GROUPS + VERSION);
      expect(reply).toMatchObject({ status: 418, body: { short: 'and stout' } });
      expect(reply.headers.get('retry-after')).toBe('7');
      expect(reply.headers.get('x-own')).toBe('yes');
    });

    it('hides a 429 inside a 500', async () => {
      await order({ effect: { throttledAs500: true } });
      const { status, headers, body } = await bench.call('GET', GROUPS + VERSION);
      expect(status).toBe(500);
      expect(headers.get('retry-after')).toBeNull();
      expect(body.error.code).toBe('InternalServerError');
      expect(body.error.message).toContain('TooManyRequests: ');
    });

    it('speaks the language of each API', async () => {
      await order({ effect: { status: 429 } });
      const reply = await bench.call('POST', '/common/oauth2/v2.0/token', { token: null });
      expect(reply).toMatchObject({ status: 429, body: { error: 'too_many_requests' } });
    });

    it('reaches HEAD, unknown paths and paths that cannot be read', async () => {
      await order({ effect: { status: 502 } });
      expect(await bench.call('HEAD', GROUPS + VERSION)).toMatchObject({ status: 502, text: '' });
      expect((await bench.call('GET', '/nothing')).status).toBe(502);
      expect((await bench.call('GET', '/%zz')).status).toBe(502);
    });

    it('reaches a request that could not even be read', async () => {
      const body = 'x'.repeat(20 * 1024 * 1024);
      expect((await bench.call('PUT', group('large'), { body })).status).toBe(413);
      const id = await order({ effect: { status: 502 } });
      expect((await bench.call('PUT', group('large'), { body })).status).toBe(502);
      expect(await rule(id)).toMatchObject({ matched: 1, hits: 1 });
    });

    it('adds headers to the real answer', async () => {
      await order({ effect: { headers: { 'x-ms-extra': 'on top' } } });
      const reply = await bench.call('GET', GROUPS + VERSION);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-ms-extra')).toBe('on top');
      expect(reply.body.value).toEqual([]);
    });

    it("delays an answer until the jar's clock has moved on, and only then serves it", async () => {
      await order({ match: { method: 'PUT' }, effect: { latencyMs: 30_000 }, count: 1 });
      let answered = false;
      const slow = bench.call('PUT', group('slow'), { body: { location: 'eastus' } }).then((reply) => {
        answered = true;
        return reply;
      });
      await expect.poll(async () => (await control('GET', '/faults')).body.value[0].hits).toBe(1);
      await bench.jar.clock.advance('29s');
      expect((await bench.call('GET', group('slow'))).status).toBe(404);
      expect(answered).toBe(false);
      await bench.jar.clock.advance('1s');
      expect((await slow).status).toBe(201);
    });

    it('drops a connection before anything has changed', async () => {
      await order({ match: { method: 'PUT' }, effect: { drop: true }, count: 1 });
      await expect(bench.call('PUT', group('dropped'), { body: { location: 'eastus' } })).rejects.toThrow(
        'socket hang up',
      );
      expect((await bench.call('GET', group('dropped'))).status).toBe(404);
    });

    it('loses the answer to what has changed', async () => {
      await order({ match: { method: 'PUT' }, effect: { dropAnswer: true }, count: 1 });
      await expect(bench.call('PUT', group('lost'), { body: { location: 'eastus' } })).rejects.toThrow(
        'socket hang up',
      );
      expect((await bench.call('GET', group('lost'))).status).toBe(200);
    });

    it('cuts a body short of what was promised', async () => {
      await order({ effect: { cutBodyAfter: 10 } });
      const { response, received } = await partOf(`${bench.jar.url}${GROUPS}${VERSION}`, await bench.jar.token());
      expect(response.statusCode).toBe(200);
      expect(received).toHaveLength(10);
      expect(Number(response.headers['content-length'])).toBeGreaterThan(10);
      await expect(bench.call('GET', GROUPS + VERSION)).rejects.toThrow('aborted');
    });

    it('cuts, slows and drops over HTTPS too', async () => {
      const url = `${bench.jar.httpsUrl}${GROUPS}${VERSION}`;
      await order({ effect: { cutBodyAfter: 5 }, count: 1 });
      await expect(fetch(url).then((response) => response.text())).rejects.toThrow('terminated');
      await order({ effect: { drop: true }, count: 1 });
      await expect(fetch(url)).rejects.toThrow('fetch failed');
      await order({ effect: { slowBodyMs: 10, status: 200, body: 'whole' } });
      const slow = await fetch(url);
      await bench.jar.clock.advance('1s');
      expect(await slow.text()).toBe('whole');
    });

    it('cuts even a body that is shorter, and one that has just begun', async () => {
      const url = `${bench.jar.url}${GROUPS}${VERSION}`;
      const id = await order({ effect: { status: 200, body: 'four', cutBodyAfter: 100 } });
      expect(await partOf(url, '')).toMatchObject({
        received: 'four',
        response: { headers: { 'content-length': '5' } },
      });
      await control('DELETE', `/faults/${id}`);
      await order({ effect: { status: 200, body: 'four', cutBodyAfter: 0 } });
      expect(await partOf(url, '')).toMatchObject({ received: '', response: { headers: { 'content-length': '4' } } });
    });

    it("sends a body in pieces as the jar's clock moves on", async () => {
      await order({ effect: { status: 200, body: '0123456789', slowBodyMs: 1000 } });
      const response = await fetch(`${bench.jar.url}${GROUPS}${VERSION}`);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      await bench.jar.clock.advance('1s');
      expect((await reader.read()).value).toBe('0');
      await bench.jar.clock.advance('9s');
      let rest = '';
      for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
      expect(rest).toBe('123456789');
    });
  });

  describe('the official client', () => {
    const client = () => {
      const credential = {
        getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
      };
      return new ResourceManagementClient(credential, SUBSCRIPTION, {
        endpoint: bench.jar.httpsUrl,
        retryOptions: { retryDelayInMs: 1, maxRetryDelayInMs: 5 },
      }).resourceGroups;
    };

    it('recovers from a 429 with Retry-After', async () => {
      const id = await order({
        match: { method: 'PUT', path: `${GROUPS}/*` },
        effect: { status: 429, headers: { 'retry-after': 0 } },
        count: 2,
      });
      expect(await client().createOrUpdate('patient', { location: 'eastus' })).toMatchObject({ name: 'patient' });
      expect(await rule(id)).toMatchObject({ hits: 2, state: 'exhausted' });
    });

    it('recovers from a dropped connection', async () => {
      const id = await order({ match: { path: `${GROUPS}/*` }, effect: { drop: true }, count: 1 });
      expect(await client().createOrUpdate('stubborn', { location: 'eastus' })).toMatchObject({ name: 'stubborn' });
      expect(await rule(id)).toMatchObject({ hits: 1 });
    });

    it('reads the error of a rule like any other', async () => {
      await order({ match: { path: `${GROUPS}/*` }, effect: { status: 409 } });
      await expect(client().get('any')).rejects.toMatchObject({ statusCode: 409, code: 'Conflict' });
    });
  });
});

/** The part of a response that arrives before its connection breaks. */
async function partOf(url: string, token: string): Promise<{ response: IncomingMessage; received: string }> {
  const request = httpGet(url, { headers: { authorization: `Bearer ${token}` }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let received = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    received += part;
  });
  const [error] = (await once(response, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
  return { response, received };
}
