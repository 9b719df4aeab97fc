import { beforeEach, expect, it } from 'vitest';
import { SUBSCRIPTION, withJar } from '../../support/jars.ts';

const V = 'api-version=2025-04-01';
const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;

withJar(
  (bench) => {
    const patch = (body: unknown) => bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body });
    beforeEach(() => bench.jar.reset());

    it('counts reads, writes and deletes apart and tells what remains', async () => {
      const read = await bench.call('GET', `${GROUPS}?${V}`);
      expect(read.headers.get('x-ms-ratelimit-remaining-subscription-reads')).toBe('249');
      expect(read.headers.get('x-ms-ratelimit-remaining-subscription-global-reads')).toBe('3749');
      const write = await bench.call('PUT', `${GROUPS}/t?${V}`, { body: { location: 'eastus' } });
      expect(write.headers.get('x-ms-ratelimit-remaining-subscription-writes')).toBe('199');
      const action = await bench.call(
        'POST',
        `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Resources/register?${V}`,
      );
      expect(action.headers.get('x-ms-ratelimit-remaining-subscription-writes')).toMatch(/^19[89]$/);
      const gone = await bench.call('DELETE', `${GROUPS}/t?${V}`);
      expect(gone.headers.get('x-ms-ratelimit-remaining-subscription-deletes')).toBe('199');
      const tenant = await bench.call('GET', `/subscriptions?${V}`);
      expect(tenant.headers.get('x-ms-ratelimit-remaining-tenant-reads')).toBe('249');
    });

    it('refuses with 429 and Retry-After when the bucket is empty, and goes on after a pause on the clock', async () => {
      let refused = await bench.call('DELETE', `${GROUPS}/none?${V}`);
      for (let i = 0; i < 400 && refused.status !== 429; i++)
        refused = await bench.call('DELETE', `${GROUPS}/none?${V}`);
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'SubscriptionRequestsThrottled' } } });
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(refused.headers.get('x-ms-failure-cause')).toBe('gateway');
      expect(refused.headers.get('x-ms-ratelimit-remaining-subscription-deletes')).toBe('0');
      // Another principal has its own bucket.
      const token = await bench.jar.token({ user: 'app' });
      expect((await bench.call('DELETE', `${GROUPS}/none?${V}`, { token })).status).toBe(404);
      await bench.jar.clock.advance(`${wait}s`);
      expect((await bench.call('DELETE', `${GROUPS}/none?${V}`)).status).toBe(404);
    });

    it('64 clients at once get exactly as many through as the bucket holds', async () => {
      await patch({ name: 'management.reads', size: 40, refillPerSecond: 0 });
      const replies = await Promise.all(Array.from({ length: 64 }, () => bench.call('GET', `${GROUPS}?${V}`)));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(40);
      const left = replies.map(({ headers }) => headers.get('x-ms-ratelimit-remaining-subscription-reads'));
      expect(new Set(left).size).toBe(40);
    });

    it("the shared bucket can run out before a caller's own, and a refused request takes from neither", async () => {
      await patch([
        { name: 'management.global-reads', size: 3, refillPerSecond: 0 },
        { name: 'management.reads', refillPerSecond: 0 },
      ]);
      const token = await bench.jar.token({ user: 'app' });
      for (let n = 0; n < 3; n++) expect((await bench.call('GET', `${GROUPS}?${V}`)).status).toBe(200);
      const refused = await bench.call('GET', `${GROUPS}?${V}`, { token });
      expect(refused.status).toBe(429);
      expect(refused.headers.get('x-ms-ratelimit-remaining-subscription-reads')).toBe('250');
      expect(refused.headers.get('x-ms-ratelimit-remaining-subscription-global-reads')).toBe('0');
    });

    it('calls outside of subscriptions are throttled per tenant and caller', async () => {
      await patch({ name: 'management.tenant-reads', size: 1, refillPerSecond: 0.5 });
      expect((await bench.call('GET', `/subscriptions?${V}`)).status).toBe(200);
      const refused = await bench.call('GET', `/subscriptions?${V}`);
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'TooManyRequests' } } });
      expect(refused.headers.get('retry-after')).toBe('2');
      expect((await bench.call('GET', `${GROUPS}?${V}`)).status).toBe(200);
    });
  },
  { clock: 'shifted' },
);
