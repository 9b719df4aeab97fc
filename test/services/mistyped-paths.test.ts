import { describe, expect, it } from 'vitest';
import { SERVICES } from '../../src/services.ts';
import { SUBSCRIPTION, withJar } from '../support/jars.ts';

const S = `/subscriptions/${SUBSCRIPTION}`;
const G = `${S}/resourceGroups/g`;
const GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';
const ID = '10000000-0000-4000-8000-000000000001';

type Row = readonly [asked: string, status: number, code: unknown, meant: string];

/** The real answer of each API for an unknown path, and the suggested path. */
const ROWS: readonly Row[] = [
  // management
  ['GET /subscriptons', 404, 'NotFound', 'GET /subscriptions'],
  [`GET ${S}/resurceGroups`, 404, 'NotFound', 'GET /subscriptions/{subscriptionId}/resourceGroups'],
  [`PUT ${S}/resourceGroup/g`, 404, 'NotFound', `PUT ${GROUP}`],
  [`GET ${G}/resurces`, 404, 'NotFound', `GET ${GROUP}/resources`],
  [`GET ${S}/loctions`, 404, 'NotFound', 'GET /subscriptions/{subscriptionId}/locations'],
  ['GET /tennants', 404, 'NotFound', 'GET /tenants'],
  [`GET ${S}/provders`, 404, 'NotFound', 'GET /subscriptions/{subscriptionId}/providers'],
  [
    `GET ${G}/provders/Vendor.ContainerInstance/containerGroups/c`,
    404,
    'NotFound',
    `GET ${GROUP}/providers/Vendor.ContainerInstance/containerGroups/{resourceName}`,
  ],
  [
    `POST ${G}/providers/Vendor.ContainerInstance/containerGroups/c/strt`,
    404,
    'InvalidResourceType',
    `POST ${GROUP}/providers/Vendor.ContainerInstance/containerGroups/{containerGroupName}/start`,
  ],
  [
    `GET ${G}/providers/Vendor.ContainerInstance/containerGroup/c`,
    404,
    'InvalidResourceType',
    `GET ${GROUP}/providers/Vendor.ContainerInstance/containerGroups/{resourceName}`,
  ],
  [
    'GET /providers/Vendor.Management/managmentGroups',
    404,
    'InvalidResourceType',
    'GET /providers/Vendor.Management/managementGroups',
  ],
  [
    'GET /providers/Vendor.Management/managementGroups/g/descendents',
    404,
    'InvalidResourceType',
    'GET /providers/Vendor.Management/managementGroups/{groupId}/descendants',
  ],
  ['GET /provider/Vendor.Subscription/aliases', 404, 'NotFound', 'GET /providers/Vendor.Subscription/aliases'],
  [
    `POST ${S}/providers/Vendor.Subscription/cancl`,
    404,
    'InvalidResourceType',
    'POST /subscriptions/{subscriptionId}/providers/Vendor.Subscription/cancel',
  ],
  [
    'GET /providers/Vendor.Billing/billingAcounts',
    404,
    'InvalidResourceType',
    'GET /providers/Vendor.Billing/billingAccounts',
  ],
  [
    `GET ${G}/providers/Vendor.EventGrid/topcs`,
    404,
    'InvalidResourceType',
    `GET ${GROUP}/providers/Vendor.EventGrid/topics`,
  ],
  [
    `GET ${G}/providers/Vendor.EventGrid/topics/t/providers/Vendor.EventGrid/eventSubscription`,
    404,
    'InvalidResourceType',
    'GET /{scope}/providers/Vendor.EventGrid/eventSubscriptions',
  ],
  [
    `GET ${G}/providers/Vendor.DataShare/acounts`,
    404,
    'InvalidResourceType',
    `GET ${GROUP}/providers/Vendor.DataShare/accounts`,
  ],
  // identity
  ['POST /common/oauth2/tken', 404, 'invalid_request', 'POST /{tenant}/oauth2/token'],
  [`POST /${ID}/oauth2/v2.0/tokn`, 404, 'invalid_request', 'POST /{tenant}/oauth2/v2.0/token'],
  [
    'GET /common/.well-known/openid-configuraton',
    404,
    'invalid_request',
    'GET /{tenant}/.well-known/openid-configuration',
  ],
  ['GET /common/discovry/keys', 404, 'invalid_request', 'GET /{tenant}/discovery/keys'],
  // publishing of events
  ['POST /evnts/eastus/t/api/events', 404, 'NotFound', 'POST /events/{region}/{name}/api/events'],
  ['POST /events/eastus/t/api/event', 404, 'NotFound', 'POST /events/{region}/{name}/api/events'],
  ['GET /eventsubscription/x/validate', 404, 'NotFound', 'GET /eventsubscriptions/{name}/validate'],
  // business application
  ['POST /api/evnts', 404, 'BadRequest_ResourceNotFound', 'POST /api/events'],
  ['GET /api/v2.0/companees', 404, 'BadRequest_ResourceNotFound', 'companies'],
  [`GET /api/v2.0/companies(${ID})/custmers`, 404, 'BadRequest_ResourceNotFound', 'customers'],
  [`PATCH /api/v1.0/companies(${ID})/salesOrder(${ID})`, 404, 'BadRequest_ResourceNotFound', 'salesOrders'],
  [`GET /api/v2.0/companies(${ID})/customers(${ID})/paymentTrm`, 404, 'BadRequest_ResourceNotFound', 'paymentTerm'],
  [
    `POST /api/v2.0/companies(${ID})/salesInvoices(${ID})/salesInvoiceLine`,
    404,
    'BadRequest_ResourceNotFound',
    'salesInvoiceLines',
  ],
  ['GET /api/v2.0/$metdata', 404, 'BadRequest_ResourceNotFound', '$metadata'],
  ['GET /api/v2/companies', 404, 'BadRequest_ResourceNotFound', 'GET /api/v2.0/companies'],
  ['GET /ap/v2.0/companies', 404, 'BadRequest_ResourceNotFound', 'GET /api/v2.0/companies'],
  ['GET /v2.0/production/ap/v2.0/companies', 404, 'BadRequest_ResourceNotFound', 'GET /v2.0/{environment}/api/{path*}'],
  // translator
  ['POST /detct', 404, 404000, 'POST /detect'],
  ['GET /langages', 404, 404000, 'GET /languages'],
  ['POST /translator/text/v3.0/detct', 404, 404000, 'POST /translator/text/v3.0/detect'],
  ['POST /sts/v1.0/isueToken', 404, 404000, 'POST /sts/v1.0/issueToken'],
  ['POST /dictionary/lokup', 404, 404000, 'POST /dictionary/lookup'],
  // app lifecycle
  ['GET /v0.1/aps', 404, 'Not Found', 'GET /v0.1/apps'],
  ['GET /v0.1/apps/o/a/relases', 404, 'Not Found', 'GET /v0.1/apps/{owner_name}/{app_name}/releases'],
  ['GET /v0.1/orgs/o/tems', 404, 'Not Found', 'GET /v0.1/orgs/{org_name}/teams'],
  ['POST /logz', 404, 'Not Found', 'POST /logs'],
  // push datasets
  ['GET /v1.0/myorg/datsets', 404, 'RequestedResourceNotFound', 'GET /v1.0/myorg/datasets'],
  ['GET /v1.0/myorg/groups/g/datset', 404, 'RequestedResourceNotFound', 'GET /v1.0/myorg/groups/{group}/datasets'],
  [
    'POST /v1.0/myorg/datasets/d/executeQuery',
    404,
    'RequestedResourceNotFound',
    'POST /v1.0/myorg/datasets/{dataset}/executeQueries',
  ],
  ['GET /v1.0/myrg/datasets', 404, 'RequestedResourceNotFound', 'GET /v1.0/myorg/datasets'],
  // mail and calendar: the real service answers 400 below a mailbox
  ['GET /v1.0/me/mesages', 400, 'BadRequest', 'GET /v1.0/me/messages'],
  ['GET /me/mesages', 404, 'BadRequest', 'GET /v1.0/me/messages'],
  ['GET /v1.0/me/mailFolder/inbox/messages', 400, 'BadRequest', 'GET /v1.0/me/mailFolders/{folder}/messages'],
  ['POST /v1.0/me/sendMial', 400, 'BadRequest', 'POST /v1.0/me/sendMail'],
  ['GET /v1.0/users/a@vendor.example/calender', 400, 'BadRequest', 'GET /v1.0/users/{user}/calendar'],
  ['GET /beta/me/evnts', 400, 'BadRequest', 'GET /beta/me/events'],
  ['POST /v1.0/subscriptions/x/reauthorise', 400, 'BadRequest', 'POST /v1.0/subscriptions/{id}/reauthorize'],
  ['GET /v1.0/usrs', 404, 'BadRequest', 'GET /v1.0/users'],
  ['POST /v1.0/$bach', 404, 'BadRequest', 'POST /v1.0/$batch'],
  ['GET /v3.0/me/messages', 404, 'BadRequest', 'GET /v1.0/me/messages'],
  // data platform
  ['GET /api/2.0/clusters/lst', 404, 'ENDPOINT_NOT_FOUND', 'GET /api/2.0/clusters/list'],
  ['GET /api/2.0/clustrs/list', 404, 'ENDPOINT_NOT_FOUND', 'GET /api/2.0/clusters/list'],
  ['GET /clusters/list', 404, 'ENDPOINT_NOT_FOUND', 'GET /api/2.0/clusters/list'],
  ['GET /api/2.O/clusters/list', 404, 'BadRequest_ResourceNotFound', 'GET /api/2.0/clusters/list'],
  ['GET /api/2.0/unity-catalog/tables', 404, 'ENDPOINT_NOT_FOUND', 'GET /api/2.1/unity-catalog/tables'],
  ['GET /api/2.2/jobs/runs/lst', 404, 'ENDPOINT_NOT_FOUND', 'GET /api/2.2/jobs/runs/list'],
  ['GET /api/2.0/preview/scim/v2/Usrs', 404, 'ENDPOINT_NOT_FOUND', 'GET /api/2.0/preview/scim/v2/Users'],
  ['POST /api/2.0/mlflow/runs/creat', 404, 'ENDPOINT_NOT_FOUND', 'POST /api/2.0/mlflow/runs/create'],
  ['POST /oidc/v1/tken', 404, 'ENDPOINT_NOT_FOUND', 'POST /oidc/v1/token'],
  [
    'GET /api/2.0/delta-sharing/metastores/x/shars',
    404,
    'ENDPOINT_NOT_FOUND',
    'GET /api/2.0/delta-sharing/metastores/{metastore_id}/shares',
  ],
  // control API
  ['GET /_jar/helth', 404, 'NotFound', 'GET /_jar/health'],
  ['POST /_jar/clock/advnce', 404, 'NotFound', 'POST /_jar/clock/advance'],
  ['GET /_jar/mail/mailboxs', 404, 'NotFound', 'GET /_jar/mail/mailboxes'],
  ['GET /jar/health', 404, 'NotFound', 'GET /_jar/health'],
];

