import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, withJar } from '../benches.ts';
import { expectStatus } from '../notify/support.ts';
import { errorOf } from '../support.ts';
import { control, openWebhooks, type Webhooks } from './support.ts';

/** `{c}` is replaced by the id of the company. */
const FORMS: readonly (readonly [form: string, route: string, set: string])[] = [
  ['/api/v2.0/companies({c})/customers', 'v2.0', 'customers'],
  ['api/v2.0/companies({c})/customers', 'v2.0', 'customers'],
  ['/api/v1.0/companies({c})/customers', 'v1.0', 'customers'],
  ['v2.0/companies({c})/vendors', 'v2.0', 'vendors'],
  ['/v1.0/companies({c})/vendors', 'v1.0', 'vendors'],
  ['companies({c})/items', 'v2.0', 'items'],
  ['/companies({c})/items/', 'v2.0', 'items'],
  ['{url}/api/v2.0/companies({c})/items', 'v2.0', 'items'],
  ['{https}/api/v2.0/companies({c})/items', 'v2.0', 'items'],
  ['/v2.0/production/api/v2.0/companies({c})/items', 'v2.0', 'items'],
  ['/v2.0/vendor.example/production/api/v1.0/companies({c})/items', 'v1.0', 'items'],
  ['/API/V2.0/Companies({C})/Customers', 'v2.0', 'customers'],
  ['/api/v2.0/companies(id={c})/generalLedgerEntries', 'v2.0', 'generalLedgerEntries'],
];

const WRONG_RESOURCES: readonly (readonly [resource: string, reason: string])[] = [
  ['/api/v2.0/companies({c})/nothing', "the API 'v2.0' has no 'nothing'"],
  ['/api/v3.0/companies({c})/customers', "there is no API 'v3.0'"],
  ['/api/pub/grp/v1.0/companies({c})/customers', "there is no API 'pub/grp/v1.0'"],
  ['/api/v2.0/companies(00000000-0000-4000-8000-000000000000)/customers', 'there is no company'],
  ['/api/v2.0/companies(CRONUS)/customers', 'there is no company'],
  ['/api/v2.0/customers', 'it names no company'],
  ['customers', 'it names no company'],
  ['/api/v2.0/companies', 'no notifications for companies themselves'],
  ['/api/v2.0/companies({c})', 'no notifications for companies themselves'],
  ['/api/v2.0/companies({c})/companies', 'system table'],
  ['/api/v2.0/companies({c})/subscriptions', 'system table'],
  ['/api/v2.0/companies({c})/customers({c})', 'it is one record'],
  ['/api/v2.0/companies({c})/salesInvoices({c})/salesInvoiceLines', "it is a navigation of 'salesInvoices'"],
  ['/api/v2.0/companies({c})/salesInvoiceLines', 'part of another entity'],
  ['/api/v2.0/companies({c})/taxGroups', 'not among the entities that notify'],
  ['/api/v2.0/companies({c})/trialBalances', 'computed on request'],
  ['/api/v2.0/companies({c})/customers?$top=5', 'it has a query'],
  ['/api/v2.0/companies({c})/customers#top', 'it has a query'],
  ['https://elsewhere.example/api/v2.0/companies({c})/customers', 'an address of another service'],
  ['ftp://localhost/api/v2.0/companies({c})/customers', 'an address of another service'],
  ["/api/v2.0/companies({c})/customers('", 'it cannot be read as a path'],
  ['/api/v2.0/companies({c})/%zz', 'it cannot be read as a path'],
  ['   ', "'resource' is required"],
  [`/api/v2.0/companies({c})/${'x'.repeat(2100)}`, 'more than 2048 characters'],
];

