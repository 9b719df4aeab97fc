import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../support/jars.ts';
import { ADA, Caller, errorOf, FOR_OTTO, LIN, NEW, OTHER_TENANT, seedFile } from './support.ts';

const section = (name: string) =>
  `/providers/Vendor.Billing/billingAccounts/Acme/billingProfiles/main/invoiceSections/${name}`;
const LAB = '/billingAccounts/acme/billingProfiles/inner/invoiceSections/lab';
const customer = (name: string) => `/billingAccounts/acme/customers/${name}`;
const enrollment = (name: string) => `/billingAccounts/enterprise/enrollmentAccounts/${name}`;

const SEED = {
  subscriptions: {
    billingAccounts: [
      {
        name: 'acme',
        displayName: 'Acme',
        agreementType: 'MicrosoftCustomerAgreement',
        creators: [ADA, LIN],
        billingProfiles: [
          { name: 'main', invoiceSections: [{ name: 'web' }, { name: 'closed', creators: [ADA] }] },
          { name: 'inner', creators: [ADA], invoiceSections: [{ name: 'lab' }] },
        ],
        customers: [
          { name: 'direct' },
          { name: 'resold', resellers: [{ resellerId: '1234567', description: 'Reseller' }], creators: [ADA] },
        ],
        serviceTenants: [{ tenantId: OTHER_TENANT, tenantName: 'Other' }],
      },
      { name: 'enterprise', enrollmentAccounts: [{ name: '100' }] },
      { name: 'open', allowTransfers: true, customers: [{ name: 'c' }] },
    ],
  },
};

const REFUSED = [
  ['no scope', undefined, 'admin', {}, 400, 'MissingParameter'],
  ['an unknown account', '/billingAccounts/none/customers/c', 'admin', {}, 400, 'BillingScopeNotFound'],
  ['an unknown section', section('none'), 'admin', {}, 400, 'BillingScopeNotFound'],
  ['an unknown customer', customer('none'), 'admin', {}, 400, 'BillingScopeNotFound'],
  ['an unknown enrollment account', enrollment('200'), 'admin', {}, 400, 'BillingScopeNotFound'],
  ['an account that is not for the caller', section('web'), 'delegated-admin', {}, 403, 'UserNotAuthorized'],
  ['an unknown section of such an account', section('none'), 'delegated-admin', {}, 403, 'UserNotAuthorized'],
  ['a section that is not for the caller', section('closed'), 'licensed', {}, 403, 'Forbidden'],
  ['a profile that is not for the caller', LAB, 'licensed', {}, 403, 'UserNotAuthorized'],
  ['a customer that is not for the caller', customer('resold'), 'licensed', {}, 403, 'UserNotAuthorized'],
  ['an unknown reseller', customer('resold'), 'admin', { resellerId: '7654321' }, 400, 'UnknownReseller'],
  ['a tenant that is not of the account', enrollment('100'), 'admin', FOR_OTTO, 403, 'TransferNotAllowed'],
] as const;

