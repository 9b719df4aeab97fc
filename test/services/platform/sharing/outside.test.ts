import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { onBothStores } from '../../../support/jars.ts';
import { people, UC } from '../catalog/people.ts';
import { type Ask, good, refusal } from '../support.ts';

onBothStores(
  'data platform: providers outside of the jar',
  (bench) => {
    let ask: Ask;
    let outside: Server | undefined;

    beforeEach(async () => {
      ({ ask } = await people(bench));
    });
    afterEach(async () => {
      outside?.closeAllConnections();
      await new Promise((resolve) => (outside ? outside.close(resolve) : resolve(undefined)));
      outside = undefined;
    });

    const provider = (name: string, profile: object) =>
      good(
        ask('POST', `${UC}/providers`, {
          name,
          authentication_type: 'TOKEN',
          recipient_profile_str: JSON.stringify({ shareCredentialsVersion: 1, ...profile }),
        }),
      );

    const shares = (name: string) => ask('GET', `${UC}/providers/${name}/shares`);
    const assets = (name: string, share: string, query = '') =>
      ask('GET', `/api/2.1/data-sharing/providers/${name}/shares/${share}${query}`);

    it('another jar lists its shares and tables by its profile, until the token ends', async () => {
      const other: TestJar = await startJar({ clock: 'virtual' });
      try {
        const token = await other.token({ user: 'admin', ttl: '365d' });
        const there = async (method: string, path: string, body?: object) => {
          const reply = await fetch(`${other.url}${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            ...(body && { body: JSON.stringify(body) }),
          });
          expect(reply.status, await reply.clone().text()).toBe(200);
          return (await reply.json()) as Record<string, string>;
        };
        for (const name of ['orders', 'items'])
          await there('POST', `${UC}/tables`, {
            catalog_name: 'main',
            schema_name: 'default',
            name,
            table_type: 'EXTERNAL',
            data_source_format: 'DELTA',
            storage_location: `abfss://data@store.dfs.core.windows.net/${name}`,
            columns: [{ name: 'id', type_name: 'LONG' }],
          });
        await there('POST', `${UC}/shares`, { name: 'sales' });
        const data_object = { name: 'main.default', data_object_type: 'SCHEMA', shared_as: 'out' };
        await there('PATCH', `${UC}/shares/sales`, { updates: [{ action: 'ADD', data_object }] });
        const made = await there('POST', `${UC}/recipients`, { name: 'us', authentication_type: 'TOKEN' });
        const changes = [{ principal: 'us', add: ['SELECT'] }];
        await there('PATCH', `${UC}/shares/sales/permissions`, { changes });
        const code = made.activation_url?.split('?')[1];
        const profile = await (await fetch(`${other.url}${UC}/public/data_sharing_activation/${code}`)).json();
        await provider('partner', profile as object);
        expect(await good(shares('partner'))).toEqual({ shares: [{ name: 'sales' }] });
        const listed = await good(assets('partner', 'SALES'));
        expect(listed).toMatchObject({
          share: { name: 'sales' },
          tables: [
            { name: 'items', schema: 'out', share: 'sales' },
            { name: 'orders', schema: 'out', share: 'sales' },
          ],
        });
        expect((await good(assets('partner', 'sales', '?table_max_results=1'))).tables).toHaveLength(1);
        expect(refusal(await assets('partner', 'sales', '?table_max_results=-1'))).toMatchObject({ status: 400 });
        expect(refusal(await assets('partner', 'none'))).toMatchObject({
          status: 404,
          code: 'RESOURCE_DOES_NOT_EXIST',
        });
        const catalog = { name: 'c', provider_name: 'partner', share_name: 'sales' };
        expect(refusal(await ask('POST', `${UC}/catalogs`, catalog))).toMatchObject({
          status: 400,
          code: 'INVALID_STATE',
          message: expect.stringContaining('is outside of this platform'),
        });
        await there('POST', `${UC}/recipients/us/rotate-token`, { existing_token_expire_in_seconds: 0 });
        expect(refusal(await shares('partner'))).toMatchObject({
          status: 403,
          code: 'PERMISSION_DENIED',
          message: expect.stringContaining('The bearer token is unknown or has expired'),
        });
      } finally {
        await other.close();
      }
    });

    it('what a provider does wrong is said', async () => {
      let answer: { readonly status: number; readonly text: string } = { status: 200, text: '{}' };
      outside = createServer((_request, response) => {
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
      });
      await new Promise<void>((resolve) => outside?.listen(0, '127.0.0.1', resolve));
      const endpoint = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/delta-sharing/`;
      await provider('p', { endpoint, bearerToken: 't' });
      await provider('old', { endpoint, bearerToken: 't', expirationTime: '2020-01-01T00:00:00Z' });
      await provider('oauth', { endpoint, shareCredentialsVersion: 2 });
      await provider('nowhere', { endpoint: 'http://127.0.0.1:1/', bearerToken: 't' });
      await provider('blocked', { endpoint: 'https://169.254.169.254/', bearerToken: 't' });
      expect(await good(shares('p'))).toEqual({ shares: [] });
      const cases: readonly [number, string, object][] = [
        [
          401,
          '{"errorCode":"X","message":"who are you"}',
          { status: 403, message: expect.stringContaining('who are you') },
        ],
        [404, '{}', { status: 404 }],
        [500, 'oops', { status: 502, code: 'INTERNAL_ERROR' }],
        [302, '', { status: 502 }],
        [200, 'oops', { status: 502, message: expect.stringContaining('not JSON') }],
        [200, '[1]', { status: 502 }],
        [200, '{"items":[5,{"name":"a"}]}', { status: 200 }],
        [200, '{"items":[],"nextPageToken":"again"}', { status: 502, message: expect.stringContaining('pages') }],
        [
          200,
          JSON.stringify({ x: 'x'.repeat(5_000_000) }),
          { status: 502, message: expect.stringContaining('larger') },
        ],
      ];
      for (const [status, text, seen] of cases) {
        answer = { status, text };
        expect(refusal(await shares('p')), text.slice(0, 50)).toMatchObject(seen);
      }
      expect(refusal(await shares('old'))).toMatchObject({ status: 403, message: expect.stringContaining('expired') });
      expect(refusal(await shares('oauth'))).toMatchObject({ status: 400, code: 'INVALID_STATE' });
      expect(refusal(await shares('nowhere'))).toMatchObject({ status: 502 });
      expect(refusal(await shares('blocked'))).toMatchObject({ status: 502 });
    });
  },
  { allowHttpLoopback: true },
);
