import { describe, expect, it } from 'vitest';
import { SUBSCRIPTION, withJar } from '../support/jars.ts';
import { major, names, openClient, Versions } from './generations.ts';

const LOCKS = [
  major('azure-arm-resource-v7', 'ms-rest', 'ManagementLockClient', '2016-09-01'),
  major('@azure/arm-locks', 'core', 'ManagementLockClient', '2020-05-01'),
];

const FEATURES = [
  major('azure-arm-resource-v7', 'ms-rest', 'FeatureClient', '2015-12-01'),
  major('@azure/arm-features', 'core', 'FeatureClient', '2015-12-01'),
];

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/team?api-version=2021-04-01`;

describe('every major version of the clients of locks and features', () => {
  const versions = new Versions();
  withJar(
    (bench) => {
      it.each(LOCKS)('locks a group: $title', async (one) => {
        const { managementLocks } = await openClient(bench, one, SUBSCRIPTION);
        await bench.call('PUT', GROUP, { body: { location: 'westus' } });
        versions.take();
        const wanted = { level: 'CanNotDelete', notes: 'kept' };
        const made = await managementLocks.createOrUpdateAtResourceGroupLevel('team', 'keep', wanted);
        expect(made).toMatchObject({ name: 'keep', type: 'Microsoft.Authorization/locks', ...wanted });
        expect(await names(managementLocks.listAtResourceGroupLevel('team'))).toEqual(['keep']);
        expect(await managementLocks.getAtResourceGroupLevel('team', 'keep')).toMatchObject(wanted);
        expect(versions.take()).toEqual([one.apiVersion]);
        expect((await bench.call('DELETE', GROUP)).body.error.code).toBe('ScopeLocked');
        const remove = managementLocks.deleteAtResourceGroupLevel ?? managementLocks.deleteMethodAtResourceGroupLevel;
        await remove.call(managementLocks, 'team', 'keep');
        expect(await names(managementLocks.listAtResourceGroupLevel('team'))).toEqual([]);
      });

      it.each(FEATURES)('registers a feature: $title', async (one) => {
        const { features } = await openClient(bench, one, SUBSCRIPTION);
        versions.take();
        const [first] = await names(features.listAll());
        const [namespace = '', name = ''] = (first ?? '').split('/');
        expect(await names(features.list(namespace))).toContain(first);
        await features.register(namespace, name);
        await bench.jar.settled();
        expect((await features.get(namespace, name)).properties.state).toMatch(/^(Registered|Pending)$/);
      });
    },
    { namespace: ['Microsoft'], observe: versions.observe },
  );
});
