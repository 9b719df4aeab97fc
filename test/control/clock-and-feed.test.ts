import { describe, expect, it } from 'vitest';
import { readChanges } from '../support/changes.ts';
import { SUBSCRIPTION, withJar } from '../support/jars.ts';

const LIST = '/subscriptions?api-version=2022-12-01';
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/g?api-version=2025-04-01`;

withJar((bench) => {
  const control = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    bench.call(method, `/_jar${path}`, { token: bench.jar.adminKey, body, headers });

  describe('time', () => {
    it('set back by a reset leaves tokens good that were issued before it', async () => {
      await bench.jar.clock.advance('36h');
      const token = await bench.jar.token();
      await bench.jar.reset();
      expect((await bench.call('GET', LIST, { token })).status).toBe(200);
    });

    it('in a far century still has tokens, and ends with the year 9999', async () => {
      for (let i = 0; i < 4; i++) await control('POST', '/clock/advance', { by: '36500d' });
      expect((await bench.call('GET', LIST, { token: await bench.jar.token() })).status).toBe(200);
      let last = await control('POST', '/clock/advance', { by: '36500d' });
      for (let i = 0; i < 100 && last.status === 200; i++)
        last = await control('POST', '/clock/advance', { by: '36500d' });
      expect(last).toMatchObject({ status: 400, body: { error: { code: 'BadDuration', target: 'by' } } });
      expect(last.body.error.message).toContain('9999');
      expect((await control('GET', '/health')).status).toBe(200);
      await bench.jar.reset();
    });

    it.each([
      [{ by: true }, 'must be string or number'],
      [{ by: '1h', extra: 1 }, "'extra'"],
      [{}, "'by'"],
      [{ by: '-1h' }, 'duration'],
      [{ by: '1e999h' }, 'duration'],
    ])('is not moved by %j', async (body, reason) => {
      const before = bench.jar.clock.now();
      const reply = await control('POST', '/clock/advance', body);
      expect(reply.status).toBe(400);
      expect(reply.body.error.message).toContain(reason);
      expect(bench.jar.clock.now()).toEqual(before);
    });

    it.each([1e308, -5, 'abc', '200y'])('a token cannot live for %s', async (ttl) => {
      expect(await control('POST', '/tokens', { ttl })).toMatchObject({
        status: 400,
        body: { error: { code: 'BadDuration', target: 'ttl' } },
      });
    });

    it.each(['oid', 'tid', 'exp', 'scp'])('a token cannot be given another %s', async (claim) => {
      expect(await control('POST', '/tokens', { claims: { [claim]: 'x' } })).toMatchObject({
        status: 400,
        body: { error: { code: 'ClaimTaken', target: `claims.${claim}` } },
      });
    });
  });

  describe('the live feed', () => {
    it('resumes after the last event seen, and begins anew for one who comes from another jar', async () => {
      await bench.jar.reset();
      await bench.call('PUT', GROUP, { body: { location: 'eastus' } });
      await bench.call('PATCH', GROUP, { body: { tags: { a: 'b' } } });
      const [first, second] = await readChanges(bench.jar, (seen) => seen.length === 2);
      const after = await readChanges(bench.jar, (seen) => seen.length === 1, first?.cursor);
      expect(after[0]?.cursor).toBe(second?.cursor);
      const ahead = String(Number(second?.cursor) + 1000).padStart(19, '0');
      expect(await readChanges(bench.jar, (seen) => seen.length === 2, ahead)).toHaveLength(2);
    });

    it('refuses a place that no feed has given out', async () => {
      const reply = await control('GET', '/events', undefined, { 'last-event-id': 'garbage' });
      expect(reply).toMatchObject({ status: 400, body: { error: { code: 'BadCursor' } } });
    });
  });

  it('says that a jar in memory is in memory', async () => {
    expect((await control('GET', '/health')).body).toMatchObject({ status: 'ready', store: 'memory' });
  });
});
