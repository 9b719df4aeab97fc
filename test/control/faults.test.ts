import { describe, expect, it } from 'vitest';
import { withJar } from '../support/jars.ts';

const LIST = '/subscriptions?api-version=2022-12-01';

withJar((bench) => {
  const control = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    bench.call(method, `/_jar${path}`, { token: bench.jar.adminKey, body, headers });

  describe('a rule that cannot be', () => {
    it.each([
      [{}, 'effect', 'is required'],
      [{ effect: {} }, 'effect', 'what goes wrong'],
      [{ effect: { drop: false } }, 'effect', 'what goes wrong'],
      [{ efect: {}, effect: { status: 500 } }, 'efect', "did you mean 'effect'?"],
      [{ match: { pth: '/a' }, effect: { status: 500 } }, 'match.pth', "did you mean 'path'?"],
      [{ effect: { latency: 5 } }, 'effect.latency', "did you mean 'latencyMs'?"],
      [{ match: { service: 'resorces' }, effect: { status: 500 } }, 'match.service', "did you mean 'resources'?"],
      [{ match: { method: 'FETCH' }, effect: { status: 500 } }, 'match.method', 'GET, HEAD, POST'],
      [{ match: { path: 'subscriptions' }, effect: { status: 500 } }, 'match.path', "begin with '/' or '*'"],
      [{ match: { path: '' }, effect: { status: 500 } }, 'match.path', '1'],
      [{ match: { path: `/${'x'.repeat(1024)}` }, effect: { status: 500 } }, 'match.path', '1024'],
      [{ match: { direction: 'sideways' }, effect: { status: 500 } }, 'match.direction', ''],
      [{ effect: { status: 99 } }, 'effect.status', '>= 200'],
      [{ effect: { status: 199 } }, 'effect.status', '>= 200'],
      [{ effect: { status: 1000 } }, 'effect.status', '<= 599'],
      [{ effect: { status: '429' } }, 'effect.status', 'integer'],
      [{ effect: { status: 204, body: 'x' } }, 'effect.body', 'which has none'],
      [{ effect: { status: 304, cutBodyAfter: 1 } }, 'effect.cutBodyAfter', 'has none'],
      [{ effect: { status: 200, slowBodyMs: 1 } }, 'effect.slowBodyMs', "unless 'effect.body' gives one"],
      [{ effect: { body: 'x' } }, 'effect.body', "needs a 'status'"],
      [{ effect: { status: 500, body: 'x'.repeat(65_537) } }, 'effect.body', 'larger than'],
      [{ effect: { status: 500, headers: { a: 'b\r\nset-cookie: c' } } }, 'effect.headers.a', 'line break'],
      [{ effect: { status: 500, headers: { 'a\r\nb': 'c' } } }, 'effect.headers', 'a??b'],
      [{ effect: { status: 500, headers: { 'a b': 'c' } } }, 'effect.headers', 'invalid header name'],
      [
        { effect: { status: 500, headers: { 'Content-Length': 5 } } },
        'effect.headers.Content-Length',
        'only by the server',
      ],
      [
        { effect: { status: 500, headers: { 'transfer-encoding': 'x' } } },
        'effect.headers.transfer-encoding',
        'server',
      ],
      [{ effect: { headers: {} } }, 'effect.headers', 'must not be empty'],
      [{ effect: { headers: { a: 'x'.repeat(9000) } } }, 'effect.headers', 'larger'],
      [{ effect: { headers: manyHeaders(51) } }, 'effect.headers', 'more than 50'],
      [{ effect: { latencyMs: -1 } }, 'effect.latencyMs', '>= 0'],
      [{ effect: { latencyMs: 1e300 } }, 'effect.latencyMs', ''],
      [{ effect: { latencyMs: 1.5 } }, 'effect.latencyMs', 'integer'],
      [{ effect: { drop: true, status: 500 } }, 'effect.status', "together with 'drop'"],
      [{ effect: { drop: true, dropAnswer: true } }, 'effect.dropAnswer', "together with 'drop'"],
      [{ effect: { drop: true, duplicate: true } }, 'effect.duplicate', "together with 'drop'"],
      [{ effect: { dropAnswer: true, cutBodyAfter: 1 } }, 'effect.cutBodyAfter', "together with 'dropAnswer'"],
      [{ effect: { throttledAs500: true, status: 500 } }, 'effect.status', "together with 'throttledAs500'"],
      [{ match: { direction: 'inbound' }, effect: { outOfOrder: true } }, 'effect.outOfOrder', 'of deliveries'],
      [{ match: { direction: 'outbound', path: 'host/x' }, effect: { drop: true } }, 'match.path', 'http://'],
      [{ effect: { status: 500 }, nth: 2, count: 1 }, 'count', "together with 'nth'"],
      [{ effect: { status: 500 }, nth: 0 }, 'nth', '>= 1'],
      [{ effect: { status: 500 }, every: 1.5 }, 'every', 'integer'],
      [{ effect: { status: 500 }, share: 1.1 }, 'share', '<= 1'],
      [{ effect: { status: 500 }, seed: 4 }, 'seed', "'share', which is missing"],
    ])('%j is refused by the name of what is wrong', async (body, target, reason) => {
      const reply = await control('POST', '/faults', body);
      expect(reply).toMatchObject({ status: 400, body: { error: { target } } });
      expect(reply.body.error.message).toContain(reason);
      expect((await control('GET', '/faults')).body.value).toEqual([]);
    });

    it.each(['null', '[]', '"x"', '{"effect":null}', '{"effect":[]}', '{"effect":{"status":500},"match":7}'])(
      '%s is refused as well',
      async (body) => {
        expect((await control('POST', '/faults', body)).status).toBe(400);
      },
    );

    it('may hold names that mean something to JavaScript', async () => {
      const hostile =
        '{"effect":{"status":500,"headers":{"__proto__":"x","constructor":"y"}},"match":{"query":{"__proto__":"z"}}}';
      const made = await control('POST', '/faults', hostile);
      expect(made.status).toBe(201);
      expect((await bench.call('GET', LIST)).status).toBe(200);
      expect(({} as { x?: string }).x).toBeUndefined();
      await control('DELETE', '/faults');
    });
  });

  describe('a rule', () => {
    it('is shown as requested, found by its id and removed', async () => {
      const asked = {
        match: { method: 'get', path: '/Subscriptions*', headers: { 'X-A': 'b' } },
        effect: { status: 503, headers: { 'Retry-After': 9 }, body: { a: 1 }, latencyMs: 0 },
        every: 2,
        share: 0.25,
      };
      const made = await control('POST', '/faults', asked);
      expect(made.body).toMatchObject({
        match: { direction: 'inbound', method: 'GET', path: '/Subscriptions*', headers: { 'x-a': 'b' } },
        effect: { status: 503, headers: { 'retry-after': '9' }, body: { a: 1 }, latencyMs: 0 },
        every: 2,
        share: 0.25,
        seed: 0,
        state: 'armed',
        matched: 0,
        hits: 0,
        lastHitAt: null,
      });
      const path = made.headers.get('location')?.slice('/_jar'.length) ?? '';
      expect((await control('GET', path)).body).toEqual(made.body);
      expect((await control('DELETE', path)).status).toBe(204);
      for (const method of ['GET', 'DELETE']) {
        expect(await control(method, path)).toMatchObject({ status: 404, body: { error: { code: 'NoSuchFault' } } });
      }
    });

    it('is disabled and enabled without losing its counts', async () => {
      const { id } = (await control('POST', '/faults', { match: { path: '/subscriptions*' }, effect: { status: 418 } }))
        .body;
      expect((await bench.call('GET', LIST)).status).toBe(418);
      const disabled = await control('PATCH', `/faults/${id}`, { enabled: false });
      expect(disabled).toMatchObject({ status: 200, body: { id, enabled: false, state: 'disabled', hits: 1 } });
      expect((await bench.call('GET', LIST)).status).toBe(200);
      expect((await control('GET', '/faults?$filter=enabled eq false')).body.value).toMatchObject([{ id, matched: 1 }]);
      const enabled = await control('PATCH', `/faults/${id}`, { enabled: true });
      expect(enabled.body).toMatchObject({ enabled: true, state: 'armed', matched: 1, hits: 1 });
      expect((await bench.call('GET', LIST)).status).toBe(418);
      expect((await control('GET', `/faults/${id}`)).body).toMatchObject({ matched: 2, hits: 2 });
      await control('DELETE', '/faults');
    });

    it('may begin disabled', async () => {
      const made = await control('POST', '/faults', { effect: { status: 418 }, enabled: false });
      expect(made.body).toMatchObject({ enabled: false, state: 'disabled' });
      expect((await bench.call('GET', LIST)).status).toBe(200);
      await control('DELETE', '/faults');
    });

    it('begins to count anew when it is changed, and keeps its place', async () => {
      const first = await control('POST', '/faults', {
        match: { path: '/subscriptions*' },
        effect: { status: 418 },
        count: 1,
      });
      await control('POST', '/faults', { effect: { status: 500 } });
      expect((await bench.call('GET', LIST)).status).toBe(418);
      const path = `/faults/${first.body.id}`;
      const changed = await control('PATCH', path, { effect: { status: 429 }, count: null, share: 1, seed: 'x' });
      expect(changed.body).toMatchObject({ effect: { status: 429 }, share: 1, seed: 'x', state: 'armed', hits: 0 });
      expect(changed.body).not.toHaveProperty('count');
      expect(changed.body.match).toEqual(first.body.match);
      expect((await bench.call('GET', LIST)).status).toBe(429);
      const same = await control('PATCH', path, { effect: { status: 429 } });
      expect(same.body).toMatchObject({ state: 'armed', matched: 0, hits: 0 });
      const everything = await control('PATCH', path, { match: null, share: null });
      expect(everything.body.match).toEqual({ direction: 'inbound' });
      expect(everything.body).not.toHaveProperty('seed');
      await control('DELETE', '/faults');
    });

    it('stays as it is when a change is refused', async () => {
      const made = await control('POST', '/faults', { effect: { status: 418 }, count: 2 });
      const path = `/faults/${made.body.id}`;
      for (const [change, target] of [
        [{ nth: 1 }, 'count'],
        [{ effect: { drop: true, status: 500 } }, 'effect.status'],
        [{ enabeld: true }, 'enabeld'],
        [{ enabled: 'no' }, 'enabled'],
        [{ seed: 1 }, 'seed'],
        [{ match: { service: 'nothing' } }, 'match.service'],
      ] as const)
        expect(await control('PATCH', path, change)).toMatchObject({ status: 400, body: { error: { target } } });
      expect((await control('GET', path)).body).toEqual(made.body);
      expect(await control('PATCH', '/faults/nothing', { enabled: true })).toMatchObject({
        status: 404,
        body: { error: { code: 'NoSuchFault' } },
      });
      await control('DELETE', '/faults');
    });

    it('with an effect of deliveries is about what goes out', async () => {
      const made = await control('POST', '/faults', { effect: { duplicate: true }, match: { path: '/hooks/*' } });
      expect(made.body.match.direction).toBe('outbound');
      expect((await bench.call('GET', LIST)).headers.get('x-cloudjar-fault')).toBeNull();
      await control('DELETE', '/faults');
    });

    it('never affects the control API or the landing page', async () => {
      await control('POST', '/faults', { effect: { drop: true } });
      await control('POST', '/faults', { match: { path: '/_jar/*' }, effect: { drop: true } });
      await control('POST', '/faults', { match: { service: 'control' }, effect: { drop: true } });
      await control('POST', '/faults', { match: { path: '/_jar/faults' }, effect: { status: 500 } });
      for (const path of ['/health', '/clock', '/faults', '/inbox', '/inbox/x/requests', '/nothing'])
        expect((await control('GET', path)).headers.get('x-cloudjar-fault')).toBeNull();
      expect((await bench.call('GET', '/')).status).toBe(200);
      expect((await control('DELETE', '/faults')).body).toEqual({ removed: 4 });
    });

    it('reaches an inbox however its address is written, and not what looks into it', async () => {
      await control('POST', '/faults', { match: { path: '/_jar/inbox/*' }, effect: { status: 418 } });
      for (const path of ['/_jar/inbox/x', '/_JAR/Inbox/x/below', '/_jar/%69nbox/x'])
        expect((await bench.call('POST', path, { token: null })).status).toBe(418);
      expect((await control('GET', '/inbox/x/requests')).status).toBe(200);
      await control('DELETE', '/faults');
    });

    it('without a method does not affect CORS preflights', async () => {
      const preflight = { origin: 'https://page.example', 'access-control-request-method': 'GET' };
      await control('POST', '/faults', { effect: { status: 500 }, count: 1 });
      const asked = await bench.call('OPTIONS', LIST, { token: null, headers: preflight });
      expect(asked.status).toBe(204);
      const struck = await bench.call('GET', LIST, { headers: { origin: 'https://page.example' } });
      expect(struck.status).toBe(500);
      expect(struck.headers.get('access-control-allow-origin')).toBe('*');
      expect(struck.headers.get('access-control-expose-headers')).toContain('x-cloudjar-fault');
      await control('POST', '/faults', { match: { method: 'OPTIONS' }, effect: { status: 503 } });
      expect((await bench.call('OPTIONS', LIST, { token: null, headers: preflight })).status).toBe(503);
      await control('DELETE', '/faults');
    });

    it('is one of a bounded number', async () => {
      const tries = 510;
      const rule = { match: { path: '/never' }, effect: { status: 500 } };
      const replies = await Promise.all(Array.from({ length: tries }, () => control('POST', '/faults', rule)));
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(500);
      const refused = replies.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(tries - 500);
      for (const { status, body } of refused)
        expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'TooManyFaults' });
      expect((await bench.call('GET', LIST)).status).toBe(200);
      expect((await control('DELETE', '/faults')).body).toEqual({ removed: 500 });
    });

    it('needs the key of the jar', async () => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect((await bench.call(method, '/_jar/faults', { token: null })).status).toBe(401);
      }
    });
  });
});

function manyHeaders(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'y']));
}
