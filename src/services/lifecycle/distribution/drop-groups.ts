import type { Jar } from '../../../kernel/service/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { recordChange } from '../accounts/changes.ts';
import type { App } from '../collections.ts';
import { DISTRIBUTION_GROUPS, TESTERS } from '../limits.ts';
import { type DistributionGroup, distributionGroups } from './collections.ts';
import { PURGE_GROUP } from './work.ts';

/** The group disappears at once; its testers, who can be many, are removed afterwards. */
export async function dropGroup(tx: Tx, jar: Jar, { id, of, name }: DistributionGroup): Promise<void> {
  await tx.delete(distributionGroups, id);
  if (of.kind === 'app') await jar.limits.freeQuota(tx, { limit: DISTRIBUTION_GROUPS, scope: [of.id] });
  // With a count of 0, this only reads the current use.
  const { current } = await jar.limits.takeQuota(tx, { limit: TESTERS, scope: [id], count: 0 });
  await jar.limits.freeQuota(tx, { limit: TESTERS, scope: [id], count: current });
  await tx.schedule(PURGE_GROUP.at(jar.clock.now(), { groupId: id }, `${PURGE_GROUP.kind}:${id}`));
  await recordChange(tx, jar, 'delete', subjectOfGroup({ id, of }), { name });
}

/** Subject in change records. */
export const subjectOfGroup = ({ id, of }: Pick<DistributionGroup, 'id' | 'of'>): string =>
  `lifecycle/${of.kind}s/${of.id}/distribution_groups/${id}`;

/** Part of the transaction that deletes an organization. */
export async function dropGroupsOfOrg(tx: Tx, jar: Jar, orgId: string): Promise<void> {
  for (const { value } of await readAll(tx, distributionGroups, { filter: eq('ofId', orgId) }))
    await dropGroup(tx, jar, value);
}

/** Part of the transaction that deletes an app. */
export async function dropGroupsOfApp(tx: Tx, jar: Jar, { id }: App): Promise<void> {
  for (const { value } of await readAll(tx, distributionGroups, { filter: eq('ofId', id) }))
    await dropGroup(tx, jar, value);
  await leaveSharedGroups(tx, id);
}

/** Part of the transactions that remove an app from its organization. */
export async function leaveSharedGroups(tx: Tx, appId: string): Promise<void> {
  for (const { key } of await readAll(tx, distributionGroups, {
    filter: { op: 'has', field: 'appIds', value: appId },
  })) {
    const group = (await tx.get(distributionGroups, key))?.value;
    if (group) await tx.put(distributionGroups, key, { ...group, appIds: group.appIds.filter((id) => id !== appId) });
  }
}
