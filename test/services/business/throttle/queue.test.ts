import { afterEach, expect, it } from 'vitest';
import { startJar } from '../../../../src/testing/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { withJar } from '../benches.ts';
import { Gates, gatedServices, limitNamed, setLimits } from './gated.ts';

const gates = new Gates();

withJar(
  (bench) => {
    const get = (name: string, options = {}) => bench.call('GET', `/gated/${name}`, options);
    const hasEntered = (...names: string[]) =>
      eventually(() => expect(gates.entered.slice(-names.length)).toEqual(names));
    const areWaiting = (count: number) =>
      eventually(async () => expect((await limitNamed(bench, 'business.queued')).use[0]?.used ?? 0).toBe(count));
    /** Uses up the capacity with requests of these names. */
    const fill = async (...names: string[]) => {
      const running: ReturnType<typeof get>[] = [];
      for (const name of names) {
        running.push(get(name));
        await eventually(() => expect(gates.entered).toContain(name));
      }
      return running;
    };

    afterEach(async () => {
      await eventually(async () => {
        gates.openAll();
        expect((await limitNamed(bench, 'business.connections')).use).toEqual([]);
      });
      await setLimits(
        bench,
        ...['connections', 'concurrent', 'queued'].map((name) => ({
          name: `business.${name}`,
          limit: null,
          mode: null,
        })),
      );
    });

    it('five requests of a user run concurrently, and the others wait in order of arrival', async () => {
      const running = await fill('a1', 'a2', 'a3', 'a4', 'a5');
      const waiting: ReturnType<typeof get>[] = [];
      for (const [index, name] of ['a6', 'a7', 'a8'].entries()) {
        waiting.push(get(name));
        await areWaiting(index + 1);
      }
      expect(gates.entered).not.toContain('a6');
      gates.open('a3');
      await hasEntered('a6');
      gates.open('a1');
      await hasEntered('a6', 'a7');
      gates.open('a6');
      await hasEntered('a6', 'a7', 'a8');
      await areWaiting(0);
      for (const name of ['a2', 'a4', 'a5', 'a7', 'a8']) gates.open(name);
      const replies = await Promise.all([...running, ...waiting]);
      expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    });

    it('a user does not wait for another', async () => {
      await setLimits(bench, { name: 'business.concurrent', limit: 1 });
      const [mine] = await fill('b1');
      const waiting = get('b2');
      await areWaiting(1);
      const other = get('b3', { token: await bench.jar.token({ user: 'licensed' }) });
      await hasEntered('b3');
      gates.openAll();
      await hasEntered('b2');
      gates.openAll();
      expect((await Promise.all([mine, waiting, other])).map((reply) => reply?.status)).toEqual([200, 200, 200]);
    });

    it('when the queue is full the next request is refused, and the limit is named', async () => {
      await setLimits(
        bench,
        { name: 'business.concurrent', limit: 1 },
        { name: 'business.queued', limit: 1, mode: 'enforced' },
      );
      const running = await fill('c1');
      const waiting = get('c2');
      await areWaiting(1);
      const refused = await get('c3');
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.body.error.code).toBe('Application_TooManyRequests');
      expect(refused.body.error.message).toContain('Actual (2). Maximum (1).');
      expect((await get('c3')).status).toBe(429);
      expect((await limitNamed(bench, 'business.queued')).earlyRetries).toEqual([
        expect.objectContaining({ name: 'admin@vendor.example', times: 1, earliestBySeconds: 1 }),
      ]);
      gates.open('c1');
      await hasEntered('c2');
      gates.open('c2');
      expect((await Promise.all([...running, waiting])).map(({ status }) => status)).toEqual([200, 200]);
    });

    it('a user has so many requests without an answer and no more', async () => {
      await setLimits(
        bench,
        { name: 'business.concurrent', limit: 1 },
        { name: 'business.connections', limit: 3, mode: 'enforced' },
      );
      const running = await fill('d1');
      const waiting = [get('d2'), get('d3')];
      await areWaiting(2);
      const refused = await get('d4');
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'Application_TooManyRequests' } } });
      expect(refused.body.error.message).toContain('Actual (4). Maximum (3).');
      await eventually(() => {
        gates.openAll();
        expect(gates.entered).toEqual(expect.arrayContaining(['d2', 'd3']));
      });
      gates.openAll();
      expect((await Promise.all([...running, ...waiting])).map(({ status }) => status)).toEqual([200, 200, 200]);
    });

    it('a request that has waited for eight minutes is refused with Retry-After', async () => {
      await setLimits(bench, { name: 'business.concurrent', limit: 1 });
      const running = await fill('e1');
      const waiting = get('e2');
      await areWaiting(1);
      await bench.jar.clock.advance('7m59s');
      await areWaiting(1);
      await bench.jar.clock.advance('1s');
      const refused = await waiting;
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'ServiceUnavailable' } } });
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(refused.body.error.message).toContain('queued for 8 minutes');
      gates.open('e1');
      expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200]);
      expect(gates.entered).not.toContain('e2');
    });

    it('a client that disconnects leaves the queue, and requests after it move up', async () => {
      await setLimits(bench, { name: 'business.concurrent', limit: 1 });
      const running = await fill('f1');
      const leaving = new AbortController();
      const headers = { authorization: `Bearer ${await bench.jar.token()}` };
      const gone = fetch(`${bench.jar.url}/gated/f2`, { headers, signal: leaving.signal }).catch(() => 'gone');
      await areWaiting(1);
      const waiting = get('f3');
      await areWaiting(2);
      leaving.abort();
      expect(await gone).toBe('gone');
      await areWaiting(1);
      gates.open('f1');
      await hasEntered('f1', 'f3');
      gates.open('f3');
      expect((await Promise.all([...running, waiting])).map(({ status }) => status)).toEqual([200, 200]);
    });

    it('a raised limit starts waiting requests', async () => {
      await setLimits(bench, { name: 'business.concurrent', limit: 0 });
      const waiting = get('g1');
      await areWaiting(1);
      await setLimits(bench, { name: 'business.concurrent', limit: 1 });
      await hasEntered('g1');
      gates.open('g1');
      expect((await waiting).status).toBe(200);
    });

    it('a reset begins the wait anew', async () => {
      await setLimits(bench, { name: 'business.concurrent', limit: 0 });
      const waiting = get('h1');
      await areWaiting(1);
      await bench.jar.clock.advance('7m');
      await bench.jar.reset();
      // The limits have their defaults again.
      await hasEntered('h1');
      gates.open('h1');
      expect((await waiting).status).toBe(200);
    });
  },
  { services: gatedServices(gates) },
);

it('a jar that closes leaves no request waiting', async () => {
  const own = new Gates();
  const jar = await startJar({ services: gatedServices(own) });
  const headers = { authorization: `Bearer ${await jar.token()}` };
  const ask = (name: string) => fetch(`${jar.url}/gated/${name}`, { headers }).then(({ status }) => status);
  const all = Array.from({ length: 6 }, (_, index) => ask(`r${index}`));
  await eventually(() => expect(own.entered).toHaveLength(5));
  const closing = jar.close();
  own.openAll();
  await closing;
  const statuses = await Promise.allSettled(all);
  expect(statuses.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(5);
});
