import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { errorOf } from '../support.ts';
import { openWebhooks, type Webhooks } from './support.ts';

const SETS = ['customers', 'vendors', 'items'];

onBothStores('the list of webhook subscriptions', (bench) => {
  let hooks: Webhooks;
  beforeEach(async () => {
    if (hooks) return;
    hooks = await openWebhooks(bench);
    for (const set of SETS) {
      await hooks.make(set, `list-${set}`, { clientState: `state of ${set}` });
      await bench.jar.clock.advance('1s');
    }
  });
  const setsOf = (reply: { body: { value: { resource: string }[] } }) =>
    reply.body.value.map(({ resource }) => resource.split('/').at(-1));

  it('has all subscriptions of the tenant in order of creation, on every route and below the company', async () => {
    for (const path of ['/api/v2.0', '/api/v1.0', `/api/v2.0/companies(${hooks.companyId})`]) {
      const reply = await bench.call('GET', `${path}/subscriptions`);
      expect([path, reply.status, setsOf(reply)]).toEqual([path, 200, SETS]);
    }
    const { body } = await hooks.list();
    expect(body['@odata.context']).toBe(`${bench.jar.url}/api/v2.0/$metadata#subscriptions`);
    expect(body.value[0]['@odata.etag']).toMatch(/^W\/".+"$/);
  });

  it.each([
    ["$filter=clientState eq 'state of items'", ['items']],
    [`$filter=endswith(notificationUrl,'vendors')`, ['vendors']],
    ["$filter=resource eq '*/items'", ['items']],
    ["$filter=notificationUrl eq '*list-*'&$top=2", ['customers', 'vendors']],
    ['$filter=expirationDateTime gt 2000-01-01T00:00:00Z', SETS],
    ['$filter=userId eq 00000000-0000-0000-0000-000000000000', []],
    ['$orderby=resource desc', ['vendors', 'items', 'customers']],
    ['$orderby=expirationDateTime desc&$top=1', ['items']],
    ['$skip=1&$top=1', ['vendors']],
  ])('is asked by %s', async (query, expected) => {
    const reply = await hooks.list(`?${query}`);
    expect([reply.text, setsOf(reply)]).toEqual([expect.any(String), expected]);
  });

  it('counts, selects and goes on in pages', async () => {
    const first = await hooks.list('?$count=true&$select=resource', { headers: { prefer: 'odata.maxpagesize=2' } });
    expect(first.body['@odata.count']).toBe(3);
    expect(Object.keys(first.body.value[0])).toEqual(['@odata.etag', 'resource']);
    expect(first.body.value).toHaveLength(2);
    const next = await bench.call('GET', first.body['@odata.nextLink'], { headers: { prefer: 'odata.maxpagesize=2' } });
    expect(setsOf(next)).toEqual(['items']);
    expect(next.body['@odata.nextLink']).toBeUndefined();
    const count = await hooks.list("/$count?$filter=clientState ne 'state of items'");
    expect([count.headers.get('content-type'), count.text]).toEqual([expect.stringContaining('text/plain'), '2']);
  });

  it.each([
    ['$filter=nothing eq 1', 'nothing'],
    ['$filter=clientState is x', '$filter'],
    ['$orderby=clientState', 'cannot be ordered'],
    ['$top=many', '$top'],
  ])('refuses %s', async (query, reason) => {
    expect(errorOf(await hooks.list(`?${query}`))).toMatchObject({
      status: 400,
      message: expect.stringContaining(reason),
    });
  });
});