withJar(
  (bench) => {
    const ask = (asked: string, headers: Record<string, string> = {}) => {
      const [method = '', path = ''] = asked.split(' ');
      // With a body, because one of the APIs requires one before it looks for a route.
      const body = method === 'GET' ? undefined : {};
      return bench.call(method, path, { token: null, headers, body });
    };
    // biome-ignore lint/suspicious/noExplicitAny: each API has an error shape of its own
    const codeOf = (body: any): unknown => body.error_code ?? body.error?.code ?? body.code ?? body.error;

    describe('a path that no route has', () => {
      it.each(ROWS)('%s is %i %s: %s', async (asked, status, code, meant) => {
        const reply = await ask(asked);
        expect(reply.status, reply.text).toBe(status);
        expect(codeOf(reply.body)).toBe(code);
        expect(reply.text).toMatch(/[Dd]id you mean/);
        expect(reply.text).toContain(`'${meant}'?`);
        expect(reply.text).toContain(`${bench.jar.url}/_jar/docs/api`);
        expect(reply.headers.get('www-authenticate')).toBeNull();
      });

      it.each(['GET /favicon.ico', 'GET /foo/bar', 'POST /some/thing/else/altogether', `GET /${'x'.repeat(5000)}`])(
        'nothing is near to %.40s, and the control API says so, to pages of any origin',
        async (asked) => {
          const reply = await ask(asked, { origin: 'https://elsewhere.example' });
          expect(reply).toMatchObject({ status: 404, body: { error: { code: 'NotFound' } } });
          expect(reply.text).not.toMatch(/did you mean/i);
          expect(reply.text).toContain('/_jar/docs/api');
          expect(reply.headers.get('access-control-allow-origin')).toBe('*');
        },
      );

      it('is the same with a token that is no good', async () => {
        for (const asked of ['GET /subscriptons', 'GET /v1.0/me/mesages', 'GET /api/v2.0/companees'])
          expect((await ask(asked, { authorization: 'Bearer nonsense' })).text).toMatch(/did you mean/i);
      });
    });

    it.each([
      [`GET ${S}?api-version=2022-12-01`],
      [`GET ${G}/providers/Vendor.ContainerInstance/containerGroups/absent?api-version=2023-05-01`],
      ['GET /api/v2.0/companies'],
      [`GET /api/v2.0/companies(${ID})/customers`],
      ['GET /v1.0/me/messages/absent'],
      ['GET /v1.0/myorg/datasets/absent'],
      ['GET /api/2.0/clusters/list'],
      ['GET /v0.1/apps/absent/absent'],
    ])('%s has a route, and asks who calls before it says what is there', async (asked) => {
      const reply = await ask(asked);
      expect(reply.status, reply.text).toBe(401);
      expect(reply.text).not.toMatch(/did you mean/i);
    });

    it.each([
      ['DELETE /_jar/health', 405, 'GET'],
      ['PUT /v1.0/me/messages', 405, 'GET, POST'],
      ['DELETE /detect', 405, 'POST'],
      ['PATCH /v1.0/myorg/datasets', 405, 'GET, POST'],
    ])('%s has another method: %i with Allow: %s', async (asked, status, allow) => {
      const reply = await ask(asked);
      expect(reply.status, reply.text).toBe(status);
      expect(reply.headers.get('allow')).toBe(allow);
    });
  },
  { services: SERVICES },
);