onAnyStore('what a webhook subscription may be for', (bench) => {
  let hooks: Webhooks;
  beforeEach(async () => {
    hooks ??= await openWebhooks(bench);
  });
  const filled = (text: string): string =>
    text
      .replaceAll('{c}', hooks.companyId)
      .replaceAll('{C}', hooks.companyId.toUpperCase())
      .replace('{url}', bench.jar.url)
      .replace('{https}', bench.jar.httpsUrl);

  it.each(FORMS)('a resource is written as %s', async (form, route, set) => {
    const resource = filled(form);
    const reply = await hooks.subscribe({ notificationUrl: hooks.inbox('forms'), resource });
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    expect(reply.body.resource).toBe(resource.replace(/\/$/, ''));
    const { body } = await control(bench, 'GET', `business/subscriptions/${reply.body.subscriptionId}`);
    expect(body).toMatchObject({ state: 'live', api: route, set, company: { id: hooks.companyId } });
  });

  it.each(WRONG_RESOURCES)('not for %s', async (form, reason) => {
    const reply = await hooks.subscribe({ notificationUrl: hooks.inbox('never'), resource: filled(form) });
    expect(errorOf(reply)).toMatchObject({ status: 400, message: expect.stringContaining(reason) });
    expect(await bench.jar.inbox('never').requests()).toEqual([]);
  });
});

