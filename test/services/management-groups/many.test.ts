import { expect, it } from 'vitest';
import {
  MANAGEMENT,
  type ManagementGroup,
  managementGroupKey,
  managementGroups,
  roleAssignments,
  type Subscription,
  subscriptions,
} from '../../../src/kernel/arm/index.ts';
import { noContent } from '../../../src/kernel/http/index.ts';
import { route } from '../../../src/kernel/service/index.ts';
import { SERVICES } from '../../../src/services.ts';
import { onAnyStore } from '../../support/jars.ts';
import { wholeService } from '../../support/whole-service.ts';
import { entities, GROUPS, group, idOf, namesIn, TENANT, VERSION } from './groups.ts';

const LIN = '10000000-0000-4000-8000-000000000012';
const MOST = 10_000;
const MEMBERS = 1000;
/** Far more than needed; checking every role for every entity takes minutes. */
const PATIENCE_MS = 60_000;

const names = Array.from({ length: MOST }, (_, i) => `g${String(i).padStart(5, '0')}`);

/** Half of the groups are in a tree of five levels below the first group, the others are below the root. */
function made(name: string, i: number): [string, ManagementGroup] {
  const parent = i > 0 && i < MOST / 2 ? names[i <= 4 ? i - 1 : i % 5] : undefined;
  const about = { tenantId: TENANT, name, displayName: name, version: 1, updatedAt: 0, updatedBy: LIN };
  return [managementGroupKey(TENANT, name), { ...about, ...(parent !== undefined && { parent }) }];
}

function member(i: number): [string, Subscription] {
  const subscriptionId = `30000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
  const about = { displayName: 'One', state: 'Enabled', tags: {}, quotaId: '', registrations: {} } as const;
  const place = { tenantId: TENANT, managementGroup: names[(i * 7) % MOST] as string };
  return [subscriptionId, { subscriptionId, spendingLimit: 'Off', ...about, ...place }];
}

/** The maximum number of groups in a tenant, all created by Lin. */
const FILLED = wholeService({
  name: 'many-groups',
  title: 'Many groups',
  family: MANAGEMENT,
  mounts: [],
  routes: [],
  control: [
    route({
      method: 'PUT',
      path: '/_jar/many-groups/{tenant}',
      operation: 'Test_ManyGroups',
      summary: '',
      async handle({ jar }) {
        await jar.store.transact(async (tx) => {
          await tx.putAll(managementGroups, names.map(made));
          await tx.putAll(
            subscriptions,
            Array.from({ length: MEMBERS }, (_, i) => member(i)),
          );
          const assignments = names.map((name) => ({ scope: idOf(name), role: 'Owner' as const }));
          await tx.put(roleAssignments, LIN, { principalId: LIN, assignments });
        });
        return noContent();
      },
    }),
  ],
});

onAnyStore(
  'a caller who has made every group of a tenant',
  (bench) => {
    it('gets lists and entities without a look at every role for each of them', { timeout: PATIENCE_MS }, async () => {
      await bench.call('PUT', `/_jar/many-groups/${TENANT}`, { token: bench.jar.adminKey });
      const lin = { token: await bench.jar.token({ user: 'licensed' }) };
      expect(namesIn(await bench.call('GET', `${GROUPS}?${VERSION}`, lin))).toEqual(names.slice(0, 100));
      // The root is included as an ancestor; the seeded subscription in it is not visible to Lin.
      const all = await entities(bench, '$top=1000', lin);
      expect(all.body.count).toBe(1 + MOST + MEMBERS);
      expect(all.body.value[1]).toMatchObject({ name: names[0], properties: { permissions: 'delete' } });
      const parents = await entities(bench, `$search=AllowedParents&groupName=${names[1]}`, lin);
      expect(parents.body.count).toBe(MOST / 2);
      const children = await entities(bench, `$search=AllowedChildren&groupName=${names[1]}`, lin);
      expect(children.body.count).toBeGreaterThan(MOST / 2);
      expect((await bench.call('GET', group(names[4] as string), lin)).status).toBe(200);
      const id = member(1)[0];
      expect((await bench.call('GET', `/subscriptions/${id}?api-version=2022-12-01`, lin)).status).toBe(200);
    });
  },
  { services: [...SERVICES, FILLED] },
);
