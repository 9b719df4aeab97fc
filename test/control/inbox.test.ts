import { afterEach, describe, expect, it } from 'vitest';
import { onBothStores, type Reply } from '../support/jars.ts';

onBothStores('an inbox', (bench) => {
  const control = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
    bench.call(method, path.startsWith('http') ? path : `/_jar${path}`, { token: bench.jar.adminKey, body, headers });
  /** Sends as an anonymous caller. */
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
    bench.call(method, `/_jar/inbox${path}`, { token: null, body, headers });
  const received = async (name: string, query = '') =>
    (await control('GET', `/inbox/${name}/requests${query}`)).body.value;

  afterEach(async () => {
    await control('DELETE', '/inbox');
  });

  describe('keeps what it gets', () => {
    it('with everything that a receiver would have seen but its secrets', async () => {
      await send('POST', '/orders/new?a=1&a=2&sig=abc', '{"n":1}', {
        'content-type': 'application/json',
        authorization: 'Bearer for-the-receiver',
        'X-Own': 'yes',
      });
      const [request] = await received('orders');
      expect(request).toMatchObject({
        id: '1',
        inbox: 'orders',
        method: 'POST',
        path: '/_jar/inbox/orders/new',
        query: { a: ['1', '2'], sig: '[redacted]' },
        headers: { 'content-type': 'application/json', authorization: '[redacted]', 'x-own': 'yes' },
        body: '{"n":1}',
        bodyEncoding: 'utf8',
        bodyBytes: 7,
        truncated: false,
        handshake: null,
        answered: { status: 200 },
      });
      expect(new Date(request.at)).toEqual(bench.jar.clock.now());
      expect((await control('GET', '/inbox/orders/requests/1')).body).toEqual(request);
      expect((await control('GET', '/inbox')).body.value).toMatchObject([{ name: 'orders', received: 1, kept: 1 }]);
    });

    it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])('of the method %s', async (method) => {
      expect((await send(method, '/any')).status).toBe(200);
      expect(await received('any')).toMatchObject([{ method }]);
    });

    it('with names that mean something to JavaScript, and secrets sealed in the store', async () => {
      await send('POST', '/hostile?constructor=c&__proto__=p&toString=t&code=s3cret', undefined, { valueOf: 'v' });
      const [request] = await received('hostile');
      expect(Object.entries(request.query)).toEqual(
        expect.arrayContaining([
          ['constructor', 'c'],
          ['toString', 't'],
          ['code', '[redacted]'],
        ]),
      );
      expect(request.headers.valueof).toBe('v');
    });

    it('as bytes if it is not text, and only the beginning if it is too long', async () => {
      const post = (body: Uint8Array<ArrayBuffer>) =>
        fetch(`${bench.jar.url}/_jar/inbox/bytes`, { method: 'POST', body });
      await post(new Uint8Array([0xff, 0x00, 0xfe]));
      // The limit is in the middle of a two-byte character.
      await post(new TextEncoder().encode(`x${'é'.repeat(200_000)}`));
      const [binary, long] = await received('bytes');
      expect(binary).toMatchObject({ bodyEncoding: 'base64', body: '/wD+', truncated: false });
      expect(long).toMatchObject({ bodyEncoding: 'utf8', bodyBytes: 400_001, truncated: true });
      expect(long.body).toBe(`x${'é'.repeat(131_071)}`);
    });

    it('under case-insensitive names, and never under an invalid name', async () => {
      await send('POST', '/MiXed');
      expect(await received('mixed')).toHaveLength(1);
      for (const name of ['a b', 'a%2Fb', '%00', 'x'.repeat(65), 'ä', '...', '%E2%84%AA']) {
        expect(await send('POST', `/${name}`)).toMatchObject({
          status: 400,
          body: { error: { code: 'BadInboxName' } },
        });
      }
    });

    it('numbered without gaps or repeats when many send at once', async () => {
      await Promise.all(Array.from({ length: 60 }, (_, n) => send('POST', `/busy?n=${n}`)));
      const requests = await received('busy', '?$top=1000');
      expect(requests.map(({ id }: { id: string }) => Number(id))).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
      expect(new Set(requests.map(({ query }: { query: { n: string } }) => query.n)).size).toBe(60);
    });

    it('page by page, filtered, and with tokens that cannot be made up', async () => {
      for (let n = 0; n < 5; n++) await send(n % 2 ? 'PUT' : 'POST', `/pages/${n}`);
      const first = await control('GET', '/inbox/pages/requests?$top=2');
      const second = await control('GET', first.body.nextLink);
      const third = await control('GET', second.body.nextLink);
      const ids = [first, second, third].flatMap((page) => page.body.value.map(({ id }: { id: string }) => id));
      expect(ids).toEqual(['1', '2', '3', '4', '5']);
      expect(third.body.nextLink).toBeUndefined();
      expect(await received('pages', '?method=put')).toHaveLength(2);
      expect(await received('pages', '?path=/_jar/inbox/pages/3')).toHaveLength(1);
      expect(await received('pages', '?handshake=true')).toEqual([]);
      expect(await received('pages', '?status=503')).toEqual([]);
      const token = new URL(first.body.nextLink).searchParams.get('$skiptoken');
      for (const path of [`/inbox/other/requests?$skiptoken=${token}`, '/inbox/pages/requests?$skiptoken=AAAA']) {
        expect(await control('GET', path)).toMatchObject({ status: 400, body: { error: { code: 'BadSkipToken' } } });
      }
    });

    it('until it is told to forget, and then counts on', async () => {
      await send('POST', '/short');
      await send('POST', '/short');
      expect((await control('DELETE', '/inbox/short/requests')).body).toEqual({ removed: 2 });
      expect(await received('short')).toEqual([]);
      await send('POST', '/short');
      expect(await received('short')).toMatchObject([{ id: '3' }]);
      expect((await control('GET', '/inbox/short/requests/1')).body.error.code).toBe('NoSuchRequest');
    });

    it('until it is removed, while the others stay', async () => {
      await send('POST', '/gone');
      await send('POST', '/stays');
      await control('PUT', '/inbox/gone/behaviour', { status: 202 });
      expect((await control('DELETE', '/inbox?name=GONE')).body).toEqual({ removed: 1 });
      expect((await control('DELETE', '/inbox?name=gone')).body).toEqual({ removed: 0 });
      expect((await control('GET', '/inbox')).body.value).toMatchObject([{ name: 'stays', kept: 1 }]);
      expect(await send('POST', '/gone')).toMatchObject({ status: 200 });
      expect(await received('gone')).toMatchObject([{ id: '1' }]);
      expect(await control('DELETE', '/inbox?name=a%20b')).toMatchObject({ status: 400 });
      expect(await control('DELETE', '/inbox?nam=stays')).toMatchObject({ status: 400 });
      expect(await received('stays')).toHaveLength(1);
    });
  });

  describe('guards what it holds', () => {
    it.each([
      ['GET', '/x/requests'],
      ['DELETE', '/x/requests'],
      ['GET', '/x/requests/1'],
      ['GET', '/x/behaviour'],
      ['PUT', '/x/behaviour'],
      ['DELETE', '/x/behaviour'],
      ['GET', '/x/stream'],
      ['GET', ''],
      ['DELETE', ''],
    ])('against %s %s without the key', async (method, path) => {
      expect(await send(method, path)).toMatchObject({ status: 401, body: { error: { code: 'AdminKeyMissing' } } });
      expect((await control('GET', '/inbox')).body.value).toEqual([]);
    });

    it('yet takes messages from pages of any origin, in an inbox that is there', async () => {
      await control('PUT', '/inbox/page/behaviour', {});
      const origin = { origin: 'https://page.example' };
      const asked = await send('OPTIONS', '/page', undefined, {
        ...origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-own',
      });
      expect(asked.status).toBe(204);
      expect(asked.headers.get('access-control-allow-headers')).toBe('x-own');
      const sent = await send('POST', '/page', '{}', origin);
      expect(sent.headers.get('access-control-allow-origin')).toBe('*');
      expect(await received('page')).toHaveLength(1);
      const read = await control('GET', '/inbox/page/requests', undefined, origin);
      expect(read).toMatchObject({ status: 403, body: { error: { code: 'ForeignOrigin' } } });
    });
  });

  describe('answers handshakes', () => {
    const event = { data: { validationCode: 'C0DE', validationUrl: 'https://sender.example/validate?id=1' } };
    const byCode = { 'aeg-event-type': 'SubscriptionValidation' };
    const byOrigin = { 'webhook-request-origin': 'sender.example', 'webhook-request-rate': '120' };

    it('of events with the code of the first', async () => {
      const reply = await send('POST', '/h', [event], byCode);
      expect(reply).toMatchObject({ status: 200, body: { validationResponse: 'C0DE' } });
      expect(await received('h')).toMatchObject([
        { handshake: { kind: 'validationCode', answered: true, url: 'https://sender.example/validate?id=1' } },
      ]);
    });

    it('of CloudEvents with the origin and rate that were asked for', async () => {
      const { status, headers } = await send('OPTIONS', '/h', undefined, byOrigin);
      expect(status).toBe(200);
      expect(headers.get('webhook-allowed-origin')).toBe('sender.example');
      expect(headers.get('webhook-allowed-rate')).toBe('120');
    });

    it('of business webhooks with the token as plain text', async () => {
      const { status, headers, text } = await send('POST', '/h?validationToken=a%20%3Cb%3E');
      expect({ status, text }).toEqual({ status: 200, text: 'a <b>' });
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    });

    it.each([
      ['ignore', 200, 200, null],
      ['manual', 200, 200, false],
      ['refuse', 400, 405, false],
    ])('not, when told to %s them', async (handshake, ofCode, ofOrigin, answered) => {
      await control('PUT', '/inbox/h/behaviour', { handshake });
      expect(await send('POST', '/h', [event], byCode)).toMatchObject({ status: ofCode, text: '' });
      expect(await send('POST', '/h?validationToken=t')).toMatchObject({ status: ofCode, text: '' });
      const options = await send('OPTIONS', '/h', undefined, byOrigin);
      expect(options.status).toBe(ofOrigin);
      expect(options.headers.get('webhook-allowed-origin')).toBeNull();
      for (const request of await received('h')) expect(request.handshake?.answered ?? null).toBe(answered);
    });

    it.each(['', 'not json', '[]', 'null', '[null]', '{"data":5}', '[{"data":{"validationCode":7}}]'])(
      'of which %j is none',
      async (body) => {
        expect(await send('POST', '/h', body, byCode)).toMatchObject({ status: 200, text: '' });
        expect(await received('h')).toMatchObject([{ handshake: null }]);
      },
    );
  });

  describe('behaves as it is told', () => {
    it('fails as often as it should, exactly, also when many send at once; handshakes are not counted', async () => {
      const set = await control('PUT', '/inbox/b/behaviour', { fail: { times: 3, status: 500 }, status: 202 });
      expect(set.body).toMatchObject({ fail: { times: 3, status: 500, left: 3 }, status: 202 });
      expect((await send('POST', '/b?validationToken=t')).status).toBe(200);
      const sent = await Promise.all(Array.from({ length: 8 }, () => send('POST', '/b')));
      expect(sent.map(({ status }) => status).sort()).toEqual([202, 202, 202, 202, 202, 500, 500, 500]);
      expect((await control('GET', '/inbox/b/behaviour')).body.fail.left).toBe(0);
      expect(await received('b', '?status=500')).toHaveLength(3);
    });

    it('answers with the configured status, headers and body, and with the defaults after they are removed', async () => {
      await control('PUT', '/inbox/b/behaviour', { status: 207, headers: { 'Retry-After': 5 }, body: { own: true } });
      const reply = await send('POST', '/b');
      expect(reply).toMatchObject({ status: 207, body: { own: true } });
      expect(reply.headers.get('retry-after')).toBe('5');
      expect((await control('DELETE', '/inbox/b/behaviour')).status).toBe(204);
      expect(await send('POST', '/b')).toMatchObject({ status: 200, text: '' });
    });

    it('is slow in real time while the clock of the jar stands still', async () => {
      await control('PUT', '/inbox/b/behaviour', { delayMs: 60_000 });
      const impatient = new AbortController();
      const slow = fetch(`${bench.jar.url}/_jar/inbox/b`, { signal: impatient.signal });
      await expect.poll(() => received('b')).toMatchObject([{ answered: { status: 200, delayMs: 60_000 } }]);
      impatient.abort();
      await expect(slow).rejects.toThrow('abort');
    });

    it.each([
      [{ stauts: 200 }, 'stauts', "did you mean 'status'?"],
      [{ fail: { times: 1, statsu: 500 } }, 'fail.statsu', "did you mean 'status'?"],
      [{ fail: { times: 0 } }, 'fail.times', '>= 1'],
      [{ status: 99 }, 'status', '>= 200'],
      [{ status: 204, body: 'x' }, 'body', 'which has none'],
      [{ headers: { a: 'x\r\ny: z' } }, 'headers.a', 'line break'],
      [{ headers: { 'content-length': 1 } }, 'headers.content-length', 'only by the server'],
      [{ body: 'x'.repeat(70_000) }, 'body', 'larger'],
      [{ handshake: 'maybe' }, 'handshake', ''],
    ])('unless that is %j', async (body, target, reason) => {
      const reply = await control('PUT', '/inbox/b/behaviour', body);
      expect(reply).toMatchObject({ status: 400, body: { error: { target } } });
      expect(reply.body.error.message).toContain(reason);
      expect((await control('GET', '/inbox')).body.value).toEqual([]);
    });

    it('fails when a fault rule names it, while those who look into it are spared', async () => {
      await control('POST', '/faults', { match: { path: '*' }, effect: { status: 500 } });
      expect((await send('POST', '/b')).status).toBe(200);
      await control('POST', '/faults', { match: { path: '/_jar/inbox/b*' }, effect: { status: 500 } });
      expect((await send('POST', '/b')).status).toBe(500);
      expect(await received('b')).toHaveLength(1);
      await control('DELETE', '/faults');
    });
  });

  it('is gone after a reset', async () => {
    await send('POST', '/gone');
    await bench.jar.reset();
    expect((await control('GET', '/inbox')).body.value).toEqual([]);
  });
});