describe('a webhook subscription is refused', () => {
  withJar((bench) => {
    let hooks: Webhooks;
    beforeEach(async () => {
      hooks ??= await openWebhooks(bench);
    });

    const BODIES: readonly (readonly [string, unknown, string, string])[] = [
      ['without a body', undefined, 'BadRequest', 'must be a JSON object'],
      ['with a list', [], 'BadRequest', 'must be a JSON object'],
      ['with null', 'null', 'BadRequest', 'must be a JSON object'],
      ['with text that is no JSON', '{"resource":', 'BadRequest', 'not valid JSON'],
      [
        'without an address',
        { notificationUrl: undefined },
        'BadRequest_RequiredParamNotProvided',
        "'notificationUrl'",
      ],
      ['with an empty address', { notificationUrl: '' }, 'BadRequest_RequiredParamNotProvided', "'notificationUrl'"],
      ['without a resource', { resource: undefined }, 'BadRequest_RequiredParamNotProvided', "'resource'"],
      ['with a resource of null', { resource: null }, 'BadRequest_RequiredParamNotProvided', "'resource'"],
      ['with a number for a resource', { resource: 5 }, 'BadRequest', 'it is a text'],
      ['with an object for a client state', { clientState: {} }, 'BadRequest', 'it is a text'],
      ['with a property that there is not', { colour: 'blue' }, 'BadRequest', "'colour' does not exist"],
      [
        'with 2,049 characters of client state',
        { clientState: 'x'.repeat(2049) },
        'Application_StringExceededLength',
        '2049',
      ],
      ['with plain http', { notificationUrl: 'http://receiver.example/hook?key=hidden' }, 'BadRequest', 'https'],
      ['with plain http to this machine', { notificationUrl: 'http://localhost:1/hook' }, 'BadRequest', 'https'],
      ['with another protocol', { notificationUrl: 'ftp://receiver.example/' }, 'BadRequest', 'https'],
      ['with a path for an address', { notificationUrl: '/hook' }, 'BadRequest', 'not an absolute address'],
      ['with an address without a host', { notificationUrl: 'https://' }, 'BadRequest', 'not an absolute address'],
      ['with an endless address', { notificationUrl: `https://x.example/${'y'.repeat(9000)}` }, 'BadRequest', '8192'],
      [
        'with the address of a metadata service',
        { notificationUrl: 'https://169.254.169.254/' },
        'Application_DialogException',
        'Blocked',
      ],
    ];

    it.each(BODIES)('%s', async (_, change, code, message) => {
      const whole = { notificationUrl: hooks.inbox('refused'), resource: hooks.resource('customers') };
      const isPart = typeof change === 'object' && change !== null && !Array.isArray(change);
      const body = isPart ? { ...whole, ...change } : change;
      const reply = await bench.call('POST', '/api/v2.0/subscriptions', { body });
      expect(errorOf(reply)).toMatchObject({ status: 400, code, message: expect.stringContaining(message) });
      expect(reply.text).not.toContain('hidden');
      expect((await hooks.list()).body.value).toEqual([]);
    });

    it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])(
      'as %s with 415, new or renewed, and nobody is asked',
      async (type) => {
        const body = { notificationUrl: hooks.inbox('typed'), resource: hooks.resource('customers') };
        const headers = { 'content-type': type };
        expect(errorOf(await hooks.subscribe(body, { headers }))).toMatchObject({ status: 415, code: 'BadRequest' });
        expect(await bench.jar.inbox('typed').requests()).toEqual([]);
        const { subscriptionId } = await hooks.make('customers', 'typed');
        expect(errorOf(await hooks.renew(subscriptionId, body, { headers }))).toMatchObject({ status: 415 });
        expectStatus(await hooks.remove(subscriptionId), 204);
        await bench.jar.inbox('typed').clear();
      },
    );

    it('accepts 2,048 characters of client state, and returns every one of them', async () => {
      const clientState = `${'🫙'.repeat(1000)}${'"\\\u0000\n'.repeat(12)}`.slice(0, 2048);
      const { body } = await hooks.subscribe({
        notificationUrl: hooks.inbox('long'),
        resource: hooks.resource('customers'),
        clientState,
      });
      expect(body.clientState).toBe(clientState);
      expect((await hooks.read(body.subscriptionId)).body.clientState).toBe(clientState);
      await hooks.remove(body.subscriptionId);
    });

    it.each([
      ['PUT', 'subscriptions', 'GET, POST'],
      ['PATCH', 'subscriptions', 'GET, POST'],
      ['DELETE', 'subscriptions', 'GET, POST'],
      ['POST', 'subscriptions/$count', 'GET'],
      ['POST', "subscriptions('0123456789abcdef0123456789abcdef')", 'GET, PATCH, DELETE'],
      ['PUT', "subscriptions('0123456789abcdef0123456789abcdef')", 'GET, PATCH, DELETE'],
    ])('by %s %s', async (method, path, allowed) => {
      const reply = await bench.call(method, `/api/v2.0/${path}`, { body: {} });
      expect(errorOf(reply)).toMatchObject({ status: 405, code: 'BadRequest_MethodNotAllowed' });
      expect(reply.headers.get('allow')).toBe(allowed);
    });

    it.each(['nonsense', '0', "%00'", 'x'.repeat(500)])('by the key %s, which no subscription has', async (key) => {
      const reply = await bench.call('GET', `/api/v2.0/subscriptions('${key.replace("'", '')}')`);
      expect(errorOf(reply)).toMatchObject({ status: 404, code: 'Internal_RecordNotFound' });
    });

    it('by a wrong $select before the handshake', async () => {
      const body = { notificationUrl: hooks.inbox('unasked'), resource: hooks.resource('customers') };
      const reply = await bench.call('POST', '/api/v2.0/subscriptions?$select=nothing', { body });
      expect(errorOf(reply)).toMatchObject({ status: 400, message: expect.stringContaining("'nothing'") });
      expect(await bench.jar.inbox('unasked').requests()).toEqual([]);
    });

    it.each([
      ['GET', ''],
      ['POST', ''],
      ['GET', "('0123456789abcdef0123456789abcdef')"],
      ['PATCH', "('0123456789abcdef0123456789abcdef')"],
      ['DELETE', "('0123456789abcdef0123456789abcdef')"],
    ])('to somebody without a token: %s subscriptions%s', async (method, key) => {
      const options = { token: null, headers: { 'if-match': '*' }, ...(method === 'POST' && { body: {} }) };
      expect((await bench.call(method, `/api/v2.0/subscriptions${key}`, options)).status).toBe(401);
    });
  });
});
