import { beforeAll, describe, expect, it } from 'vitest';
import { SERVICES } from '../../src/services.ts';
import { SUBSCRIPTION, withJar } from '../support/jars.ts';

const G = `/subscriptions/${SUBSCRIPTION}/resourceGroups/g`;

withJar(
  (bench) => {
    const ask = (path: string) => bench.call('GET', path, { token: null });
    const askAsUser = (path: string) => bench.call('GET', path);

    describe('a provider that the jar does not have', () => {
      const HAS =
        'Resources, Storage, Compute, Authorization, Features, Subscription, Billing, Management, ContainerInstance, StandbyPool, EventGrid, DataShare';
      const has = (prefix: string) => HAS.split(', ').map((name) => `${prefix}.${name}`);

      it.each([
        ['Vendor.Nowhere', undefined, 'Vendor'],
        ['Vendor.ContainrInstance', 'Vendor.ContainerInstance', 'Vendor'],
        ['Vendor.EvntGrid', 'Vendor.EventGrid', 'Vendor'],
        ['Microsoft.EvntGrid', 'Microsoft.EventGrid', 'Microsoft'],
        ['microsoft.nowhere', undefined, 'Microsoft'],
        // For a name without a known prefix, the suggestions use the prefix that the jar was started with.
        ['VendorStorage', 'Microsoft.Storage', 'Microsoft'],
      ])('%s: the nearest is %s, and all are named by the prefix %s', async (namespace, near, prefix) => {
        for (const version of ['', '?api-version=2023-05-01', '?api-version=nonsense']) {
          const reply = await ask(`${G}/providers/${namespace}/things/x${version}`);
          expect(reply).toMatchObject({ status: 404, body: { error: { code: 'InvalidResourceNamespace' } } });
          const { message } = reply.body.error;
          expect(message).toContain(`'${namespace}' is invalid: this jar does not have that provider.`);
          if (near === undefined) expect(message).not.toContain('Did you mean');
          else expect(message).toContain(`Did you mean '${near}'?`);
          const named = /It has (.*?)\.(?: |$)/.exec(message)?.[1]?.split(', ');
          expect(named).toEqual(expect.arrayContaining(has(prefix)));
          expect(reply.headers.get('x-ms-failure-cause')).toBe('gateway');
        }
      });

      it('a prefix that the jar was not started with is told how to start it', async () => {
        const { body } = await ask(`${G}/providers/Acme.EventGrid/topics/x?api-version=2022-06-15`);
        expect(body.error.message).toContain(
          "Did you mean 'Microsoft.EventGrid'? Start with 'cloudjar start --namespace Acme' to accept this prefix.",
        );
      });

      it('is said of a subscription, too, to those who may ask', async () => {
        const path = `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Storge?api-version=2022-12-01`;
        expect((await ask(path)).status).toBe(401);
        expect((await askAsUser(path)).body.error).toMatchObject({
          code: 'InvalidResourceNamespace',
          message: expect.stringContaining("Did you mean 'Vendor.Storage'?"),
        });
      });
    });

    describe('a type that a provider does not have', () => {
      it.each([
        ['Vendor.Storage/storageAcounts', 'storageAccounts'],
        ['Microsoft.Compute/virtualMachine', 'virtualMachines'],
        ['Vendor.EventGrid/domain', 'domains'],
        ['Vendor.DataShare/acounts', 'accounts'],
      ])('%s: the types are named, and the nearest route', async (type, near) => {
        const [namespace = '', name = ''] = type.split('/');
        const reply = await ask(`${G}/providers/${namespace}/${name}/x`);
        expect(reply).toMatchObject({ status: 404, body: { error: { code: 'InvalidResourceType' } } });
        const { message } = reply.body.error;
        expect(message).toContain(`The resource type '${name}' could not be found in the namespace '${namespace}'`);
        expect(message).toMatch(new RegExp(`this jar has (?:.*, )?${near}[,.]`));
        expect(message).toContain(`/providers/${namespace}/${near}/{`);
      });

      it('of the published types none is near', async () => {
        const { body } = await ask(`${G}/providers/Vendor.DataBox/zeppelins/x`);
        expect(body.error).toMatchObject({
          code: 'InvalidResourceType',
          message: expect.stringContaining('this jar has jobs.'),
        });
        expect(body.error.message).not.toMatch(/did you mean/i);
      });
    });

    describe('names of the business application', () => {
      let company: string;
      beforeAll(async () => {
        company = (await askAsUser('/api/v2.0/companies')).body.value[0].id;
      });

      it.each([
        ['customers?$filter=displayNam eq %27x%27', 'displayName'],
        ['customers?$select=numbr', 'number'],
        ['customers?$orderby=balanceDu', 'balanceDue'],
        ['customers?$expand=curency', 'currency'],
        ['salesOrders?$expand=salesOrderLine', 'salesOrderLines'],
      ])('%s: a property', async (path, near) => {
        const reply = await askAsUser(`/api/v2.0/companies(${company})/${path}`);
        expect(reply.status, reply.text).toBe(400);
        expect(reply.body.error.message).toContain(`(did you mean '${near}'?)`);
      });

      it('a property of a body', async () => {
        const path = `/api/v2.0/companies(${company})/customers`;
        const reply = await bench.call('POST', path, { body: { displayNme: 'x' } });
        expect(reply).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
        expect(reply.body.error.message).toContain("'Microsoft.NAV.customer' (did you mean 'displayName'?).");
      });

      it('an entity set in a batch', async () => {
        const requests = [{ id: '1', method: 'GET', url: `companies(${company})/custmers` }];
        const { body } = await bench.call('POST', '/api/v2.0/$batch', {
          body: { requests },
          headers: { accept: 'application/json' },
        });
        expect(body.responses[0]).toMatchObject({
          status: 404,
          body: { error: { code: 'BadRequest_ResourceNotFound' } },
        });
        expect(body.responses[0].body.error.message).toContain("did you mean 'customers'?");
      });
    });

    describe('properties of other lists', () => {
      it.each([
        ['/v1.0/me/messages?$filter=subjct eq %27x%27', 'subject'],
        ['/v1.0/me/messages?$select=subjct', 'subject'],
        ['/v1.0/me/messages?$orderby=recievedDateTime', 'receivedDateTime'],
        ['/v1.0/me/messages?$expand=atachments', 'attachments'],
        [
          `/subscriptions/${SUBSCRIPTION}/resources?api-version=2021-04-01&$filter=resourceTyp eq %27x%27`,
          'resourceType',
        ],
      ])('%s', async (path, near) => {
        const reply = await askAsUser(path);
        expect(reply.status, reply.text).toBe(400);
        expect(reply.text).toContain(`did you mean '${near}'?`);
      });
    });
  },
  { services: SERVICES, namespace: ['Microsoft'] },
);
