import { ResourceManagementClient } from '@azure/arm-resources';
import { SubscriptionClient } from '@azure/arm-resources-subscriptions';
import { expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { WIDGETS } from './widgets.ts';

/** A complete user story of resource groups with the official clients: only endpoint, credential and authority are set. */
onBothStores(
  'a team works with resource groups',
  (bench) => {
    const credential = {
      getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    const groups = () => new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
    const account = () => new SubscriptionClient(credential, { endpoint: bench.jar.httpsUrl });
    const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(list);

    it('finds the seeded subscription, its tenant and its regions', async () => {
      const [subscription] = await all(account().subscriptions.list());
      expect(subscription).toMatchObject({ subscriptionId: SUBSCRIPTION, displayName: 'Cloudjar', state: 'Enabled' });
      expect(await account().subscriptions.get(SUBSCRIPTION)).toMatchObject({ id: `/subscriptions/${SUBSCRIPTION}` });
      const regions = await all(account().subscriptions.listLocations(SUBSCRIPTION));
      expect(regions.find(({ name }) => name === 'westus')).toMatchObject({
        displayName: 'West US',
        regionalDisplayName: '(US) West US',
      });
      expect(await all(account().tenants.list())).toHaveLength(1);
    });

    it('creates, reads, updates and finds groups', async () => {
      const client = groups().resourceGroups;
      const made = await client.createOrUpdate('Team-A', { location: 'West US', tags: { env: 'test', Owner: 'ada' } });
      expect(made).toMatchObject({
        id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/Team-A`,
        name: 'Team-A',
        location: 'westus',
        tags: { env: 'test', Owner: 'ada' },
        properties: { provisioningState: 'Succeeded' },
      });
      await client.createOrUpdate('team-b', { location: 'westeurope', tags: { env: 'prod' } });
      // The spelling of the first write stays, whatever later callers write.
      expect((await client.get('TEAM-A')).name).toBe('Team-A');
      expect((await client.checkExistence('team-a')).body).toBe(true);
      expect((await client.checkExistence('team-z')).body).toBe(false);
      expect((await client.update('team-b', { tags: { env: 'stage' } })).tags).toEqual({ env: 'stage' });
      expect((await all(client.list())).map(({ name }) => name)).toEqual(['Team-A', 'team-b']);
      const tagged = await all(client.list({ filter: "tagName eq 'ENV' and tagValue eq 'test'" }));
      expect(tagged.map(({ name }) => name)).toEqual(['Team-A']);
      expect(await all(client.list({ filter: "tagName eq 'env'" }))).toHaveLength(2);
    });

    it('pages through many groups', async () => {
      const client = groups().resourceGroups;
      await Promise.all(
        Array.from({ length: 120 }, (_, i) => client.createOrUpdate(`page-${i}`, { location: 'eastus' })),
      );
      const names = (await all(client.list())).map(({ name }) => name);
      expect(names).toHaveLength(122);
      expect(new Set(names).size).toBe(122);
      const pages: number[] = [];
      for await (const page of client.list({ top: 50 }).byPage()) pages.push(page.length);
      expect(pages).toEqual([50, 50, 22]);
    });

    it('sees the resources of every service in a group and deletes them with it', async () => {
      const client = groups();
      await client.resourceGroups.createOrUpdate('doomed', { location: 'eastus' });
      const root = `/subscriptions/${SUBSCRIPTION}/resourceGroups/doomed/providers/Vendor.Test/widgets`;
      const version = '?api-version=2024-01-01';
      for (const name of ['one', 'two']) {
        const body = { location: 'eastus', tags: { n: name }, properties: { size: 3 } };
        expect((await bench.call('PUT', `${root}/${name}${version}`, { body })).status).toBe(201);
      }
      const listed = await all(client.resources.listByResourceGroup('doomed'));
      expect(listed.map(({ name, type }) => `${type} ${name}`)).toEqual([
        'Vendor.Test/widgets one',
        'Vendor.Test/widgets two',
      ]);
      expect(
        await all(
          client.resources.list({
            filter: "resourceType eq 'Vendor.Test/widgets' and tagName eq 'n' and tagValue eq 'two'",
          }),
        ),
      ).toHaveLength(1);

      await client.resourceGroups.delete('doomed');
      expect((await client.resourceGroups.checkExistence('doomed')).body).toBe(false);
      expect(await all(client.resources.list({ filter: "resourceType eq 'Vendor.Test/widgets'" }))).toHaveLength(0);
      expect((await bench.call('GET', `${root}/one${version}`)).body.error.code).toBe('ResourceGroupNotFound');
    });

    it('reads errors the way the client library does', async () => {
      await expect(groups().resourceGroups.get('absent')).rejects.toMatchObject({
        statusCode: 404,
        code: 'ResourceGroupNotFound',
      });
      await expect(groups().resourceGroups.createOrUpdate('x', { location: 'the moon' })).rejects.toMatchObject({
        statusCode: 400,
        code: 'LocationNotAvailableForResourceType',
      });
    });

    it('registers and unregisters providers', async () => {
      const { providers } = groups();
      const state = async () => (await providers.get('Vendor.Test')).registrationState;
      expect((await providers.unregister('Vendor.Test')).registrationState).toBe('Unregistering');
      await expect.poll(state).toBe('Unregistered');
      const path = `/subscriptions/${SUBSCRIPTION}/resourceGroups/Team-A/providers/Vendor.Test/widgets/w?api-version=2024-01-01`;
      const refused = await bench.call('PUT', path, { body: { location: 'eastus', properties: { size: 1 } } });
      expect(refused.status).toBe(409);
      expect(refused.body.error).toMatchObject({
        code: 'MissingSubscriptionRegistration',
        details: [{ target: 'Vendor.Test' }],
      });
      expect((await providers.register('Vendor.Test')).registrationState).toBe('Registering');
      expect((await bench.call('PUT', path, { body: { location: 'eastus', properties: { size: 1 } } })).status).toBe(
        201,
      );
      await expect.poll(state).toBe('Registered');
      expect((await all(providers.list())).map(({ namespace }) => namespace)).toEqual(
        expect.arrayContaining([
          'Vendor.Resources',
          'Vendor.Storage',
          'Vendor.Compute',
          'Vendor.Authorization',
          'Vendor.Features',
          'Vendor.Subscription',
          'Vendor.Billing',
          'Vendor.Management',
          'Vendor.ContainerInstance',
          'Vendor.StandbyPool',
          'Vendor.EventGrid',
          'Vendor.DataShare',
          'Vendor.Test',
        ]),
      );
    });
  },
  { services: [...SERVICES, WIDGETS] },
);
