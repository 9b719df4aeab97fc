import { describe, expect, it } from 'vitest';
import type { Bench } from '../../../support/jars.ts';
import { onBothStores, withJar } from '../benches.ts';
import { limitNamed, setLimits } from './gated.ts';

const API = '/api/v2.0';

/** Waits until a fault rule has matched a request. */
const isHit = (bench: Bench, id: string) =>
  expect.poll(async () => (await bench.jar.faults.list()).find((rule) => rule.id === id)?.hits).toBe(1);

onBothStores('requests of a user in a while', (bench) => {
  it('are counted, and on a clock that stands still refused only on request', async () => {
    const row = await limitNamed(bench, 'business.requests');
    expect(row).toMatchObject({
      kind: 'window',
      window: 'sliding',
      table: { limit: 6000, windowMs: 300_000 },
      inForce: { mode: 'shadow' },
      incidental: true,
    });
    await setLimits(bench, { name: 'business.requests', limit: 1 });
    const token = await bench.jar.token({ user: 'no-job-queue' });
    for (let count = 0; count < 3; count++) {
      expect((await bench.call('GET', `${API}/companies`, { token })).status).toBe(200);
    }
    const { use, shadowRefusals } = await limitNamed(bench, 'business.requests');
    expect(use).toEqual([
      expect.objectContaining({ scope: { user: '10000000-0000-4000-8000-000000000014' }, used: 3 }),
    ]);
    expect(shadowRefusals).toBe(2);
  });

  it('beyond the limit are 429 with the counts, and get through after Retry-After, in seconds of the clock', async () => {
    await setLimits(bench, { name: 'business.requests', limit: 3, windowMs: 6000, mode: 'enforced' });
    const token = await bench.jar.token({ user: 'licensed' });
    const ask = () => bench.call('GET', `${API}/companies`, { token });
    const replies = [await ask(), await ask(), await ask(), await ask()];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const refused = replies[3];
    expect(refused?.body.error.code).toBe('Application_TooManyRequests');
    expect(refused?.body.error.message).toMatch(
      /^Too many requests reached\. Actual \(4\)\. Maximum \(3\)\..* {2}CorrelationId: {2}[0-9a-f-]{36}\.$/,
    );
    const seconds = Number(refused?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    await bench.jar.clock.advance(`${seconds - 1}s`);
    expect((await ask()).status).toBe(429);
    const { earlyRetries } = await limitNamed(bench, 'business.requests');
    expect(earlyRetries).toEqual([expect.objectContaining({ name: 'licensed@vendor.example', times: 1 })]);
    await bench.jar.clock.advance('1s');
    expect((await ask()).status).toBe(200);
    // Another user and an application have their own counts.
    const other = await bench.jar.token({ user: 'app' });
    expect((await bench.call('GET', `${API}/companies`, { token: other })).status).toBe(200);
  });

  it('that are refused change nothing', async () => {
    const { body } = await bench.call('GET', `${API}/companies`);
    const items = `${API}/companies(${body.value[0].id})/items`;
    const count = (await bench.call('GET', `${items}/$count`)).text;
    const token = await bench.jar.token({ user: 'delegated-admin' });
    await setLimits(bench, {
      name: 'business.requests',
      scope: { user: '10000000-0000-4000-8000-000000000013' },
      limit: 0,
      mode: 'enforced',
    });
    expect((await bench.call('POST', items, { token, body: { displayName: 'No' } })).status).toBe(429);
    expect((await bench.call('GET', `${items}/$count`)).text).toBe(count);
  });
});

describe('a request that takes too long', () => {
  withJar((bench) => {
    const customers = async (): Promise<string> => {
      const { body } = await bench.call('GET', `${API}/companies`);
      return `${API}/companies(${body.value[0].id})/customers`;
    };
    /** Sends a request with an injected latency, and advances the clock while it is held. */
    const held = async (latencyMs: number, by: string, send: () => ReturnType<typeof bench.call>) => {
      const { id } = await bench.jar.faults.add({ match: { service: 'business' }, effect: { latencyMs }, count: 1 });
      const reply = send();
      await isHit(bench, id);
      await bench.jar.clock.advance(by);
      return reply;
    };

    it('is 504 after ten minutes, and nothing of it is stored', async () => {
      const url = await customers();
      const before = (await bench.call('GET', `${url}/$count`)).text;
      const reply = await held(601_000, '601s', () => bench.call('POST', url, { body: { displayName: 'Late' } }));
      expect(reply).toMatchObject({ status: 504, body: { error: { code: 'GatewayTimeout' } } });
      expect(reply.body.error.message).toContain('within 10 minutes');
      expect((await bench.call('GET', `${url}/$count`)).text).toBe(before);
    });

    it('is answered if it completes a moment before', async () => {
      const url = await customers();
      const reply = await held(599_000, '599s', () => bench.call('POST', url, { body: { displayName: 'In time' } }));
      expect(reply.status).toBe(201);
    });

    it('is one request, however many it has inside', async () => {
      const url = await customers();
      const before = (await bench.call('GET', `${url}/$count`)).text;
      const requests = [1, 2].map(() => ({ method: 'POST', url, body: { displayName: 'Late' } }));
      const reply = await held(600_000, '10m', () => bench.call('POST', `${API}/$batch`, { body: { requests } }));
      expect(reply).toMatchObject({ status: 504, body: { error: { code: 'GatewayTimeout' } } });
      expect((await bench.call('GET', `${url}/$count`)).text).toBe(before);
    });
  });
});

describe('with times of one’s own', () => {
  withJar(
    (bench) => {
      it('a request is aborted after the configured times', async () => {
        const effect = { latencyMs: 2000 };
        const { id } = await bench.jar.faults.add({ match: { path: '/api/*' }, effect, count: 1 });
        const reply = bench.call('GET', `${API}/companies`);
        await isHit(bench, id);
        await bench.jar.clock.advance('2s');
        expect(await reply).toMatchObject({ status: 504 });
        expect((await reply).body.error.message).toContain('within 1.5 seconds');
      });
    },
    { settings: { business: { timeouts: { gatewayMs: 1500 } } } },
  );
});
