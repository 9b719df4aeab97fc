import { describe, expect, it } from 'vitest';
import { SUBSCRIPTION, withJar } from '../support/jars.ts';
import { finish, listed, major, names, openClient, Versions } from './generations.ts';

const CLIENT = 'ResourceManagementClient';

const MAJORS = [
  major('azure-arm-resource-v7', 'ms-rest', CLIENT, '2018-05-01'),
  major('arm-resources-v1', 'ms-rest-js', CLIENT, '2019-05-01'),
  major('arm-resources-v2', 'ms-rest-js', CLIENT, '2019-07-01'),
  major('arm-resources-v3', 'ms-rest-js', CLIENT, '2019-10-01'),
  major('arm-resources-hybrid-v1', 'ms-rest-js', CLIENT, '2019-10-01'),
  major('arm-resources-v4', 'ms-rest-js', CLIENT, '2021-01-01'),
  major('arm-resources-hybrid-v2', 'core', CLIENT, '2019-10-01'),
  major('arm-resources-v5', 'core', CLIENT, '2021-04-01'),
  major('arm-resources-v6', 'core', CLIENT, '2025-03-01'),
  major('arm-resources-v7', 'core', CLIENT, '2025-04-01'),
  major('@azure/arm-resources', 'core', CLIENT, '2025-04-01'),
];

/** Every published major version of the client creates, lists, reads, updates and deletes groups with its own api-version. */
describe('every major version of the client of resource groups', () => {
  const versions = new Versions();
  withJar(
    (bench) => {
      it.each(MAJORS)('$title', async (one) => {
        const client = await openClient(bench, one, SUBSCRIPTION);
        const groups = client.resourceGroups;
        const name = `team-${MAJORS.indexOf(one)}`;
        versions.take();
        const made = await groups.createOrUpdate(name, { location: 'West US', tags: { env: 'test' } });
        expect(made).toMatchObject({ name, location: 'westus', tags: { env: 'test' } });
        const exists = await groups.checkExistence(name);
        expect(exists.body ?? exists).toBe(true);
        expect(await names(groups.list())).toContain(name);
        expect((await groups.get(name)).properties.provisioningState).toBe('Succeeded');
        const changed = await (groups.patch ?? groups.update).call(groups, name, { tags: { env: 'stage' } });
        expect(changed.tags).toEqual({ env: 'stage' });
        const providers = (await listed(client.providers.list())).map(({ namespace }) => namespace);
        expect(providers).toContain('Microsoft.ContainerInstance');
        expect((await client.providers.register('Microsoft.EventGrid')).namespace).toBe('Microsoft.EventGrid');
        expect(await listed(client.resources.list())).toEqual([]);
        await finish(groups, 'delete', name);
        await expect(groups.get(name)).rejects.toMatchObject({ statusCode: 404, code: 'ResourceGroupNotFound' });
        expect(versions.take()).toEqual([one.apiVersion]);
      });
    },
    { namespace: ['Microsoft'], observe: versions.observe },
  );
});
