import { beforeEach, describe, expect, it } from 'vitest';
import { STANDARD_ENTITIES } from '../../../../src/services/business/webhooks/notifiable.ts';
import { onAnyStore, withJar } from '../benches.ts';
import { errorOf } from '../support.ts';
import { openWebhooks, type Webhooks } from './support.ts';

const bothVersions = ['v1.0', 'v2.0'].flatMap((version) => STANDARD_ENTITIES.map((set) => `${version}/${set}`));

const FIELDS = { plate: { type: 'string', maxLength: 20 }, seats: 'int32' };

/** A custom API with one page for each rule that excludes a page from notifications. */
const CUSTOM = [
  {
    publisher: 'contoso',
    group: 'fleet',
    version: 'v1.0',
    entities: [
      { entityName: 'vehicle', entitySetName: 'vehicles', table: { number: 50_100, fields: FIELDS } },
      { entityName: 'client', entitySetName: 'clients', sourceTable: 'customer' },
      { entityName: 'scratch', entitySetName: 'scratches', table: { number: 50_101, temporary: true, fields: FIELDS } },
      {
        entityName: 'leg',
        entitySetName: 'legs',
        table: { number: 50_102, fields: FIELDS },
        keyFields: ['plate', 'seats'],
      },
      { entityName: 'note', entitySetName: 'notes', table: { number: 50_103, fields: FIELDS }, keyFields: [] },
      { entityName: 'session', entitySetName: 'sessions', table: { number: 2_000_000_110, fields: FIELDS } },
      { entityName: 'total', entitySetName: 'totals', sourceTable: 'customer', query: true },
      { entityName: 'job', entitySetName: 'jobs', sourceTable: 'jobQueueEntry' },
    ],
  },
];

const EXCLUDED: readonly (readonly [set: string, reason: string])[] = [
  ['scratches', 'its source table is temporary'],
  ['legs', 'composite key'],
  ['notes', 'declares no key field'],
  ['sessions', 'a system table'],
  ['totals', 'declared as a query'],
  ['jobs', 'the job queue entry table (number 472)'],
];

onAnyStore('the list of supported resources', (bench) => {
  let hooks: Webhooks;
  beforeEach(async () => {
    hooks ??= await openWebhooks(bench);
  });
  const ask = (query = '', publisher = 'vendor') =>
    bench.call('GET', `/api/${publisher}/runtime/beta/companies(${hooks.companyId})/webhookSupportedResources${query}`);
  const resourcesOf = async (query?: string): Promise<string[]> =>
    (await ask(query)).body.value.map(({ resource }: { resource: string }) => resource);

  it('has the 22 entities in both versions, under either name of the publisher', async () => {
    for (const publisher of ['vendor', 'microsoft']) {
      const { status, body } = await ask('', publisher);
      expect(status).toBe(200);
      expect(body.value.map(({ resource }: { resource: string }) => resource).sort()).toEqual([...bothVersions].sort());
      expect(body['@odata.context']).toBe(
        `${bench.jar.url}/api/${publisher}/runtime/beta/$metadata#companies(${hooks.companyId})/webhookSupportedResources`,
      );
    }
  });

  it.each([
    ["?$filter=resource eq 'v2.0*'", bothVersions.filter((each) => each.startsWith('v2.0'))],
    ["?$filter=resource eq 'v1.0/items'", ['v1.0/items']],
    [
      "?$filter=resource eq '*/items' or resource eq 'v2.0/vendors'&$orderby=resource desc",
      ['v2.0/vendors', 'v2.0/items', 'v1.0/items'],
    ],
    [
      "?$filter=startswith(resource,'v2.0/sales')&$orderby=resource&$top=2&$skip=1",
      ['v2.0/salesInvoices', 'v2.0/salesOrders'],
    ],
    ["?$filter=resource eq 'v3.0*'", []],
  ])('is asked by %s', async (query, expected) => {
    expect((await resourcesOf(query)).sort()).toEqual([...expected].sort());
  });

  it('counts', async () => {
    expect((await ask("?$count=true&$top=1&$filter=resource eq 'v2.0*'")).body).toMatchObject({ '@odata.count': 22 });
    expect((await ask('/$count')).text).toBe('44');
  });

  it.each([
    [
      'GET',
      '/api/vendor/runtime/beta/companies(00000000-0000-4000-8000-000000000000)/webhookSupportedResources',
      404,
      'Internal_CompanyNotFound',
    ],
    ['GET', '/api/vendor/runtime/beta/webhookSupportedResources', 404, 'Internal_CompanyNotFound'],
    ['GET', '/api/vendor/runtime/beta/companies({c})/nothing', 404, 'BadRequest_ResourceNotFound'],
    ['GET', '/api/vendor/runtime/v9.0/companies({c})/webhookSupportedResources', 404, 'BadRequest_ResourceNotFound'],
    ['POST', '/api/vendor/runtime/beta/companies({c})/webhookSupportedResources', 405, 'BadRequest_MethodNotAllowed'],
    ['GET', '/api/vendor/runtime/beta/companies({c})/webhookSupportedResources?$filter=colour eq 1', 400, 'BadRequest'],
  ])('refuses %s %s', async (method, path, status, code) => {
    const reply = await bench.call(method, path.replace('{c}', hooks.companyId));
    expect(errorOf(reply)).toMatchObject({ status, code });
  });
});

describe('custom APIs and webhooks', () => {
  withJar(
    (bench) => {
      it('are listed where they can notify, and nowhere else', async () => {
        const { companyId } = await openWebhooks(bench);
        const path = `/api/microsoft/runtime/beta/companies(${companyId})/webhookSupportedResources`;
        const { body } = await bench.call('GET', `${path}?$filter=resource eq 'contoso*'`);
        expect(body.value).toEqual([
          { resource: 'contoso/fleet/v1.0/vehicles' },
          { resource: 'contoso/fleet/v1.0/clients' },
        ]);
      });

      it('are subscribed to at their own address, with their own path', async () => {
        const hooks = await openWebhooks(bench, 'contoso/fleet/v1.0');
        const made = await hooks.make('vehicles', 'fleet');
        expect(made).toMatchObject({ resource: hooks.resource('vehicles'), timestamp: expect.any(Number) });
        const relative = await hooks.subscribe({
          notificationUrl: hooks.inbox('fleet'),
          resource: `companies(${hooks.companyId})/vehicles`,
        });
        expect(relative.status).toBe(201);
      });

      it.each(EXCLUDED)('are refused for %s', async (set, reason) => {
        const hooks = await openWebhooks(bench, 'contoso/fleet/v1.0');
        const reply = await hooks.subscribe({
          notificationUrl: hooks.inbox('excluded'),
          resource: hooks.resource(set),
        });
        expect(errorOf(reply)).toMatchObject({
          status: 400,
          code: 'Application_DialogException',
          message: expect.stringMatching(new RegExp(`contoso/fleet/v1.0/${set}.*${reason.replace(/[()]/g, '.')}`)),
        });
        expect(await bench.jar.inbox('excluded').requests()).toEqual([]);
      });
    },
    { settings: { business: { customApis: CUSTOM } } },
  );
});
