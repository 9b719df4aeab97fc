import { createHmac } from 'node:crypto';
import { AzureKeyCredential, generateSharedAccessSignature } from '@azure/eventgrid';
import { beforeAll, expect, it, vi } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { Grid } from '../topics/grid.ts';
import { taken } from './published.ts';

vi.mock('../../../../src/services/events/accept.ts', async (original) => {
  const { recording } = await import('./published.ts');
  return recording(original as never);
});

const EVENT = { id: '1', eventType: 'Shop.Sold', subject: '/1', eventTime: '2030-01-01T00:00:00Z' };
const START = '2030-01-01T00:00:00Z';

/** Who may publish, and how other callers are refused. */
withJar(
  (bench) => {
    const grid = () => new Grid(bench, 'admission');
    let keys: { key1: string; key2: string };
    let endpoint: string;

    beforeAll(async () => {
      ({ endpoint } = (await grid().create('topics/orders')).properties);
      keys = await grid().keys('topics/orders');
    });

    const post = (headers: Record<string, string>, path = new URL(endpoint).pathname) =>
      bench.call('POST', path, { token: null, headers, body: [EVENT] });
    const reasonOf = async (headers: Record<string, string>, path?: string) => {
      const { status, body } = await post(headers, path);
      expect(taken()).toEqual([]);
      return [status, body.error.code, body.error.message];
    };

    it('takes either key, in a header or in the query', async () => {
      expect(await post({ 'aeg-sas-key': keys.key1 })).toMatchObject({ status: 200, text: '' });
      expect(await post({ 'aeg-sas-key': keys.key2 })).toMatchObject({ status: 200 });
      const path = `${new URL(endpoint).pathname}?api-version=2018-01-01&aeg-sas-key=${encodeURIComponent(keys.key1)}`;
      expect(await post({}, path)).toMatchObject({ status: 200 });
      expect(taken()).toHaveLength(3);
    });

    it('accepts a key in the query that was not encoded', async () => {
      const name = 'topics/unencoded';
      await grid().create(name);
      const path = '/events/westeurope/unencoded/api/events?aeg-sas-key=';
      for (let i = 0; i < 4; i++) {
        const { key1, key2 } = await grid().keys(name);
        for (const key of [key1, key2]) expect(await post({}, path + key)).toMatchObject({ status: 200 });
        await grid().call('POST', `${name}/regenerateKey`, { body: { keyName: 'key1' } });
      }
      taken();
    });

    it('answers with the id of the request, and with nothing else', async () => {
      const { headers, text } = await post({ 'aeg-sas-key': keys.key1 });
      expect(text).toBe('');
      expect(headers.get('content-length')).toBe('0');
      expect(headers.get('x-ms-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      taken();
    });

    it('explains its refusals, in the shape of the real service', async () => {
      const { status, body, headers } = await post({});
      const message =
        "The request is not authorized for 'orders.westeurope': it has none of the headers 'aeg-sas-key', 'aeg-sas-token' and 'Authorization'.";
      expect(status).toBe(401);
      expect(body).toEqual({
        error: { code: 'Unauthorized', message, details: [{ code: 'Unauthorized', message }] },
      });
      expect(headers.get('x-ms-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    });

    it.each<[string, () => Record<string, string>, RegExp]>([
      ['a wrong key', () => ({ 'aeg-sas-key': `${keys.key1.slice(0, -2)}x=` }), /access key is wrong/],
      ['an empty key', () => ({ 'aeg-sas-key': '' }), /access key is wrong/],
      ['a key that is too long', () => ({ 'aeg-sas-key': `${keys.key1}${keys.key1}` }), /access key is wrong/],
      ['a wrong key beside a good token', () => ({ 'aeg-sas-key': 'x', authorization: 'Bearer x' }), /key is wrong/],
      [
        'another scheme',
        () => ({ authorization: `Basic ${keys.key1}` }),
        /must be 'SharedAccessSignature' or 'Bearer'/,
      ],
      ['no signature', () => ({ 'aeg-sas-token': 'r=x&e=y' }), /must be 'r=/],
      ['an empty signature', () => ({ authorization: 'SharedAccessSignature ' }), /must be 'SharedAccessSignature' or/],
      ['a token that is none', () => ({ authorization: 'Bearer x' }), /access token is not valid/],
    ])('refuses %s', async (_, headers, message) => {
      expect(await reasonOf(headers())).toEqual([401, 'Unauthorized', expect.stringMatching(message)]);
    });

    const sign = (resource: string, expiry: string, key = keys.key1) => {
      const text = `r=${encodeURIComponent(resource)}&e=${encodeURIComponent(expiry)}`;
      const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
      return `${text}&s=${encodeURIComponent(signature)}`;
    };

    it('takes signatures of the official client, in both headers', async () => {
      const until = new Date('2030-01-01T12:00:01Z');
      const token = await generateSharedAccessSignature(endpoint, new AzureKeyCredential(keys.key2), until);
      expect(token).toContain('12%3A00%3A01%20PM');
      expect(await post({ 'aeg-sas-token': token })).toMatchObject({ status: 200 });
      expect(await post({ authorization: `SharedAccessSignature ${token}` })).toMatchObject({ status: 200 });
      expect(taken()).toHaveLength(2);
    });

    it.each<[string, () => string]>([
      ['the endpoint', () => endpoint],
      ['the endpoint by another name of this machine', () => endpoint.replace('localhost', '127.0.0.1')],
      ['the endpoint on another port', () => endpoint.replace(/:\d+/, '')],
      ['the endpoint in capitals', () => endpoint.toUpperCase()],
      ['the endpoint without a scheme', () => endpoint.replace('https://', '')],
      ['what the endpoint is below', () => endpoint.replace('/api/events', '')],
      ['the same with a slash', () => endpoint.replace('api/events', '')],
      ['the virtual host', () => 'https://orders.westeurope.events.localhost/api/events'],
    ])('takes a signature for %s', async (_, resource) => {
      expect(await post({ 'aeg-sas-token': sign(resource(), '2031-01-01T00:00:00Z') })).toMatchObject({ status: 200 });
      expect(taken()).toHaveLength(1);
    });

    it.each<[string, () => string, RegExp]>([
      ['for another topic', () => sign(endpoint.replace('orders', 'order'), '2031-01-01'), /for another resource/],
      ['for another host', () => sign('https://example.com/events', '2031-01-01'), /for another resource/],
      ['for nothing', () => sign('https://', '2031-01-01'), /for another resource/],
      ['with another key', () => sign(endpoint, '2031-01-01', 'bm9uZQ=='), /not signed with a key/],
      [
        'that was changed',
        () => sign(endpoint, '2030-01-01').replace('2030-01-01', '2031-01-01'),
        /not signed with a key/,
      ],
      [
        'that has expired',
        () => sign(endpoint, '2029-12-31T23:59:59Z'),
        /expired at 2029-12-31T23:59:59.000Z; the time here is 2030-/,
      ],
      ['that expires now', () => sign(endpoint, START), /expired/],
      ['that never expires', () => sign(endpoint, 'never'), /is not a time/],
    ])('refuses a signature %s', async (_, token, message) => {
      expect(await reasonOf({ 'aeg-sas-token': token() })).toEqual([
        401,
        'Unauthorized',
        expect.stringMatching(message),
      ]);
    });

    it.each([
      'https://eventgrid.azure.net',
      'https://eventgrid.vendor.example',
      'https://management.azure.com',
      undefined,
    ])('takes a token for %s', async (audience) => {
      const token = await bench.jar.token({ ...(audience !== undefined && { audience }) });
      expect(await post({ authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
      expect(taken()).toHaveLength(1);
    });

    it('refuses a token for another API, and names the authority for tokens', async () => {
      const token = await bench.jar.token({ audience: 'https://graph.example' });
      const { status, body, headers } = await post({ authorization: `Bearer ${token}` });
      expect([status, body.error.code]).toEqual([401, 'Unauthorized']);
      expect(body.error.message).toMatch(/for the audience 'https:\/\/graph.example'/);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer authorization_uri="/);
    });

    it('refuses the token of another tenant', async () => {
      const token = await bench.jar.token({ user: 'other' });
      expect(await reasonOf({ authorization: `Bearer ${token}` })).toEqual([
        401,
        'Unauthorized',
        expect.stringMatching(/for the tenant/),
      ]);
    });

    it('refuses a caller with the role Reader', async () => {
      const token = await bench.jar.token({ user: 'no-job-queue' });
      expect(await reasonOf({ authorization: `Bearer ${token}` })).toEqual([
        403,
        'Forbidden',
        expect.stringMatching(/has no role there/),
      ]);
    });

    it('refuses keys and signatures where local authentication is off, but no tokens', async () => {
      const { properties } = await grid().create('topics/tokens-only', { disableLocalAuth: true });
      const path = new URL(properties.endpoint).pathname;
      const { key1 } = await grid().keys('topics/tokens-only');
      const refusal = [401, 'Unauthorized', expect.stringMatching(/'disableLocalAuth'/)];
      expect(await reasonOf({ 'aeg-sas-key': key1 }, path)).toEqual(refusal);
      const token = sign(properties.endpoint, '2031-01-01', key1);
      expect(await reasonOf({ 'aeg-sas-token': token }, path)).toEqual(refusal);
      expect(await post({ authorization: `Bearer ${await bench.jar.token()}` }, path)).toMatchObject({ status: 200 });
      expect(taken()).toHaveLength(1);
    });

    const forbidden = (reason: string): object => ({
      status: 403,
      body: { error: { code: 'Forbidden', message: expect.stringContaining(reason) } },
    });
    it.each<[string, object, object]>([
      ['closed to the public', { publicNetworkAccess: 'Disabled' }, forbidden('public network access')],
      [
        'open to others',
        { inboundIpRules: [{ ipMask: '10.0.0.0/8', action: 'Allow' }] },
        forbidden('inbound IP rules'),
      ],
      [
        'open to this machine',
        { inboundIpRules: [{ ipMask: '10.1.2.3' }, { ipMask: '127.0.0.0/8' }] },
        { status: 200 },
      ],
    ])('asks where a request comes from: a topic that is %s', async (_, properties, expected) => {
      const topic = await grid().create('topics/network', properties);
      const path = new URL(topic.properties.endpoint).pathname;
      const { key1 } = await grid().keys('topics/network');
      expect(await post({ 'aeg-sas-key': key1 }, path)).toMatchObject(expected);
      taken();
      await grid().delete('topics/network');
      await bench.jar.settled();
    });

    it('accepts a new key at once, and no longer the old one', async () => {
      await grid().create('topics/rotated');
      const path = '/events/westeurope/rotated/api/events';
      const { key1, key2 } = await grid().keys('topics/rotated');
      expect(await post({ 'aeg-sas-key': key1 }, path)).toMatchObject({ status: 200 });
      const made = await grid().call('POST', 'topics/rotated/regenerateKey', { body: { keyName: 'key1' } });
      expect(await post({ 'aeg-sas-key': key1 }, path)).toMatchObject({ status: 401 });
      expect(await post({ 'aeg-sas-key': key2 }, path)).toMatchObject({ status: 200 });
      expect(await post({ 'aeg-sas-key': made.body.key1 }, path)).toMatchObject({ status: 200 });
      taken();
    });

    it.each([
      '/events/westus/orders/api/events',
      '/events/westeurope/nothing/api/events',
      '/api/events',
      '/events/westeurope',
    ])('finds nothing at %s', async (path) => {
      expect(await reasonOf({ 'aeg-sas-key': keys.key1 }, path)).toEqual([404, 'NotFound', expect.any(String)]);
    });

    it('does not find a deleted topic', async () => {
      await grid().create('topics/gone');
      const { key1 } = await grid().keys('topics/gone');
      await grid().delete('topics/gone');
      await bench.jar.settled();
      expect(await reasonOf({ 'aeg-sas-key': key1 }, '/events/westeurope/gone/api/events')).toEqual([
        404,
        'NotFound',
        "There is no topic or domain 'gone' in the region 'westeurope' to publish to.",
      ]);
    });

    it('finds a topic in any casing', async () => {
      expect(await post({ 'aeg-sas-key': keys.key1 }, '/EVENTS/WestEurope/ORDERS/Api/Events')).toMatchObject({
        status: 200,
      });
      taken();
    });

    it('accepts only POST, and answers CORS preflights of any origin', async () => {
      const path = new URL(endpoint).pathname;
      expect((await bench.call('GET', path)).body.error.code).toBe('MethodNotAllowed');
      const preflight = await fetch(bench.jar.url + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://page.example', 'access-control-request-method': 'POST' },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    });
  },
  { clockStart: START, namespace: ['Microsoft'] },
);
