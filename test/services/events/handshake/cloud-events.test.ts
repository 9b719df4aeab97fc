import { expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { makeGroup, OPTIONS, operationOf } from '../subscriptions/bench.ts';
import { CLOUD_EVENTS, endpointsOf, hook, saying } from './endpoints.ts';

onAnyStore(
  'an endpoint for CloudEvents has to agree',
  (bench) => {
    const { receiver, api, stateOf, deliveries } = endpointsOf(bench);

    it('by OPTIONS, and the origin in the answer', async () => {
      await makeGroup(bench);
      const { url, received } = await receiver((request, response) => {
        response.setHeader('webhook-allowed-origin', String(request.headers['webhook-request-origin']));
        response.setHeader('webhook-allowed-rate', '60');
        response.end();
      });
      await api().put('cloud', hook(`${url}/in?x=1`, {}, CLOUD_EVENTS));
      await bench.jar.settled();
      expect(await stateOf('cloud')).toBe('Succeeded');
      expect(received).toMatchObject([
        {
          method: 'OPTIONS',
          path: '/in?x=1',
          body: '',
          headers: {
            'webhook-request-origin': 'eventgrid.azure.net',
            'webhook-request-rate': '120',
            'webhook-request-callback': expect.stringMatching(/^https:\/\/.*\/eventsubscriptions\/cloud\/validate\?/),
          },
        },
      ]);
      const [record] = await deliveries('cloud');
      expect(record.rule).toBe('200 with WebHook-Allowed-Origin: eventgrid.azure.net');
      expect(JSON.stringify(record)).toContain('"webhook-allowed-rate":"60"');
    });

    it.each(['GET', 'POST'])('later by %s to the callback', async (method) => {
      const name = `cloud-${method}`.toLowerCase();
      const { url, received } = await receiver(saying(200));
      await api().put(name, hook(url, {}, CLOUD_EVENTS));
      await bench.jar.settled();
      expect(await stateOf(name)).toBe('AwaitingManualAction');
      const callback = String(received[0]?.headers['webhook-request-callback']);
      const form = method === 'POST' ? { body: 'granted=yes', headers: { 'content-type': 'text/weird' } } : {};
      expect((await fetch(callback, { method, ...form })).status).toBe(200);
      expect(await stateOf(name)).toBe('Succeeded');
    });

    it('not by another origin or by 405', async () => {
      const other = await receiver((_, response) => {
        response.setHeader('webhook-allowed-origin', 'elsewhere.example');
        response.end();
      });
      const never = await receiver(saying(405));
      const replies = [
        await api().put('other-origin', hook(other.url, {}, CLOUD_EVENTS)),
        await api().put('no-options', hook(never.url, {}, CLOUD_EVENTS)),
      ];
      await bench.jar.clock.advance('5s');
      const [one, two] = await Promise.all(replies.map((reply) => operationOf(bench, reply)));
      expect(one.error.message).toContain('elsewhere.example');
      expect(two.error.message).toContain('Http OPTIONS got the status code 405 in 2 attempts');
      expect([await stateOf('other-origin'), await stateOf('no-options')]).toEqual(['Failed', 'Failed']);
    });
  },
  OPTIONS,
);