onAnyStore(
  'seeded billing accounts',
  (bench) => {
    const caller = new Caller(bench);
    const accounts = (path = '', user = 'admin') =>
      caller.call(user, 'GET', `/providers/Vendor.Billing/billingAccounts${path}`, { version: '2024-04-01' });
    beforeEach(() => bench.jar.reset());

    describe.each(REFUSED)('%s', (_title, billingScope, user, properties, status, code) => {
      it(`is refused with ${code}`, async () => {
        const reply = await caller.put('x', { ...NEW, ...properties, billingScope }, { user });
        expect(reply).toMatchObject({ status, body: errorOf(code) });
      });
    });

    it.each([
      ['a section', section('WEB'), 'licensed', {}, 'PayAsYouGo_2014-09-01'],
      ['a customer', customer('direct'), 'admin', { resellerId: '1' }, 'CSP_2015-05-01'],
      ['a customer with its reseller', customer('resold'), 'admin', { resellerId: '1234567' }, 'CSP_2015-05-01'],
      ['an enrollment account', enrollment('100'), 'admin', { resellerId: '7' }, 'EnterpriseAgreement_2014-09-01'],
      [
        'an enrollment account for tests',
        enrollment('100'),
        'admin',
        { workload: 'DevTest' },
        'MSDNDevTest_2014-09-01',
      ],
    ])('%s pays, and decides on the offer', async (_title, billingScope, user, properties, quotaId) => {
      const id = await caller.made('paid', { ...NEW, ...properties, billingScope }, user);
      const { body } = await caller.call(user, 'GET', `/subscriptions/${id}`, { version: '2022-12-01' });
      expect(body.subscriptionPolicies.quotaId).toBe(quotaId);
    });

    it('pay in their service tenants, and in all tenants where they allow transfers', async () => {
      expect((await caller.put('a', { ...FOR_OTTO, billingScope: section('web') })).status).toBe(201);
      const open = { ...FOR_OTTO, billingScope: '/billingAccounts/open/customers/c' };
      expect((await caller.put('b', open)).status).toBe(201);
    });

    it('are listed and read by those who may create subscriptions with them', async () => {
      const names = async (user: string) =>
        (await accounts('', user)).body.value.map(({ name }: { name: string }) => name);
      expect(await names('admin')).toEqual(['acme', 'enterprise', 'open']);
      expect(await names('delegated-admin')).toEqual(['enterprise', 'open']);
      expect((await accounts('/ACME')).body).toEqual({
        id: '/providers/Vendor.Billing/billingAccounts/acme',
        name: 'acme',
        type: 'Vendor.Billing/billingAccounts',
        properties: { displayName: 'Acme', agreementType: 'MicrosoftCustomerAgreement', accountStatus: 'Active' },
      });
      expect(await accounts('/acme', 'delegated-admin')).toMatchObject({
        status: 404,
        body: errorOf('BillingAccountNotFound'),
      });
    });

    it('show their parts, and the resellers of their customers', async () => {
      const read = async (path: string) => (await accounts(`/acme/${path}`)).body;
      const names = async (path: string) => (await read(path)).value.map(({ name }: { name: string }) => name);
      expect(await names('billingProfiles')).toEqual(['main', 'inner']);
      expect(await names('billingProfiles/MAIN/invoiceSections')).toEqual(['web', 'closed']);
      expect(await names('enrollmentAccounts')).toEqual([]);
      expect(await read('customers/resold')).toEqual({
        id: '/providers/Vendor.Billing/billingAccounts/acme/customers/resold',
        name: 'resold',
        type: 'Vendor.Billing/billingAccounts/customers',
        properties: { displayName: 'resold', resellers: [{ resellerId: '1234567', description: 'Reseller' }] },
      });
      expect(await read('billingProfiles/MAIN/invoiceSections/WEB')).toMatchObject({
        id: '/providers/Vendor.Billing/billingAccounts/acme/billingProfiles/main/invoiceSections/web',
        type: 'Vendor.Billing/billingAccounts/billingProfiles/invoiceSections',
      });
      expect(await accounts('/acme/customers/none')).toMatchObject({ status: 404, body: errorOf('ResourceNotFound') });
      expect((await accounts('/acme/customers', 'delegated-admin')).status).toBe(404);
    });

    it('have a policy that says in which tenants they pay', async () => {
      const path = '/providers/Vendor.Billing/billingAccounts/acme/providers/Vendor.Subscription/policies/default';
      expect((await caller.call('admin', 'GET', path)).body).toEqual({
        id: path,
        name: 'default',
        type: 'Vendor.Subscription/policies',
        properties: { serviceTenants: [{ tenantId: OTHER_TENANT, tenantName: 'Other' }], allowTransfers: false },
      });
    });
  },
  { seed: seedFile(SEED) },
);
