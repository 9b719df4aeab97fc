import { expect, it } from 'vitest';
import { SERVICES } from '../../../../src/services.ts';
import { onAnyStore, type Reply, SUBSCRIPTION } from '../../../support/jars.ts';
import { WIDGETS } from '../widgets.ts';

const V = 'api-version=2025-04-01';
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/exported`;
const SITE = `${GROUP}/providers/Microsoft.Web/sites/My-Site`;

onAnyStore(
  'templates and heads of resources',
  (bench) => {
    const ask = (body: object, group = GROUP) =>
      bench.call('POST', `${group.replace('resourceGroups', 'resourcegroups')}/exportTemplate?${V}`, { body });
    const end = async (accepted: Reply) => {
      expect(accepted.status, accepted.text).toBe(202);
      await bench.jar.settled();
      const reply = await bench.call('GET', accepted.headers.get('location') as string);
      expect(reply.status).toBe(200);
      return reply.body;
    };

    it('are exported by the options of the request', async () => {
      await bench.call('PUT', `${GROUP}?${V}`, { body: { location: 'eastus' } });
      expect(await ask({ resources: ['*'] })).toMatchObject({ status: 200, body: { template: { resources: [] } } });
      const user = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/runner`;
      const made = await bench.call('PUT', `${SITE}?api-version=2023-12-01`, {
        body: {
          location: 'eastus',
          tags: { a: '1' },
          kind: 'app',
          identity: { type: 'UserAssigned', userAssignedIdentities: { [user]: {} } },
          properties: { httpsOnly: true, siteConfig: { password: 'no' } },
        },
      });
      expect(made.status, made.text).toBe(201);
      const widget = `${GROUP}/providers/Vendor.Test/widgets/w?api-version=2024-01-01`;
      await bench.call('PUT', widget, { body: { location: 'eastus', properties: { size: 1 } } });
      const plain = await end(await ask({ resources: [SITE], options: 'SkipAllParameterization' }));
      expect(plain).toEqual({
        template: {
          $schema: expect.any(String),
          contentVersion: '1.0.0.0',
          parameters: {},
          variables: {},
          resources: [
            {
              type: 'Vendor.Web/sites',
              apiVersion: '2024-11-01',
              name: 'My-Site',
              location: 'eastus',
              tags: { a: '1' },
              kind: 'app',
              identity: { type: 'UserAssigned', userAssignedIdentities: { [user]: {} } },
              properties: { httpsOnly: true, siteConfig: {} },
            },
          ],
        },
      });
      const all = await end(await ask({ resources: ['*'], options: 'includecomments' }));
      expect(all.template.parameters).toEqual({ sites_My_Site_name: { type: 'String' } });
      expect(all.template.resources[0]).toMatchObject({
        name: "[parameters('sites_My_Site_name')]",
        comments: expect.stringContaining('My-Site'),
      });
      expect(all.error).toMatchObject({
        code: 'ExportTemplateCompletedWithErrors',
        details: [{ code: 'ResourceTypeNotSupportedForExport', target: expect.stringContaining('/widgets/w') }],
      });
    });

    it('are refused where the request is wrong', async () => {
      const table: readonly (readonly [object, string])[] = [
        [{ resources: ['*'], options: 'Everything' }, '400 InvalidExportTemplateOption'],
        [{ resources: ['*'], outputFormat: 'Bicep' }, '400 ExportTemplateFormatNotSupported'],
        [{ resources: [`${SITE}-2`] }, '404 ResourceToExportNotFound'],
        [{ resources: [`/subscriptions/${SUBSCRIPTION}`] }, '404 ResourceToExportNotFound'],
        [{ resources: 'all' }, '400 InvalidRequestContent'],
      ];
      for (const [body, expected] of table) {
        const reply = await ask(body);
        expect([body, `${reply.status} ${reply.body.error?.code}`]).toEqual([body, expected]);
      }
      expect((await ask({ resources: ['*'] }, `${GROUP}-2`)).status).toBe(404);
    });

    it('answer HEAD with 204 or 404, whatever service has them', async () => {
      const topic = `${GROUP}/providers/Microsoft.EventGrid/topics/heads`;
      const box = `${GROUP}/providers/Microsoft.ContainerInstance/containerGroups/heads`;
      const account = `${GROUP}/providers/Microsoft.DataShare/accounts/heads`;
      const container = {
        name: 'main',
        properties: { image: 'x', resources: { requests: { cpu: 1, memoryInGB: 1 } } },
      };
      const places: readonly (readonly [string, string, object])[] = [
        [topic, '2025-02-15', {}],
        [topic, '2020-06-01', {}],
        [box, '2023-05-01', { properties: { osType: 'Linux', containers: [container] } }],
        [account, '2021-08-01', { identity: { type: 'SystemAssigned' } }],
      ];
      for (const [id, version, body] of places) {
        const place = `${id}?api-version=${version}`;
        const known = (await bench.call('HEAD', place)).status === 204;
        if (!known)
          expect((await bench.call('PUT', place, { body: { location: 'eastus', ...body } })).status).toBeLessThan(202);
        const head = await bench.call('HEAD', place);
        expect([id, version, head.status, head.text]).toEqual([id, version, 204, '']);
        expect((await bench.call('HEAD', place.replace('/heads?', '/none?'))).status).toBe(404);
        expect((await bench.call('HEAD', place.replace(/\/(\w+)\/heads/, '//$1/heads'))).status).toBe(204);
      }
    });
  },
  { services: [...SERVICES, WIDGETS] },
);
