import { describe, expect, it } from 'vitest';
import type { Finished } from '../../src/kernel/http/server.ts';
import { SUBSCRIPTION, withJar } from '../support/jars.ts';

/** A jar that was started with `--namespace Microsoft` uses that prefix for all callers that do not use its own. */
const OWN = /(?<![\w.])Vendor\.[A-Za-z]/;

const HOME = `/subscriptions/${SUBSCRIPTION}`;
const GROUP = `${HOME}/resourceGroups/team`;
const GATEWAY = 'api-version=2021-04-01';
const GRID = 'api-version=2022-06-15';
const CONTAINERS = 'api-version=2023-05-01';

describe('a jar that was started with another provider prefix', () => {
  const leaks: string[] = [];
  let quiet = false;
  const observe = ({ call, answer }: Finished): void => {
    if (quiet || call.path.startsWith('/_jar/') || /vendor\./i.test(decodeURIComponent(call.url))) return;
    const said = JSON.stringify([answer.headers ?? {}, answer.body ?? null]);
    const found = OWN.exec(said);
    if (found)
      leaks.push(`${call.method} ${call.path}: …${said.slice(Math.max(0, found.index - 80), found.index + 80)}…`);
  };

  withJar(
    (bench) => {
      const ask = async (method: string, path: string, body?: unknown) => {
        const answer = await bench.call(method, path, { body });
        await bench.jar.settled();
        return answer;
      };
      const noLeaks = (): void => expect(leaks.splice(0)).toEqual([]);

      it('says so in lists and documents of the gateway', async () => {
        await ask('PUT', `${GROUP}?${GATEWAY}`, { location: 'westus', tags: { env: 'test' } });
        for (const path of [
          GROUP,
          `${HOME}/resourceGroups`,
          `${HOME}/providers`,
          '/providers',
          HOME,
          '/subscriptions',
          '/tenants',
          `${HOME}/locations`,
          `${HOME}/tagNames`,
          `${HOME}/providers/Microsoft.EventGrid`,
          '/providers/Microsoft.EventGrid',
          `${HOME}/providers/Microsoft.Storage/resourceTypes`,
        ])
          expect([path, (await ask('GET', `${path}?${GATEWAY}`)).status]).toEqual([path, 200]);
        const providers = await ask('GET', `/providers?${GATEWAY}`);
        for (const { namespace, resourceTypes } of providers.body.value) {
          const version = resourceTypes[0].apiVersions[0];
          const { status, body } = await ask('GET', `/providers/${namespace}/operations?api-version=${version}`);
          expect([namespace, status]).toEqual([namespace, 200]);
          for (const { name, display } of body.value) {
            expect(name).toMatch(/^Microsoft\./);
            expect(`${display.provider} ${display.description}`).not.toMatch(/\bVendor[. ]/);
          }
        }
        const permissions = '/providers/Microsoft.Authorization/providerOperations?api-version=2022-04-01';
        expect((await ask('GET', `${permissions}&$expand=resourceTypes`)).status).toBe(200);
        expect((await ask('GET', `${GROUP}?${GATEWAY}`)).body.type).toBe('Microsoft.Resources/resourceGroups');
        noLeaks();
      });

      it('says so of resources, and understands it in filters', async () => {
        const account = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shopfiles?api-version=2023-01-01`;
        await ask('PUT', account, { location: 'westus', sku: { name: 'Standard_LRS' }, kind: 'StorageV2' });
        const group = `${GROUP}/providers/Microsoft.ContainerInstance/containerGroups/shop?${CONTAINERS}`;
        const resources = { requests: { cpu: 1, memoryInGB: 1 } };
        const containers = [{ name: 'web', properties: { image: 'busybox', resources } }];
        await ask('PUT', group, { location: 'westus', properties: { osType: 'Linux', containers } });
        await ask('GET', group);
        for (const path of [`${HOME}/resources`, `${GROUP}/resources`]) {
          const { body } = await ask('GET', `${path}?${GATEWAY}&$expand=createdTime,changedTime,provisioningState`);
          expect(body.value.map(({ type }: { type: string }) => type).sort()).toEqual([
            'Microsoft.ContainerInstance/containerGroups',
            'Microsoft.Storage/storageAccounts',
          ]);
          const filter = encodeURIComponent("resourceType eq 'Microsoft.Storage/storageAccounts'");
          expect((await ask('GET', `${path}?${GATEWAY}&$filter=${filter}`)).body.value).toHaveLength(1);
        }
        const exported = await ask('POST', `${GROUP}/exportTemplate?${GATEWAY}`, { resources: ['*'] });
        await ask('GET', String(exported.headers.get('location')));
        noLeaks();
      });

      it('says so in errors', async () => {
        const grid = `${GROUP}/providers/Microsoft.EventGrid`;
        for (const [method, path, body] of [
          ['GET', `${grid}/topics/absent?${GRID}`],
          ['GET', `${grid}/topics?api-version=1999-01-01`],
          ['GET', `${grid}/topics/absent?api-version=1999-01-01`],
          ['PUT', `${grid}/topics/bad?${GRID}`, { location: 'nowhere' }],
          ['PUT', `${grid}/topics/x?${GRID}`, { location: 'westus' }],
          ['GET', `${grid}/tpics/absent?${GRID}`],
          ['GET', `${GROUP}/providers/Microsoft.Nothing/here/absent?${GRID}`],
          ['GET', `${GROUP}/providers/Microsoft.ContainerInstance/containerGroups/absent?${CONTAINERS}`],
          [
            'PUT',
            `${GROUP}/providers/Microsoft.ContainerInstance/containerGroups/bad?${CONTAINERS}`,
            { location: 'westus' },
          ],
          [
            'PUT',
            `${HOME}/providers/Microsoft.EventGrid/eventSubscriptions/bad?${GRID}`,
            { properties: { destination: { endpointType: 'EventHub', properties: { resourceId: 'x' } } } },
          ],
          [
            'PUT',
            `${GROUP}/providers/Microsoft.Storage/storageAccounts/BAD?api-version=2023-01-01`,
            { location: 'westus' },
          ],
          ['PUT', `${GROUP}/providers/Microsoft.Authorization/roleAssignments/x?api-version=2022-04-01`, {}],
          [
            'PUT',
            `${GROUP}/providers/Microsoft.Authorization/locks/x?api-version=2016-09-01`,
            { properties: { level: 'Bad' } },
          ],
          ['POST', `${GROUP}/moveResources?${GATEWAY}`, { resources: [], targetResourceGroup: 'x' }],
          ['GET', `${HOME}/providers/Microsoft.Nothing?${GATEWAY}`],
          ['GET', '/providers/Microsoft.Management/managementGroups/absent?api-version=2021-04-01'],
          ['GET', '/providers/Microsoft.Subscription/aliases/absent?api-version=2021-10-01'],
          ['GET', `${GROUP}/providers/Microsoft.DataShare/accounts/absent?api-version=2021-08-01`],
          ['GET', `${GROUP}?api-version=1999-01-01`],
          ['GET', GROUP],
          ['GET', `${HOME}/nowhere/at/all?${GATEWAY}`],
        ] as const)
          expect([path, (await ask(method, path, body)).status >= 400]).toEqual([path, true]);
        const group = { additionalProperties: { managementGroupId: 'none' } };
        const alias = await ask('PUT', '/providers/Microsoft.Subscription/aliases/bad?api-version=2021-10-01', {
          properties: { displayName: 'Bad', workload: 'Production', ...group },
        });
        expect(alias.body.message).toBe(alias.body.error.message);
        expect(alias.body.message).toContain('Microsoft.Management');
        for (const user of ['no-job-queue', 'delegated-admin']) {
          const token = await bench.jar.token({ user });
          for (const path of [`${GROUP}?${GATEWAY}`, `${grid}/topics/one?${GRID}`])
            await bench.call('PUT', path, { token, body: { location: 'westus' } });
        }
        noLeaks();
      });

      it('says so in the answers of every other provider, and in the events that it sends', async () => {
        const grid = `${GROUP}/providers/Microsoft.EventGrid`;
        await ask('PUT', `${grid}/topics/orders?${GRID}`, { location: 'westus', tags: { a: 'b' } });
        await ask('GET', `${grid}/topics/orders?${GRID}`);
        await ask('GET', `${grid}/topics?${GRID}`);
        await ask('PUT', `${grid}/domains/tenants?${GRID}`, { location: 'westus' });
        await ask('PUT', `${grid}/domains/tenants/topics/one?${GRID}`, {});
        await ask('GET', `${grid}/domains/tenants/topics?${GRID}`);
        const inbox = bench.jar.inbox('prefix');
        const destination = { endpointType: 'WebHook', properties: { endpointUrl: inbox.httpsUrl } };
        const everything = `${HOME}/providers/Microsoft.EventGrid/eventSubscriptions/all?${GRID}`;
        await ask('PUT', everything, { properties: { destination } });
        await ask('GET', everything);
        await ask('GET', `${HOME}/providers/Microsoft.EventGrid/eventSubscriptions?${GRID}`);
        await ask('PUT', `${grid}/topics/orders/providers/Microsoft.EventGrid/eventSubscriptions/one?${GRID}`, {
          properties: { destination },
        });
        await ask('PUT', `${grid}/systemTopics/files?${GRID}`, {
          location: 'westus',
          properties: {
            source: `${GROUP}/providers/Microsoft.Storage/storageAccounts/shopfiles`,
            topicType: 'Microsoft.Storage.StorageAccounts',
          },
        });
        await ask('PUT', `${grid}/systemTopics/files/eventSubscriptions/one?${GRID}`, { properties: { destination } });
        await ask('GET', `${grid}/systemTopics/files/eventSubscriptions?${GRID}`);
        await ask('GET', `/providers/Microsoft.EventGrid/topicTypes?${GRID}`);
        await ask(
          'GET',
          `/providers/Microsoft.EventGrid/topicTypes/Microsoft.Resources.Subscriptions/eventTypes?${GRID}`,
        );
        await ask('PUT', `${GROUP}/providers/Microsoft.DataShare/accounts/shares?api-version=2021-08-01`, {
          location: 'westus',
          identity: { type: 'SystemAssigned' },
        });
        await ask('PUT', `${GROUP}/providers/Microsoft.DataShare/accounts/shares/shares/one?api-version=2021-08-01`, {
          properties: { shareKind: 'CopyBased' },
        });
        await ask('GET', `${GROUP}/providers/Microsoft.DataShare/accounts?api-version=2021-08-01`);
        await ask('PUT', '/providers/Microsoft.Management/managementGroups/company?api-version=2021-04-01', {
          properties: { displayName: 'C' },
        });
        await ask('GET', '/providers/Microsoft.Management/managementGroups?api-version=2021-04-01');
        await ask('POST', '/providers/Microsoft.Management/getEntities?api-version=2021-04-01');
        await ask('PUT', `${GROUP}/providers/Microsoft.Authorization/locks/keep?api-version=2016-09-01`, {
          properties: { level: 'CanNotDelete' },
        });
        await ask('GET', `${GROUP}/providers/Microsoft.Authorization/locks?api-version=2016-09-01`);
        expect((await ask('DELETE', `${GROUP}?${GATEWAY}`)).status).toBe(409);
        await ask('PATCH', `${GROUP}/providers/Microsoft.Resources/tags/default?${GATEWAY}`, {
          operation: 'Merge',
          properties: { tags: { more: 'yes' } },
        });
        await ask('GET', `${HOME}/providers/Microsoft.Features/features?api-version=2021-07-01`);
        await ask('GET', `${HOME}/providers/Microsoft.ContainerInstance/locations/westus/capabilities?${CONTAINERS}`);
        noLeaks();
        const received = await inbox.requests();
        expect(received.some(({ body }) => body.includes('Microsoft.Resources.ResourceWriteSuccess'))).toBe(true);
        expect(received.filter(({ body }) => OWN.test(body)).map(({ body }) => body)).toEqual([]);
      });

      it('says the same to who writes it in lower case', async () => {
        const lower = (path: string): string => path.replaceAll('Microsoft.', 'microsoft.');
        const grid = `${GROUP}/providers/Microsoft.EventGrid`;
        for (const path of [
          `${HOME}/providers/Microsoft.EventGrid?${GATEWAY}`,
          `${grid}/topics/orders?${GRID}`,
          `${grid}/topics?${GRID}`,
          `${grid}/systemTopics/files/eventSubscriptions/one?${GRID}`,
          `${HOME}/providers/Microsoft.EventGrid/eventSubscriptions/all?${GRID}`,
          `/providers/Microsoft.EventGrid/topicTypes/Microsoft.Resources.Subscriptions?${GRID}`,
          `${GROUP}/providers/Microsoft.ContainerInstance/containerGroups/shop?${CONTAINERS}`,
          `${GROUP}/providers/Microsoft.DataShare/accounts?api-version=2021-08-01`,
          `${GROUP}/providers/Microsoft.Authorization/locks?api-version=2016-09-01`,
          '/providers/Microsoft.Management/managementGroups/company?api-version=2021-04-01',
          `/providers/Microsoft.Storage/operations?${GRID}`,
        ]) {
          const usual = await ask('GET', path);
          expect([path, usual.status]).toEqual([path, 200]);
          expect((await ask('GET', lower(path))).body).toEqual(usual.body);
        }
        const filter = encodeURIComponent("resourceType eq 'microsoft.storage/storageaccounts'");
        const filtered = await ask('GET', `${HOME}/resources?${GATEWAY}&$filter=${filter}`);
        expect(filtered.body.value[0].type).toBe('Microsoft.Storage/storageAccounts');
        noLeaks();
      });

      it('still speaks its own to who asks by that', async () => {
        quiet = true;
        expect((await ask('GET', `${HOME}/providers/Vendor.EventGrid?${GATEWAY}`)).body.namespace).toBe(
          'Vendor.EventGrid',
        );
        quiet = false;
      });
    },
    { namespace: ['Microsoft'], observe },
  );
});
