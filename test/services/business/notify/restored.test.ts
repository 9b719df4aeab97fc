import { describe, expect, it, onTestFinished } from 'vitest';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import type { Bench, Reply } from '../../../support/jars.ts';
import { trust } from '../../../support/trust.ts';
import { control } from '../webhooks/support.ts';
import { type Desk, expectStatus, openDesk, short } from './support.ts';

async function benchOf(jar: TestJar): Promise<Bench> {
  trust(jar);
  const own = await jar.token({ ttl: '365d' });
  return {
    jar,
    async call(method, path, { body, token = own, headers = {} } = {}): Promise<Reply> {
      const response = await fetch(path.startsWith('http') ? path : jar.url + path, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
    },
  };
}

describe('a snapshot', () => {
  it('brings back windows, holds and retries, and a reset forgets them', async () => {
    const jar = await startJar();
    onTestFinished(() => jar.close());
    const bench = await benchOf(jar);
    const desk: Desk = await openDesk(bench);
    await desk.hooks.make('customers', 'restored');
    await desk.hooks.make('vendors', 'retried');
    await jar.inbox('retried').respond({ status: 503 });
    const vendor = await desk.books.make('vendors', { displayName: 'Retried' });
    await jar.clock.advance('30s');
    await (await desk.as('delegated-admin')).make('vendors', { displayName: 'Held' });
    const customer = await desk.books.make('customers', { displayName: 'Gathers' });
    await jar.clock.advance('10s');
    expectStatus(await control(bench, 'PUT', 'snapshots/middle'), 201);
    await desk.clear();
    await jar.clock.advance('1h');
    expectStatus(await control(bench, 'POST', 'snapshots/middle/restore'), 200);
    await jar.inbox('retried').respond({ status: 200 });
    const before = (await desk.entries('retried')).length;
    await jar.clock.advance('20s');
    expect((await desk.entries('restored')).map(short)).toEqual([`created customers(${customer.id})`]);
    await jar.clock.advance('1m');
    expect((await desk.entries('retried')).slice(before).map(short)).toContain(`created vendors(${vendor.id})`);

    await desk.books.make('customers', { displayName: 'Forgotten' });
    expectStatus(await control(bench, 'POST', 'reset'), 200);
    expect(await desk.windows()).toEqual([]);
    await jar.clock.advance('1h');
    expect(await desk.entries('restored')).toEqual([]);
  });
});
