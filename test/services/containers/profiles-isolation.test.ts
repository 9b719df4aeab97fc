import { expect, it } from 'vitest';
import { roleAssignments } from '../../../src/kernel/arm/collections.ts';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { aGroup } from './groups.ts';

const LICENSED = '10000000-0000-4000-8000-000000000012';
const V = 'api-version=2025-09-01';
const probe = new JarProbe();
const groupOf = (name: string): string => `/subscriptions/${SUBSCRIPTION}/resourceGroups/${name}`;
const profileIn = (group: string): string =>
  `${groupOf(group)}/providers/Vendor.ContainerInstance/containerGroupProfiles/shop`;

onBothStores(
  'a profile that a caller may not read',
  (bench) => {
    it('is not there for a group or a pool of that caller', async () => {
      for (const name of ['own', 'other']) {
        await bench.call('PUT', `${groupOf(name)}?api-version=2021-04-01`, { body: { location: 'westus' } });
        expect((await bench.call('PUT', `${profileIn(name)}?${V}`, { body: aGroup() })).status).toBe(201);
      }
      const assignments = [{ scope: groupOf('own'), role: 'Contributor' as const }];
      await probe.jar.store.transact(
        async (tx) => void (await tx.put(roleAssignments, LICENSED, { principalId: LICENSED, assignments })),
      );
      const token = await bench.jar.token({ user: 'licensed' });
      const made = (profile: string) => ({
        location: 'westus',
        properties: { containerGroupProfile: { id: profile } },
      });
      const pool = (profile: string) => ({
        location: 'westus',
        properties: {
          containerGroupProperties: { containerGroupProfile: { id: profile } },
          elasticityProfile: { maxReadyCapacity: 1 },
        },
      });
      const group = `${groupOf('own')}/providers/Vendor.ContainerInstance/containerGroups/mine?${V}`;
      const standby = `${groupOf('own')}/providers/Vendor.StandbyPool/standbyContainerGroupPools/pool?api-version=2025-10-01`;
      for (const [address, body] of [
        [group, made(profileIn('other'))],
        [standby, pool(profileIn('other'))],
      ] as const) {
        const refused = await bench.call('PUT', address, { token, body });
        expect([refused.status, refused.body.error.code]).toEqual([400, 'ContainerGroupProfileNotFound']);
      }
      expect((await bench.call('GET', `${profileIn('other')}/revisions/1?${V}`, { token })).status).toBe(403);
      expect((await bench.call('PUT', group, { token, body: made(profileIn('own')) })).status).toBe(201);
      expect((await bench.call('PUT', standby, { token, body: pool(profileIn('own')) })).status).toBe(200);
    });
  },
  { services: [...SERVICES, probe.service] },
);
