import type { Tx } from '../store/types.ts';
import { type Resource, resourceGroups, resources } from './collections.ts';
import { gatewayErrors } from './errors.ts';
import { groupPath } from './ids.ts';
import type { ArmJar } from './jar.ts';
import { GROUPS_IN_SUBSCRIPTION, RESOURCES_OF_TYPE } from './limits.ts';
import { forgetLocks } from './lock-writes.ts';
import { parentId } from './resource-path.ts';

/** Must be called before a new group is written, in the same transaction. */
export async function reserveGroupQuota(tx: Tx, jar: ArmJar, subscriptionId: string, group: string): Promise<void> {
  const decision = await jar.limits.takeQuota(tx, {
    limit: GROUPS_IN_SUBSCRIPTION,
    scope: [subscriptionId.toLowerCase()],
    actual: () => tx.count(resourceGroups, { prefix: groupPath(subscriptionId, '').toLowerCase() }),
  });
  if (decision.allowed) return;
  const { maximum, current } = decision;
  throw gatewayErrors.ResourceGroupQuotaExceeded({ group, maximum, current });
}

export async function releaseGroupQuota(tx: Tx, jar: ArmJar, subscriptionId: string): Promise<void> {
  await jar.limits.freeQuota(tx, { limit: GROUPS_IN_SUBSCRIPTION, scope: [subscriptionId.toLowerCase()] });
}

type Counted = Pick<Resource, 'id' | 'subscriptionId' | 'resourceGroup' | 'type'>;

/** Must be called before a new resource is written, in the same transaction. */
export async function reserveResourceQuota(tx: Tx, jar: ArmJar, resource: Counted): Promise<void> {
  const { id, subscriptionId, resourceGroup, type } = resource;
  // Child resources are not counted; their parents limit them.
  if (parentId(id) !== undefined) return;
  const decision = await jar.limits.takeQuota(tx, {
    limit: RESOURCES_OF_TYPE,
    scope: scopeOf(resource),
    actual: () =>
      tx.count(resources, {
        prefix: `${groupPath(subscriptionId, resourceGroup)}/`.toLowerCase(),
        filter: { op: 'eq', field: 'type', value: type.toLowerCase() },
      }),
  });
  if (decision.allowed) return;
  const { maximum, current } = decision;
  throw gatewayErrors.ResourceQuotaExceeded({ type, group: resourceGroup, maximum, current });
}

/** Releases the quotas and locks of resources that are deleted together, of any types and groups. */
export async function releaseResourceQuota(tx: Tx, jar: ArmJar, deleted: readonly Counted[]): Promise<void> {
  for (const [subscriptionId, gone] of Map.groupBy(deleted, (each) => each.subscriptionId)) {
    const keys = gone.map(({ id }) => id.toLowerCase());
    await forgetLocks(tx, jar, subscriptionId, keys);
  }
  const counted = deleted.filter(({ id }) => parentId(id) === undefined);
  for (const [, same] of Map.groupBy(counted, (each) => scopeOf(each).join('/'))) {
    const [first] = same as [Counted];
    await jar.limits.freeQuota(tx, { limit: RESOURCES_OF_TYPE, scope: scopeOf(first), count: same.length });
  }
}

const scopeOf = ({ subscriptionId, resourceGroup, type }: Counted): string[] =>
  [subscriptionId, resourceGroup, type].map((part) => part.toLowerCase());
