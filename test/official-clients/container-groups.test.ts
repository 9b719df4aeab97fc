import { describe, expect, it } from 'vitest';
import { SUBSCRIPTION, withJar } from '../support/jars.ts';
import { finish, major, names, openClient, Versions } from './generations.ts';

const CLIENT = 'ContainerInstanceManagementClient';

const MAJORS = [
  major('azure-arm-containerinstance-v2', 'ms-rest', CLIENT, '2018-04-01'),
  major('azure-arm-containerinstance-v5', 'ms-rest', CLIENT, '2018-10-01'),
  major('arm-containerinstance-v5', 'ms-rest-js', CLIENT, '2018-10-01'),
  major('arm-containerinstance-v6', 'ms-rest-js', CLIENT, '2020-11-01'),
  major('arm-containerinstance-v7', 'ms-rest-js', CLIENT, '2021-09-01'),
  major('arm-containerinstance-v8', 'core', CLIENT, '2021-10-01'),
  major('@azure/arm-containerinstance', 'core', CLIENT, '2023-05-01'),
];

/** Every published major version of the client creates, lists, reads, updates, runs and deletes a group with its own api-version. */
describe('every major version of the client of container groups', () => {
  const versions = new Versions();
  withJar(
    (bench) => {
      it.each(MAJORS)('$title', async (one) => {
        const client = await openClient(bench, one, SUBSCRIPTION);
        const groups = client.containerGroups;
        const body = {
          location: 'westus',
          osType: 'Linux',
          restartPolicy: 'Always',
          tags: { team: 'shop' },
          containers: [
            {
              name: 'web',
              image: 'busybox',
              command: ['sh', '-c', 'echo ready; sleep infinity'],
              resources: { requests: { cpu: 1, memoryInGB: 1.5 } },
              ports: [{ port: 80 }],
              environmentVariables: [{ name: 'MODE', value: 'test' }],
            },
          ],
          ipAddress: { type: 'Public', ports: [{ protocol: 'TCP', port: 80 }] },
        };
        const group = `group-${MAJORS.indexOf(one)}`;
        const path = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}?api-version=2021-04-01`;
        await bench.call('PUT', path, { body: { location: 'westus' } });
        versions.take();

        const made = await finish(groups, 'createOrUpdate', group, 'shop', body);
        expect(made).toMatchObject({ name: 'shop', provisioningState: 'Succeeded', tags: { team: 'shop' } });
        expect(made.ipAddress.ip).toMatch(/^[\d.]+$/);
        expect(await names(groups.list())).toContain('shop');
        expect(await names(groups.listByResourceGroup(group))).toEqual(['shop']);
        const read = await groups.get(group, 'shop');
        expect(read.instanceView.state).toBe('Running');
        expect(read.containers[0]).toMatchObject({ name: 'web', image: 'busybox', ports: [{ port: 80 }] });
        expect(read.containers[0].instanceView.currentState.startTime).toBeInstanceOf(Date);
        expect((await groups.update(group, 'shop', { location: 'westus', tags: { team: 'store' } })).tags).toEqual({
          team: 'store',
        });
        const logs = client.containerLogs
          ? client.containerLogs.list(group, 'shop', 'web')
          : (client.container ?? client.containers ?? client.containerOperations).listLogs(group, 'shop', 'web');
        expect((await logs).content).toContain('ready');
        // The first version has neither stop nor start.
        if (groups.stop) {
          await groups.stop(group, 'shop');
          await expect.poll(async () => (await groups.get(group, 'shop')).instanceView.state).toBe('Stopped');
        }
        await finish(groups, 'delete', group, 'shop');
        expect(await names(groups.listByResourceGroup(group))).toEqual([]);
        await expect(groups.get(group, 'shop')).rejects.toMatchObject({ statusCode: 404 });
        expect(versions.take()).toEqual([one.apiVersion]);
      });
    },
    { namespace: ['Microsoft'], observe: versions.observe },
  );
});
