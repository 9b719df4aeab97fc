import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { json } from 'node:stream/consumers';
import { beforeAll, expect, it, vi } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { Grid } from '../topics/grid.ts';
import { taken } from './published.ts';

vi.mock('../../../../src/services/events/accept.ts', async (original) => {
  const { recording } = await import('./published.ts');
  return recording(original as never);
});

/** Topics by host name, as in the real service. */
withJar((bench) => {
  let key: string;
  const body = JSON.stringify([{ id: '1', eventType: 'Shop.Sold', subject: '/1', eventTime: '2030-01-01' }]);

  beforeAll(async () => {
    const grid = new Grid(bench, 'hosts');
    await grid.create('topics/orders');
    ({ key1: key } = await grid.keys('topics/orders'));
  });

  /** Names below localhost resolve to this machine, except in the resolvers of some systems. */
  const lookup: NonNullable<Parameters<typeof request>[1] & object>['lookup'] = (_host, options, done) =>
    options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

  async function post(host: string, secure = true): Promise<[number | undefined, string | undefined]> {
    const { port } = new URL(secure ? bench.jar.httpsUrl : bench.jar.url);
    const headers = { 'aeg-sas-key': key, 'content-type': 'application/json', 'content-length': body.length };
    const options = { host, port, path: '/api/events?api-version=2018-01-01', method: 'POST', headers, lookup };
    // A client that trusts the jar's certificate authority and verifies the host name.
    const sent = secure
      ? request({ ...options, ca: bench.jar.ca, agent: new Agent(), servername: host })
      : plainRequest(options);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const { statusCode, headers: received } = response;
    const text =
      received['content-length'] === '0' ? undefined : ((await json(response)) as { error: { code: string } });
    response.resume();
    return [statusCode, text?.error.code];
  }

  it.each([true, false])('publishes to the topic that the host is named after (HTTPS: %s)', async (secure) => {
    expect(await post('orders.westeurope.events.localhost', secure)).toEqual([200, undefined]);
    expect(await post('ORDERS.WestEurope.Events.localhost', secure)).toEqual([200, undefined]);
    expect(taken()).toHaveLength(2);
  });

  it('finds no other topic there', async () => {
    expect(await post('orders.westus.events.localhost')).toEqual([404, 'NotFound']);
    expect(await post('other.westeurope.events.localhost')).toEqual([404, 'NotFound']);
    expect(await post('orders.westeurope.localhost')).toEqual([404, 'NotFound']);
    expect(await post('localhost')).toEqual([404, 'NotFound']);
    expect(taken()).toEqual([]);
  });
});
